import { googleRefusals } from '@parts-forge/contract/people/identity-service';
import type { BetterAuthOptions } from 'better-auth';
import { and, eq } from 'drizzle-orm';
import { identityAccounts, identityUsers } from '#src/identity/schema.ts';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Ids } from '#src/platform/core/ids.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import type { UserRow } from '#src/users/store.ts';

/** Passwords have the provider `credential`. */
export const GOOGLE = 'google';

export interface GooglePerson {
  /** Google's id, which outlives address changes. */
  subject: string;
  email: string;
  emailVerified: boolean;
}

type UserInfo = Parameters<NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>>[0];
type AccountHooks = NonNullable<NonNullable<BetterAuthOptions['databaseHooks']>['account']>;

interface GoogleClaimSettings {
  database: Database;
  clock: Clock;
  ids: Ids;
  findUser: (subject: string) => Promise<Pick<UserRow, 'id'> | null>;
  isAdministrator: (subject: string) => Promise<boolean>;
  onSessionsEnded: () => Promise<void>;
}

/** docs/explanation/identity.md explains the checks under "Google". */
export function createGoogleClaims(settings: GoogleClaimSettings) {
  const { database, clock, ids, findUser, isAdministrator, onSessionsEnded } = settings;
  return {
    /**
     * Deletes an unproven account with this address: a concurrent sign-in with its password must not open a
     * session.
     */
    async removeSquatter({ subject, email, emailVerified }: GooglePerson) {
      if (!emailVerified || (await findGoogleAccount(database, eq(identityAccounts.accountId, subject))))
        return;
      const account = await findAccount(database, eq(identityUsers.email, email));
      if (!account || account.emailVerified || (await needsPassword(account))) return;
      const user = await findUser(account.id);
      await database.db.transaction(async (tx) => {
        const { rowCount } = await tx
          .delete(identityUsers)
          .where(and(eq(identityUsers.id, account.id), eq(identityUsers.emailVerified, false)));
        if (rowCount === 0 || !user) return;
        const entry = { id: ids.next(), now: clock.now(), userId: user.id, after: { signIn: 'removed' } };
        await writeEntry(tx, { ...entry, event: 'account-taken-over' });
      });
      await onSessionsEnded();
    },
    async validate({ user, source }: UserInfo) {
      if (source.method !== 'oauth') return;
      // A former Google account is known by Google's id, not by its address.
      if (source.action !== 'sign-in' && user.emailVerified !== true) return refusals.unproven;
      if (source.action === 'create-user') return;
      const account = await findAccount(database, eq(identityUsers.id, String(user.id)));
      if (!account || account.twoFactorEnabled) return refusals.password;
      if (source.action === 'sign-in') return;
      if (await isAdministrator(account.id)) return refusals.password;
      if (await findGoogleAccount(database, eq(identityAccounts.userId, account.id)))
        return refusals.mismatch;
    },
  };

  /** A proven address does not replace an administrator's password or a second factor. */
  async function needsPassword({ id, twoFactorEnabled }: { id: string; twoFactorEnabled: boolean }) {
    return twoFactorEnabled || (await isAdministrator(id));
  }
}

const refusals = {
  unproven: { error: googleRefusals.addressNotProven },
  password: { error: googleRefusals.passwordNeeded },
  mismatch: { error: googleRefusals.otherGoogleAccount },
};

type Condition = ReturnType<typeof eq>;

async function findAccount({ db }: Database, condition: Condition) {
  const { id, emailVerified, twoFactorEnabled } = identityUsers;
  const [account] = await db
    .select({ id, emailVerified, twoFactorEnabled })
    .from(identityUsers)
    .where(condition);
  return account ?? null;
}

async function findGoogleAccount({ db }: Database, condition: Condition) {
  const [account] = await db
    .select({ userId: identityAccounts.userId })
    .from(identityAccounts)
    .where(and(eq(identityAccounts.providerId, GOOGLE), condition));
  return account ?? null;
}

/** Google's tokens are useless once the person is known. */
export const storeNoTokens: AccountHooks = {
  create: {
    before: async () => ({
      data: {
        accessToken: null,
        refreshToken: null,
        idToken: null,
        accessTokenExpiresAt: null,
        refreshTokenExpiresAt: null,
      },
    }),
  },
};
