import { and, eq, sql } from 'drizzle-orm';
import { isClaimed } from '#src/platform/database/claim.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { createWorker } from '#src/platform/jobs/worker.ts';
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
    .values({ issuer, subject, userId, requestedAt: now, nextAttemptAt: now })
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
  const isFailed = sql`${identityDeletions.attempts} >= ${FAILED_AFTER_TRIES}`;
  const [row] = await db
    .select({
      waiting: sql<number>`count(*) filter (where not ${isFailed})`.mapWith(Number),
      failed: sql<number>`count(*) filter (where ${isFailed})`.mapWith(Number),
    })
    .from(identityDeletions);
  return row ?? { waiting: 0, failed: 0 };
}

/** Repeatable, also concurrently. @returns the number of deleted accounts */
export async function deleteHostedAccounts({
  identity: { deleteHostedAccount },
  copiedAt,
  ...platform
}: Pick<IdentityServices, 'identity' | 'database' | 'clock' | 'ids' | 'log' | 'copiedAt'>): Promise<number> {
  // A copy of a shop must not delete: the original may still run.
  if (!deleteHostedAccount || copiedAt !== null) return 0;
  const { clock, database, log } = platform;
  let hasFailed = false;
  const deletions = createWorker({
    // The cause of a failure mostly affects all.
    claim: async (limit) => (hasFailed ? [] : claimDeletions(database.db, clock.now(), limit)),
    async handle(deletion) {
      try {
        await deleteHostedAccount(deletion.subject);
      } catch (error) {
        hasFailed = true;
        await noteFailure(platform, deletion, error);
        return false;
      }
      const { issuer, subject } = identityDeletions;
      const isDeleted = and(eq(issuer, deletion.issuer), eq(subject, deletion.subject));
      await database.db.delete(identityDeletions).where(isDeleted);
      return true;
    },
    atOnce: 1,
    log,
    message: 'accounts at the identity service could not be deleted; they are tried again',
  });
  return (await deletions.run()).filter((isDeleted) => isDeleted).length;
}

type Deletion = typeof identityDeletions.$inferSelect;

function claimDeletions(db: Executor, now: Date, limit: number): Promise<Deletion[]> {
  const { attempts, issuer, subject } = identityDeletions;
  const pause = sql`least(${FIRST_PAUSE_SECONDS} * power(2, ${attempts}), ${LONGEST_PAUSE_SECONDS})`;
  return db
    .update(identityDeletions)
    .set({
      attempts: sql`${attempts} + 1`,
      nextAttemptAt: sql`${now.toISOString()}::timestamptz + make_interval(secs => ${pause})`,
    })
    .where(isClaimed(identityDeletions, sql`(${issuer}, ${subject})`, sql`true`, now, limit))
    .returning();
}

/** The trail gets one entry, at try `FAILED_AFTER_TRIES`. */
async function noteFailure(
  { database, clock, ids, log }: Pick<Platform, 'database' | 'clock' | 'ids' | 'log'>,
  { userId, attempts: tries, nextAttemptAt }: Deletion,
  error: unknown,
): Promise<void> {
  const line = { err: error, userId, tries, nextTryAt: nextAttemptAt };
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
