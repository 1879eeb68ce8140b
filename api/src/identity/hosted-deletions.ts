import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import type { IdentityServices } from './identity-services.ts';
import type { BoundIdentity, VerifiedIdentity } from './provider.ts';
import { identityDeletions } from './schema.ts';

/** With doubling pauses, about eight hours after the first try. */
export const FAILED_AFTER_TRIES = 10;
const FIRST_PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 6 * 60 * 60;

/**
 * Call in the transaction that removes the person. A lost response would otherwise leave one side removed.
 * The job queue would not do: no backup has its tables, and it deletes failed jobs after days.
 */
export async function requestDeletion(tx: Executor, identity: BoundIdentity, now: Date): Promise<void> {
  const { issuer, subject, userId } = identity;
  await tx
    .insert(identityDeletions)
    .values({ issuer, subject, userId, requestedAt: now, nextTryAt: now })
    .onConflictDoNothing();
}

/** An account that awaits deletion would vanish under its owner. */
export async function isDeletionRequested(
  tx: Executor,
  { issuer, subject }: Pick<VerifiedIdentity, 'issuer' | 'subject'>,
): Promise<boolean> {
  const [row] = await tx
    .select({ subject: identityDeletions.subject })
    .from(identityDeletions)
    .where(and(eq(identityDeletions.issuer, issuer), eq(identityDeletions.subject, subject)));
  return row !== undefined;
}

/** `failed`: an operator must look. */
export async function countDeletions(db: Executor): Promise<{ waiting: number; failed: number }> {
  const isFailed = sql`${identityDeletions.tries} >= ${FAILED_AFTER_TRIES}`;
  const [row] = await db
    .select({
      waiting: sql<number>`count(*) filter (where not ${isFailed})`.mapWith(Number),
      failed: sql<number>`count(*) filter (where ${isFailed})`.mapWith(Number),
    })
    .from(identityDeletions);
  return row ?? { waiting: 0, failed: 0 };
}

/** A failure ends the round, as its cause mostly affects all. Repeatable, also concurrently. */
export async function deleteHostedAccounts({
  identity: { deleteHostedAccount },
  copiedAt,
  ...platform
}: Pick<IdentityServices, 'identity' | 'database' | 'clock' | 'ids' | 'log' | 'copiedAt'>): Promise<number> {
  // A copy of a shop must not delete: the original may still run.
  if (!deleteHostedAccount || copiedAt !== null) return 0;
  for (let deleted = 0; ; deleted += 1) {
    const claimed = await claimDeletion(platform.database.db, platform.clock.now());
    if (!claimed) return deleted;
    try {
      await deleteHostedAccount(claimed.subject);
    } catch (error) {
      await noteFailure(platform, claimed, error);
      return deleted;
    }
    await forgetDeletion(platform.database.db, claimed);
  }
}

type Deletion = typeof identityDeletions.$inferSelect;

/** No other process takes the account, and a retry follows if this one dies. */
async function claimDeletion(db: Executor, now: Date): Promise<Deletion | null> {
  const next = db
    .select({ issuer: identityDeletions.issuer, subject: identityDeletions.subject })
    .from(identityDeletions)
    .where(lte(identityDeletions.nextTryAt, now))
    .orderBy(asc(identityDeletions.nextTryAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const pause = sql`least(${FIRST_PAUSE_SECONDS} * power(2, ${identityDeletions.tries}), ${LONGEST_PAUSE_SECONDS})`;
  const [row] = await db
    .update(identityDeletions)
    .set({
      tries: sql`${identityDeletions.tries} + 1`,
      nextTryAt: sql`${now.toISOString()}::timestamptz + make_interval(secs => ${pause})`,
    })
    .where(sql`(${identityDeletions.issuer}, ${identityDeletions.subject}) = ${next}`)
    .returning();
  return row ?? null;
}

async function forgetDeletion(db: Executor, { issuer, subject }: Deletion): Promise<void> {
  await db
    .delete(identityDeletions)
    .where(and(eq(identityDeletions.issuer, issuer), eq(identityDeletions.subject, subject)));
}

/** The trail gets one entry, at try `FAILED_AFTER_TRIES`. */
async function noteFailure(
  { database, clock, ids, log }: Pick<Platform, 'database' | 'clock' | 'ids' | 'log'>,
  { userId, tries, nextTryAt }: Deletion,
  error: unknown,
): Promise<void> {
  const line = { err: error, userId, tries, nextTryAt };
  if (tries < FAILED_AFTER_TRIES) {
    log.warn(line, 'an account at the identity service could not be deleted yet');
    return;
  }
  log.error(line, 'an account at the identity service cannot be deleted');
  if (tries > FAILED_AFTER_TRIES) return;
  await writeEntry(database.db, {
    id: ids.next(),
    now: clock.now(),
    event: 'identity-deletion-failed',
    userId,
    after: { tries },
  });
}
