import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import type { IdentityServices } from './identity-services.ts';
import type { BoundIdentity, VerifiedIdentity } from './provider.ts';
import { identityDeletions } from './schema.ts';

/** With the tries doubling their distance this is some eight hours after the first. */
export const FAILED_AFTER_TRIES = 10;
const FIRST_PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 6 * 60 * 60;

/**
 * Notes, in the transaction that removes a person, that their account at the identity service has to go too. The service
 * is asked later, by a job: a network call has no place in a transaction, and an answer that is lost would leave one
 * side removed and the other not.
 */
export async function requestDeletion(tx: Executor, identity: BoundIdentity, now: Date): Promise<void> {
  const { issuer, subject, userId } = identity;
  await tx
    .insert(identityDeletions)
    .values({ issuer, subject, userId, requestedAt: now, nextTryAt: now })
    .onConflictDoNothing();
}

/** Whether the account waits to be deleted: its owner cannot come back with it, as it would vanish under them. */
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

/** How many accounts wait to be deleted at the service, and how many after so many tries that somebody must look. */
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

/**
 * Deletes the accounts that wait for it at the identity service, one after the other. A round ends with its first
 * failure, as what hinders one mostly hinders all. May be repeated, and run in several processes at once.
 * @returns how many were deleted
 */
export async function deleteHostedAccounts({
  identity: { deleteHostedAccount },
  copiedAt,
  ...platform
}: Pick<IdentityServices, 'identity' | 'database' | 'clock' | 'ids' | 'log' | 'copiedAt'>): Promise<number> {
  // A copy of a shop must not act for it: the one that was backed up may be running still.
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

/**
 * Takes the next account and puts its following try off, so that no other process takes it and that it is tried again
 * when this one dies before it is done.
 */
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

/** Says in the log that an account is still there, and, once it has been tried for hours, in the trail too. */
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
