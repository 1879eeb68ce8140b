import { randomUUID } from 'node:crypto';
import { and, eq, gt, lt, notExists, sql } from 'drizzle-orm';
import type { AccountData, OpenSession } from '#src/identity/provider.ts';
import {
  identityAccounts,
  identitySessions,
  identityUsers,
  identityVerifications,
} from '#src/identity/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { purgeLoginTries } from './login-throttle.ts';
import type { PasswordHasher } from './password-hash.ts';
import { purgeUsedCodes } from './used-codes.ts';

export async function deleteAccount(tx: Executor, subject: string): Promise<void> {
  await tx.delete(identityUsers).where(eq(identityUsers.id, subject));
}

/** A new account makes a concurrent sign-in with the old password fail. Returns its subject. */
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

/** Locks the session until `tx` ends; null if it has ended. */
export async function findOpenSession(tx: Executor, id: string, now: Date): Promise<OpenSession | null> {
  const [session] = await tx
    .select({ expiresAt: identitySessions.expiresAt, secondFactor: identitySessions.secondFactor })
    .from(identitySessions)
    .where(and(eq(identitySessions.id, id), gt(identitySessions.expiresAt, now)))
    .for('key share');
  return session ?? null;
}

export async function endSession(tx: Executor, id: string): Promise<void> {
  await tx.delete(identitySessions).where(eq(identitySessions.id, id));
}

export async function readAccount(db: Executor, subject: string, now: Date): Promise<AccountData | null> {
  const [account] = await db
    .select({ secondFactor: identityUsers.twoFactorEnabled })
    .from(identityUsers)
    .where(eq(identityUsers.id, subject));
  if (!account) return null;
  const sessions = await db
    .select()
    .from(identitySessions)
    .where(and(eq(identitySessions.userId, subject), gt(identitySessions.expiresAt, now)))
    .orderBy(identitySessions.createdAt);
  const [google] = await db
    .select({ id: identityAccounts.accountId })
    .from(identityAccounts)
    .where(and(eq(identityAccounts.userId, subject), eq(identityAccounts.providerId, 'google')));
  return {
    google: google ?? null,
    secondFactor: account.secondFactor,
    sessions: sessions.map(({ createdAt, updatedAt, expiresAt, ipAddress, userAgent }) => ({
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      ipAddress,
      userAgent,
    })),
  };
}

const ABANDONED_AFTER_MS = 10 * 60_000;

/** A crash during sign-up leaves accounts without a password, which block their address. */
export async function purgeExpiredAccounts(db: Executor, now: Date): Promise<void> {
  await db.delete(identitySessions).where(lt(identitySessions.expiresAt, now));
  await db.delete(identityVerifications).where(lt(identityVerifications.expiresAt, now));
  await purgeUsedCodes(db, now);
  await purgeLoginTries(db, now);
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
