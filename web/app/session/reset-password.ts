import { askIdentityService } from './ask-identity-service.ts';

// The path is the contract's (`identity-service.ts`).

/**
 * Sets a new password with a link's token; every session of the account ends.
 * @throws IdentityError `deadResetLink`, `commonPassword` or `shortPassword` of `identityRefusals`;
 *   OfflineError
 */
export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await askIdentityService('POST', '/identity/reset-password', { token, newPassword });
}
