import { createHash, randomBytes } from 'node:crypto';
import { RESET_LINK_SECONDS, VERIFICATION_LINK_SECONDS } from '@parts-forge/contract/calls/bounds';
import { and, eq, gt, ne } from 'drizzle-orm';
import type { ResetDelivery } from '#src/identity/provider.ts';
import { identityUsers, identityVerifications } from '#src/identity/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';

/**
 * The row id consists of account and purpose, so each has one secret. Stores only the hash, in the
 * service's own form.
 */
const lifetimes = {
  'reset-password': RESET_LINK_SECONDS,
  'verify-email': VERIFICATION_LINK_SECONDS,
} as const;
type Purpose = keyof typeof lifetimes;

const MAILED = ' mailed';

/** Replaces an earlier token of either delivery; null without such an account. */
export async function createResetToken(
  tx: Executor,
  subject: string,
  delivery: ResetDelivery,
  now: Date,
): Promise<string | null> {
  const ids = { 'handed-over': resetRowId(subject), mailed: resetRowId(subject) + MAILED };
  const other = delivery === 'mailed' ? ids['handed-over'] : ids.mailed;
  await tx.delete(identityVerifications).where(eq(identityVerifications.id, other));
  return createToken(tx, 'reset-password', subject, ids[delivery], now);
}

export const wasMailed = ({ id }: { id: string }): boolean => id.endsWith(MAILED);

/** Replaces an earlier token; null without such an account. */
export const createVerificationToken = (tx: Executor, subject: string, now: Date): Promise<string | null> =>
  createToken(tx, 'verify-email', subject, verificationRowId(subject), now);

export async function useVerificationToken(
  tx: Executor,
  subject: string,
  token: string,
  now: Date,
): Promise<boolean> {
  const used = await tx
    .delete(identityVerifications)
    .where(
      and(
        eq(identityVerifications.id, verificationRowId(subject)),
        eq(identityVerifications.identifier, hash('verify-email', token)),
        gt(identityVerifications.expiresAt, now),
      ),
    )
    .returning({ id: identityVerifications.id });
  if (used.length > 0) await proveAddress(tx, subject, now);
  return used.length > 0;
}

export async function proveAddress(tx: Executor, subject: string, now: Date): Promise<void> {
  await tx
    .update(identityUsers)
    .set({ emailVerified: true, updatedAt: now })
    .where(eq(identityUsers.id, subject));
}

/** After a new password: other reset links, and sign-ins that wait for a code. Proofs of the address stay. */
export async function endUnfinished(tx: Executor, subject: string): Promise<void> {
  const isOther = ne(identityVerifications.id, verificationRowId(subject));
  await tx.delete(identityVerifications).where(and(eq(identityVerifications.value, subject), isOther));
}

async function createToken(
  tx: Executor,
  purpose: Purpose,
  subject: string,
  id: string,
  now: Date,
): Promise<string | null> {
  const [account] = await tx
    .select({ id: identityUsers.id })
    .from(identityUsers)
    .where(eq(identityUsers.id, subject));
  if (!account) return null;
  const token = randomBytes(24).toString('base64url');
  const row = {
    identifier: hash(purpose, token),
    value: subject,
    expiresAt: new Date(now.getTime() + lifetimes[purpose] * 1000),
    createdAt: now,
    updatedAt: now,
  };
  await tx
    .insert(identityVerifications)
    .values({ id, ...row })
    .onConflictDoUpdate({ target: identityVerifications.id, set: row });
  return token;
}

const resetRowId = (subject: string) => `reset-password ${subject}`;
const verificationRowId = (subject: string) => `verify-email ${subject}`;
const hash = (purpose: Purpose, token: string) =>
  createHash('sha256').update(`${purpose}:${token}`).digest('base64url');
