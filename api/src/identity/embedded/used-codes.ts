import { lt } from 'drizzle-orm';
import { identityUsedCodes } from '#src/identity/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';

/** Longer than the 90 seconds for which a code is valid. */
const REMEMBERED_MS = 10 * 60_000;

/** Accepts a code once (RFC 6238, section 5.2), also concurrently. False for a used one. */
export async function useCode(db: Executor, userId: string, code: string, usedAt: Date): Promise<boolean> {
  const { rowCount } = await db
    .insert(identityUsedCodes)
    .values({ userId, code, usedAt })
    .onConflictDoNothing();
  return rowCount === 1;
}

export async function purgeUsedCodes(db: Executor, now: Date): Promise<void> {
  const forgotten = new Date(now.getTime() - REMEMBERED_MS);
  await db.delete(identityUsedCodes).where(lt(identityUsedCodes.usedAt, forgotten));
}
