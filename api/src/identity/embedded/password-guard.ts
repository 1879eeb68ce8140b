import { AsyncLocalStorage } from 'node:async_hooks';
import { identityRefusals } from '@parts-forge/contract/people/identity-service';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { tooMany } from './identity-refusals.ts';
import { createKnownBrowsers } from './known-browsers.ts';
import {
  createLoginThrottle,
  type LoginAttempt,
  type LoginOutcome,
  LoginThrottled,
} from './login-throttle.ts';

export type PasswordGuard = ReturnType<typeof guardPasswords>;

interface PasswordGuardSettings {
  database: Database;
  clock: Clock;
  secret: string;
  baseUrl: string;
  addressHeader: string;
  onSignedIn: (subject: string) => Promise<void>;
}

interface Watched {
  request: Request;
  attempt?: LoginAttempt;
}

export function guardPasswords({
  database,
  clock,
  secret,
  baseUrl,
  addressHeader,
  onSignedIn,
}: PasswordGuardSettings) {
  const throttle = createLoginThrottle(database, clock);
  const browsers = createKnownBrowsers(secret, baseUrl.startsWith('https://'));
  const watched = new AsyncLocalStorage<Watched>();

  return {
    async watch(request: Request, handle: () => Promise<Response>): Promise<Response> {
      const current: Watched = { request };
      let outcome: LoginOutcome = 'neither';
      try {
        const response = await watched.run(current, handle);
        outcome = await readOutcome(response);
        const user = await readSignedIn(request, response);
        if (user !== null) {
          response.headers.append('set-cookie', browsers.remember(request.headers.get('cookie'), user.email));
          await onSignedIn(user.id);
        }
        return response;
      } finally {
        await current.attempt?.end(outcome);
      }
    },
    /**
     * Call before the password is checked.
     * @throws APIError 429 during the account's wait
     */
    async begin(email: string): Promise<void> {
      const current = watched.getStore();
      if (!current) return;
      const { headers } = current.request;
      const guesser = {
        email,
        address: headers.get(addressHeader) ?? '',
        browser: browsers.find(headers.get('cookie'), email),
      };
      current.attempt = await throttle.begin(guesser).catch((error: unknown) => {
        throw error instanceof LoginThrottled ? tooMany(error.retryAfterSeconds) : error;
      });
    },
    forget: (email: string) => throttle.forget(email),
  };
}

const wrongPasswords: readonly unknown[] = ['INVALID_EMAIL_OR_PASSWORD', identityRefusals.wrongPassword];

async function readOutcome(response: Response): Promise<LoginOutcome> {
  if (response.ok) return 'right';
  return wrongPasswords.includes((await readBody(response)).code) ? 'wrong' : 'neither';
}

const signInPaths = /\/identity\/(sign-(in|up)\/email|two-factor\/verify-(totp|backup-code))$/;

interface SignedInUser {
  id: string;
  email: string;
}

/** Null before the second factor. */
async function readSignedIn({ url }: Request, response: Response): Promise<SignedInUser | null> {
  if (!response.ok || !signInPaths.test(new URL(url).pathname)) return null;
  const { user } = await readBody(response);
  return user ?? null;
}

async function readBody(response: Response): Promise<{ code?: unknown; user?: SignedInUser }> {
  return (
    (await response
      .clone()
      .json()
      .catch(() => null)) ?? {}
  );
}
