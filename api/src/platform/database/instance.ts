import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Executor } from './connection.ts';
import { deleteMetadata, ensureMetadata, findMetadata, setMetadata } from './metadata.ts';

/** For shops that share a payment account or identity service. */
export interface Instance {
  /** Random; renewed by each restore. */
  instanceId: string;
  /** This one was restored from them, latest last. */
  formerInstanceIds: readonly string[];
  /** Time of the restored backup; null if never restored, or after `takeOver`. */
  copiedAt: Date | null;
}

const INSTANCE_ID = 'instance_id';
const FORMER_INSTANCE_IDS = 'former_instance_ids';
const COPIED_AT = 'copied_at';
/** The one value that a moved shop does not have (`backup/move-shop.ts`). */
export const MOVED_TO = 'moved_to';

const idsSchema = z.array(z.string());

/** The first process creates the id. */
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
 * A restored database is its own shop, as the original may still run. Call before a shop can start on it.
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

/** The shop lives elsewhere from now on, under the same id. @param to the place, for people */
export const markMoved = (db: Executor, to: string): Promise<void> => setMetadata(db, MOVED_TO, to);

/** Null when the shop is here. */
export const findMovedTo = (db: Executor): Promise<string | null> => findMetadata(db, MOVED_TO);

/** Null in a database that was never opened. */
export const findInstanceId = (db: Executor): Promise<string | null> => findMetadata(db, INSTANCE_ID);

/** Puts a restored database in place of the original shop. Repeatable. False when there was nothing to do. */
export const takeOver = (db: Executor): Promise<boolean> => deleteMetadata(db, COPIED_AT);

async function findFormerIds(db: Executor): Promise<string[]> {
  const ids = await findMetadata(db, FORMER_INSTANCE_IDS);
  return ids === null ? [] : idsSchema.parse(JSON.parse(ids));
}
