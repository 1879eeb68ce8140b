import type { SignIns } from '#src/users/delete-user.ts';
import type { IdentityServices } from './identity-services.ts';
import { revokeIdentity } from './revoke-identity.ts';

/** Ends a user's sign-ins at the shop and at the identity service. */
export const createSignIns = ({
  tokens,
  identity,
}: Pick<IdentityServices, 'tokens' | 'identity'>): SignIns => ({
  async endAll(tx, user, now) {
    const { id: userId, identityIssuer: issuer, identitySubject: subject } = user;
    if (issuer !== null && subject !== null) {
      await revokeIdentity(tx, { issuer, subject }, now);
      // Sessions before tokens, the lock order of a session's end; the other order would deadlock.
      await identity.deleteIdentity({ issuer, subject, userId }, tx);
    }
    await tokens.endAll(tx, userId);
  },
});
