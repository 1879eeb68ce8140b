import type { SignIns } from '#src/users/delete-user.ts';
import type { IdentityServices } from './identity-services.ts';
import { revokeIdentity } from './revoke-identity.ts';

/** Ends what a user signs in with, at the shop and at the identity service. */
export const createSignIns = ({
  tokens,
  identity,
}: Pick<IdentityServices, 'tokens' | 'identity'>): SignIns => ({
  async endAll(tx, user, now) {
    await tokens.endAll(tx, user.id);
    if (user.identityIssuer === null || user.identitySubject === null) return;
    await revokeIdentity(tx, { issuer: user.identityIssuer, subject: user.identitySubject }, now);
    await identity.deleteIdentity(user.identitySubject, tx);
  },
});
