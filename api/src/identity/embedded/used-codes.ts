import { lt } from 'drizzle-orm';
import { identityUsedCodes } from '#src/identity/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';

/** Codes are valid for 90 seconds; used ones are remembered for longer. */
const REMEMBERED_MS = 10 * 60_000;

/**
 * Uses a time code up (RFC 6238, section 5.2).
 * @returns false when it was used before, also by a request at the same moment
 */
export async function useCode(db: Executor, userId: string, code: string, usedAt: Date): Promise<boolean> {
  const { rowCount } = await db
    .insert(identityUsedCodes)
    .values({ userId, code, usedAt })
    .onConflictDoNothing();
  return rowCount === 1;
}

/** Removes codes that are no longer valid in any case. Harmless to repeat. */
export async function purgeUsedCodes(db: Executor, now: Date): Promise<void> {
  const forgotten = new Date(now.getTime() - REMEMBERED_MS);
  await db.delete(identityUsedCodes).where(lt(identityUsedCodes.usedAt, forgotten));
}
