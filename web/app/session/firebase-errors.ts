import { IdentityError } from '#app/http/errors.ts';

const aliases: Readonly<Record<string, string>> = {
  // Only projects without email enumeration protection distinguish the two.
  'wrong-password': 'invalid-credential',
  'user-not-found': 'invalid-credential',
  'invalid-login-credentials': 'invalid-credential',
  'api-key-not-valid.-please-pass-a-valid-api-key.': 'invalid-api-key',
};

const endedSession = new Set([
  'auth/user-token-expired',
  'auth/invalid-user-token',
  'auth/user-disabled',
  'auth/user-not-found',
  'auth/no-current-user',
]);

/** Keeps Firebase's message (specification §8). */
export function toIdentityError(error: unknown): IdentityError {
  const code = readCode(error).replace(/^auth\//, '');
  const message = error instanceof Error ? error.message : String(error);
  return new IdentityError(message, { code: aliases[code] ?? (code || 'internal-error') });
}

export const isEndedSession = (error: unknown): boolean => endedSession.has(readCode(error));

function readCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
