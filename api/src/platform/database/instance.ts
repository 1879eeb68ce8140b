import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Executor } from './connection.ts';
import { deleteMetadata, ensureMetadata, findMetadata, setMetadata } from './metadata.ts';

/** Which shop this database is, among those that share a payment account or an identity service. */
export interface Instance {
  /** Random once per database, and anew with each restore. */
  instanceId: string;
  /** Those of the shops that this database was restored from, the latest last; none for one that never was. */
  formerInstanceIds: readonly string[];
  /**
   * When the backup was made that this database was restored from, until it takes that shop's place; null for one that
   * did, or was never restored.
   */
  copiedAt: Date | null;
}

const INSTANCE_ID = 'instance_id';
const FORMER_INSTANCE_IDS = 'former_instance_ids';
const COPIED_AT = 'copied_at';
/** Also known to `backup/move-shop.ts`, as the one value that the moved shop does not have. */
export const MOVED_TO = 'moved_to';

const idsSchema = z.array(z.string());

/** The first of all processes gives a new database its id. */
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
 * Makes a restored database a shop of its own: the one that was backed up may be running still. To be called before
 * anybody can start a shop on it.
 * @param copiedAt when the backup was made
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

/** Says of a database that its shop lives elsewhere from now on, under the same id. @param to where, for people */
export const markMoved = (db: Executor, to: string): Promise<void> => setMetadata(db, MOVED_TO, to);

/** Where the shop of this database has gone to; null when it is here. */
export const findMovedTo = (db: Executor): Promise<string | null> => findMetadata(db, MOVED_TO);

/** The shop's id; null in a database that was never opened. */
export const findInstanceId = (db: Executor): Promise<string | null> => findMetadata(db, INSTANCE_ID);

/**
 * Puts a restored database in the place of the shop that was backed up. May be repeated.
 * @returns false when there was nothing to do
 */
export const takeOver = (db: Executor): Promise<boolean> => deleteMetadata(db, COPIED_AT);

async function findFormerIds(db: Executor): Promise<string[]> {
  const ids = await findMetadata(db, FORMER_INSTANCE_IDS);
  return ids === null ? [] : idsSchema.parse(JSON.parse(ids));
}
