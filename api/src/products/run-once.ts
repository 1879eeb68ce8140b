import { createHash } from 'node:crypto';
import { problems } from '@parts-forge/contract/problems';
import { and, eq, lt } from 'drizzle-orm';
import { invalidField } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { productKeys } from './schema.ts';

/** A request as its repeats are known by: whose, by which key, and what it means. */
export interface RepeatableRequest {
  userId: string;
  key: string;
  /** All that two requests must share to be the same one, as JSON can carry it. */
  meaning: unknown;
  now: Date;
}

/**
 * Does the work in the caller's transaction, or gives what an earlier request with the same key was answered. One that
 * is under way at the same time is waited for; where it fails, its key is free again.
 * @throws Problem `key-reused`, and whatever `work` throws
 */
export async function runOnce<Answer extends object>(
  tx: Executor,
  { userId, key, meaning, now }: RepeatableRequest,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const bodyHash = createHash('sha256').update(JSON.stringify(meaning)).digest();
  const mine = and(eq(productKeys.userId, userId), eq(productKeys.key, key));
  const { rowCount } = await tx
    .insert(productKeys)
    .values({ userId, key, bodyHash, createdAt: now })
    .onConflictDoNothing();
  if (rowCount === 0) {
    const [earlier] = await tx.select().from(productKeys).where(mine);
    if (!earlier?.bodyHash.equals(bodyHash)) {
      throw invalidField('Idempotency-Key', problems['key-reused'].title, 'key-reused');
    }
    return earlier.answer as Answer;
  }
  const answer = await work();
  await tx.update(productKeys).set({ answer }).where(mine);
  return answer;
}

/** Forgets the keys of requests from before a moment. Harmless to repeat. */
export async function forgetProductKeys(db: Executor, before: Date): Promise<void> {
  await db.delete(productKeys).where(lt(productKeys.createdAt, before));
}
