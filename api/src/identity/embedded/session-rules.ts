import { MAX_SESSION_SECONDS } from '@parts-forge/contract/calls/bounds';
import { identityRefusals } from '@parts-forge/contract/people/identity-service';
import type { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { useCode } from './used-codes.ts';

type SessionRules = NonNullable<Parameters<typeof betterAuth>[0]['databaseHooks']>;

interface SessionRuleSettings {
  database: Database;
  clock: Clock;
  onSessionsEnded: () => Promise<void>;
  /** No response reveals this sign-in. */
  onGoogleSignIn: (subject: string) => Promise<void>;
}

const VERIFY_CODE = '/two-factor/verify-totp';
const VERIFY_BACKUP_CODE = '/two-factor/verify-backup-code';
const GOOGLE_CALLBACK = '/callback/';
const SWITCH_OFF = '/two-factor/disable';

/** Accepts a time code once, limits a session to 30 days, and publishes its end. */
export function createSessionRules({
  database,
  clock,
  onSessionsEnded,
  onGoogleSignIn,
}: SessionRuleSettings): SessionRules {
  return {
    session: {
      create: {
        async before({ userId }, context) {
          const isCode = context?.path === VERIFY_CODE;
          if (isCode && !(await useCode(database.db, userId, context.body.code, clock.now()))) {
            throw new APIError('UNAUTHORIZED', { message: 'Invalid code', code: identityRefusals.wrongCode });
          }
          return { data: { secondFactor: gaveSecondFactor(context) } };
        },
        async after({ userId }, context) {
          if (context?.path.startsWith(GOOGLE_CALLBACK)) await onGoogleSignIn(userId);
        },
      },
      update: {
        async before({ expiresAt }, context) {
          const createdAt = context?.context.session?.session.createdAt;
          if (!expiresAt || !createdAt) return;
          const lastMs = new Date(createdAt).getTime() + MAX_SESSION_SECONDS * 1000;
          return { data: { expiresAt: new Date(Math.min(expiresAt.getTime(), lastMs)) } };
        },
      },
      delete: { after: onSessionsEnded },
    },
    user: {
      update: {
        // Earlier sessions must not outlive a change of the second factor.
        async after({ id }, context) {
          if (context?.path !== VERIFY_CODE && context?.path !== SWITCH_OFF) return;
          await context.context.internalAdapter.deleteUserSessions(id);
        },
      },
    },
  };
}

type HookContext = Parameters<
  NonNullable<NonNullable<NonNullable<SessionRules['session']>['create']>['before']>
>[1];

/** A password change inherits the old session's second factor. */
function gaveSecondFactor(context: HookContext): boolean {
  if (context?.path === VERIFY_CODE || context?.path === VERIFY_BACKUP_CODE) return true;
  return context?.path === '/change-password' && context.context.session?.session.secondFactor === true;
}
