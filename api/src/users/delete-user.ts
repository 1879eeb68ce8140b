import { revokeIdentity } from '#src/identity/revoke-identity.ts';
import { Problem } from '#src/platform/http/problem.ts';
import type { Services } from '#src/services.ts';
import { findUserByEmail, lockAddress, markUserDeleted } from './store.ts';

/**
 * Removes a user who is no administrator: signed out everywhere at once, password and sessions gone, while the
 * orders and reviews stay and are inherited by nobody who registers the address again.
 * @throws Problem `not-found`, `user-is-admin`
 */
export async function deleteUser(
  { changes, clock, identity, tokens }: Pick<Services, 'changes' | 'clock' | 'identity' | 'tokens'>,
  email: string,
): Promise<void> {
  await changes.write(async (tx, changed) => {
    await lockAddress(tx, email);
    const user = await findUserByEmail(tx, email, { lock: true });
    if (!user) throw new Problem('not-found');
    if (user.role === 'admin') throw new Problem('user-is-admin');

    const now = clock.now();
    await markUserDeleted(tx, user.id, now);
    await tokens.endAll(tx, user.id);
    if (user.identityIssuer !== null && user.identitySubject !== null) {
      await revokeIdentity(tx, { issuer: user.identityIssuer, subject: user.identitySubject }, now);
      await identity.deleteIdentity(user.identitySubject, tx);
    }
    changed('users');
  });
}
