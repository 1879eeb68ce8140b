import { randomUUID } from 'node:crypto';
import { and, eq, lt, notExists, sql } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import type { PasswordHasher } from './password-hash.ts';
import { identityAccounts, identitySessions, identityUsers, identityVerifications } from './schema.ts';

/** The embedded service's accounts where the shop itself acts on them, without anybody's session. */

/** Removes an account with its password and sessions. Harmless when there is none. */
export async function deleteAccount(tx: Executor, subject: string): Promise<void> {
  await tx.delete(identityUsers).where(eq(identityUsers.id, subject));
}

/**
 * Makes the address the account of whoever knows the password. Somebody who had registered it before keeps
 * nothing: the account is a new one, so that even a sign-in under way with the old password comes to nothing.
 * @returns the new account's subject
 */
export async function replaceAccount(
  tx: Executor,
  passwords: PasswordHasher,
  { email, name, password }: { email: string; name: string; password: string },
): Promise<string> {
  const hash = await passwords.hash(password);
  const id = randomUUID();
  await tx.delete(identityUsers).where(eq(identityUsers.email, email));
  await tx.insert(identityUsers).values({ id, name, email, emailVerified: true });
  await tx
    .insert(identityAccounts)
    .values({ id: randomUUID(), accountId: id, providerId: 'credential', userId: id, password: hash });
  return id;
}

/** Longer than any sign-up takes. */
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * Removes sessions and verifications that have run out, and accounts without a password that a crash in the
 * middle of a sign-up left behind; they would keep their address from being registered.
 */
export async function purgeExpiredAccounts(db: Executor, now: Date): Promise<void> {
  await db.delete(identitySessions).where(lt(identitySessions.expiresAt, now));
  await db.delete(identityVerifications).where(lt(identityVerifications.expiresAt, now));
  await db
    .delete(identityUsers)
    .where(
      and(
        lt(identityUsers.createdAt, new Date(now.getTime() - ABANDONED_AFTER_MS)),
        notExists(
          db
            .select({ one: sql`1` })
            .from(identityAccounts)
            .where(eq(identityAccounts.userId, identityUsers.id)),
        ),
      ),
    );
}
