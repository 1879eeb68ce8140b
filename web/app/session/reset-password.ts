import { askIdentityService } from './ask-identity-service.ts';

// The paths are the contract's (`identity-service.ts`).

/**
 * Asks for a new password for an account, whoever's it is.
 * @returns what happens next, in the service's words: the same for every address
 * @throws IdentityError, OfflineError
 */
export async function requestPasswordReset(email: string): Promise<string> {
  const path = '/identity/request-password-reset';
  return (await askIdentityService<{ message: string }>('POST', path, { email })).message;
}

/**
 * Sets a new password with the token of a link; every session of the account ends.
 * @throws IdentityError `deadResetLink`, `commonPassword` or `shortPassword` of `identityRefusals`; OfflineError
 */
export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await askIdentityService('POST', '/identity/reset-password', { token, newPassword });
}
