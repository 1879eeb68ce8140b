import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Executor } from './connection.ts';
import { deleteMetadata, ensureMetadata, findMetadata, setMetadata } from './metadata.ts';

/** Identifies this database among shops that share a payment account or identity service. */
export interface Instance {
  /** Random per database; renewed by each restore. */
  instanceId: string;
  /** Ids of the shops that this database was restored from, latest last. */
  formerInstanceIds: readonly string[];
  /**
   * Time of the backup that this database was restored from. Null when it was never restored, or has
   * taken over.
   */
  copiedAt: Date | null;
}

const INSTANCE_ID = 'instance_id';
const FORMER_INSTANCE_IDS = 'former_instance_ids';
const COPIED_AT = 'copied_at';
/** `backup/move-shop.ts` also knows it: the one value that the moved shop does not have. */
export const MOVED_TO = 'moved_to';

const idsSchema = z.array(z.string());

/** The first process gives a new database its id. */
export async function ensureInstance(db: Executor): Promise<Instance> {
  const instanceId = await ensureMetadata(db, INSTANCE_ID, randomUUID);
  const copiedAt = await findMetadata(db, COPIED_AT);
  return {
    instanceId,
    formerInstanceIds: await findFormerIds(db),
    copiedAt: copiedAt === null ? null : new Date(copiedAt),
  };
}

/**
 * Makes a restored database its own shop, as the backed-up one may still run. Call it before a shop can
 * start on it.
 * @param copiedAt time of the backup
 */
export async function markRestored(tx: Executor, copiedAt: Date): Promise<void> {
  const former = await findMetadata(tx, INSTANCE_ID);
  if (former !== null) {
    await setMetadata(tx, FORMER_INSTANCE_IDS, JSON.stringify([...(await findFormerIds(tx)), former]));
  }
  await setMetadata(tx, INSTANCE_ID, randomUUID());
  await setMetadata(tx, COPIED_AT, copiedAt.toISOString());
  await deleteMetadata(tx, MOVED_TO);
}

/** Marks a database whose shop moved elsewhere under the same id. @param to the new place, for people */
export const markMoved = (db: Executor, to: string): Promise<void> => setMetadata(db, MOVED_TO, to);

/** The place this shop moved to; null when it is here. */
export const findMovedTo = (db: Executor): Promise<string | null> => findMetadata(db, MOVED_TO);

/** The shop's id; null in a database that was never opened. */
export const findInstanceId = (db: Executor): Promise<string | null> => findMetadata(db, INSTANCE_ID);

/**
 * Puts a restored database in place of the backed-up shop. Safe to repeat.
 * @returns false when there was nothing to do
 */
export const takeOver = (db: Executor): Promise<boolean> => deleteMetadata(db, COPIED_AT);

async function findFormerIds(db: Executor): Promise<string[]> {
  const ids = await findMetadata(db, FORMER_INSTANCE_IDS);
  return ids === null ? [] : idsSchema.parse(JSON.parse(ids));
}
