import { createHash } from 'node:crypto';
import { and, eq, lt } from 'drizzle-orm';
import { keyReused } from '#src/platform/core/problem.ts';
import type { Executor } from './connection.ts';
import { requestKeys } from './schema.ts';

export interface RepeatableRequest {
  userId: string;
  key: string;
  meaning: unknown;
  now: Date;
}

/**
 * Runs `work` in the caller's transaction, or returns the key's stored answer. Waits for a concurrent request
 * with the key; a failed one frees it.
 * @throws Problem `key-reused`, and the errors of `work`
 */
export async function runOnce<Answer extends object>(
  tx: Executor,
  { userId, key, meaning, now }: RepeatableRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const bodyHash = createHash('sha256').update(JSON.stringify(meaning)).digest();
  const mine = and(eq(requestKeys.userId, userId), eq(requestKeys.key, key));
  const { rowCount } = await tx
    .insert(requestKeys)
    .values({ userId, key, bodyHash, createdAt: now })
    .onConflictDoNothing();
  if (rowCount === 0) {
    const [earlier] = await tx.select().from(requestKeys).where(mine);
    if (!earlier?.bodyHash.equals(bodyHash)) throw keyReused();
    return earlier.answer as Answer;
  }
  const answer = await work();
  await tx.update(requestKeys).set({ answer }).where(mine);
  return answer;
}

/** For a deleted account. */
export async function deleteRequestKeys(tx: Executor, userId: string): Promise<void> {
  await tx.delete(requestKeys).where(eq(requestKeys.userId, userId));
}

export async function forgetRequestKeys(db: Executor, before: Date): Promise<void> {
  await db.delete(requestKeys).where(lt(requestKeys.createdAt, before));
}
