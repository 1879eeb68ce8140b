import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Executor } from './connection.ts';
import { deleteMetadata, ensureMetadata, findMetadata, setMetadata } from './metadata.ts';

export interface Instance {
  /** Renewed by each restore. */
  instanceId: string;
  /** One for each earlier restore, the latest last. */
  formerInstanceIds: readonly string[];
  /** Time of the backup; null if never restored, or after `takeOver`. */
  copiedAt: Date | null;
}

const INSTANCE_ID = 'instance_id';
const FORMER_INSTANCE_IDS = 'former_instance_ids';
const COPIED_AT = 'copied_at';
/** Orders placed before it may be paid without an invoice; `infinity` in a copy. */
export const PAPERS_SINCE = 'papers_since';
/** The one value that differs in a moved shop (`backup/move-shop.ts`). */
export const MOVED_TO = 'moved_to';
/** Completes the sentence with which release 1.0.0 ends before it serves a moved shop. */
const NEWER_VERSION =
  'a newer version: start version 1.1.0 or later, or restore a backup from before the upgrade. The rest of this line is about another case';

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
 * The original may still run. Call before a shop can start on the restored database.
 * @param copiedAt time of the backup
 */
export async function markRestored(tx: Executor, copiedAt: Date): Promise<void> {
  const former = await findMetadata(tx, INSTANCE_ID);
  if (former !== null) {
    await setMetadata(tx, FORMER_INSTANCE_IDS, JSON.stringify([...(await findFormerIds(tx)), former]));
  }
  await setMetadata(tx, INSTANCE_ID, randomUUID());
  await setMetadata(tx, COPIED_AT, copiedAt.toISOString());
  await setMetadata(tx, PAPERS_SINCE, 'infinity');
  await deleteMetadata(tx, MOVED_TO);
}

/** @param to the place, for people */
export const markMoved = (db: Executor, to: string): Promise<void> => setMetadata(db, MOVED_TO, to);

export async function findMovedTo(db: Executor): Promise<string | null> {
  const movedTo = await findMetadata(db, MOVED_TO);
  return movedTo === NEWER_VERSION ? null : movedTo;
}

/** Ends the start of release 1.0.0, the only one that does not compare versions. */
export const refuseOldRelease = (db: Executor) => ensureMetadata(db, MOVED_TO, () => NEWER_VERSION);

/** Null in a database that was never opened. */
export const findInstanceId = (db: Executor): Promise<string | null> => findMetadata(db, INSTANCE_ID);

/** A restored database replaces the original shop. Repeatable. */
export async function takeOver(tx: Executor, now: Date): Promise<boolean> {
  const wasCopy = await deleteMetadata(tx, COPIED_AT);
  if (wasCopy) await setMetadata(tx, PAPERS_SINCE, now.toISOString());
  return wasCopy;
}

async function findFormerIds(db: Executor): Promise<string[]> {
  const ids = await findMetadata(db, FORMER_INSTANCE_IDS);
  return ids === null ? [] : idsSchema.parse(JSON.parse(ids));
}
