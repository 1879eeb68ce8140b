import { IdentityError } from '#app/http/errors.ts';

/** Firebase's codes that say the same as another one, or say it at length. */
const aliases: Readonly<Record<string, string>> = {
  // Projects without protection of their addresses tell the two apart.
  'wrong-password': 'invalid-credential',
  'user-not-found': 'invalid-credential',
  'invalid-login-credentials': 'invalid-credential',
  'api-key-not-valid.-please-pass-a-valid-api-key.': 'invalid-api-key',
};

/** With these the session at Firebase is over, and nothing else is wrong. */
const endedSession = new Set([
  'auth/user-token-expired',
  'auth/invalid-user-token',
  'auth/user-disabled',
  'auth/user-not-found',
  'auth/no-current-user',
]);

/** What went wrong at Firebase, with its code in our spelling and its own words for the red banner (specification §8). */
export function toIdentityError(error: unknown): IdentityError {
  const code = readCode(error).replace(/^auth\//, '');
  const message = error instanceof Error ? error.message : String(error);
  return new IdentityError(message, { code: aliases[code] ?? (code || 'internal-error') });
}

/** Whether an error says that nobody is signed in any more. */
export const isEndedSession = (error: unknown): boolean => endedSession.has(readCode(error));

function readCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
