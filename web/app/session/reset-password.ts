import { askIdentityService } from './ask-identity-service.ts';

/** Ends every session of the account. @throws IdentityError, OfflineError */
export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await askIdentityService('POST', '/identity/reset-password', { token, newPassword });
}
