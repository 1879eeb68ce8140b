import type { SignIns } from '#src/users/delete-user.ts';
import type { IdentityServices } from './identity-services.ts';
import { endKeys } from './keys.ts';
import { revokeIdentity } from './revoke-identity.ts';

export const createSignIns = ({
  tokens,
  identity,
}: Pick<IdentityServices, 'tokens' | 'identity'>): SignIns => ({
  async endAll(tx, user, now) {
    const { id: userId, identityIssuer: issuer, identitySubject: subject } = user;
    if (issuer !== null && subject !== null) {
      await revokeIdentity(tx, { issuer, subject }, now);
      // The lock order of a session's end: tokens first would deadlock.
      await identity.deleteIdentity({ issuer, subject, userId }, tx);
    }
    await tokens.endAll(tx, userId);
  },
  endKeys,
});
