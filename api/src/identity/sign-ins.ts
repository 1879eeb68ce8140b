import type { SignIns } from '#src/users/delete-user.ts';
import type { IdentityServices } from './identity-services.ts';
import { revokeIdentity } from './revoke-identity.ts';

/** Ends what a user signs in with, at the shop and at the identity service. */
export const createSignIns = ({
  tokens,
  identity,
}: Pick<IdentityServices, 'tokens' | 'identity'>): SignIns => ({
  async endAll(tx, user, now) {
    const { id: userId, identityIssuer: issuer, identitySubject: subject } = user;
    if (issuer !== null && subject !== null) {
      await revokeIdentity(tx, { issuer, subject }, now);
      // Sessions before tokens, the order in which the end of a session takes both: else each waits for the other.
      await identity.deleteIdentity({ issuer, subject, userId }, tx);
    }
    await tokens.endAll(tx, userId);
  },
});
