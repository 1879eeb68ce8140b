import { wasMailedSince } from '#src/mail-outbox/store.ts';
import { writeMail } from '#src/mail-outbox/write-mail.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { findUserByEmail, markEmailVerified, type UserRow } from '#src/users/store.ts';
import type { IdentityServices } from './identity-services.ts';

/** One mail in this time; whoever presses twice gets one. */
const PAUSE_MS = 60_000;

type Needs = Pick<IdentityServices, 'changes' | 'clock' | 'ids' | 'identity'>;

/**
 * Mails a link with which the user proves their address.
 * @returns whether it is proven already; nothing is mailed then
 * @throws Problem `not-found` where a service outside the shop proves addresses
 */
export function sendVerificationMail(
  { changes, clock, ids, identity }: Needs,
  email: string,
): Promise<{ verified: boolean }> {
  return changes.write(async (tx, changed) => {
    const user = await lockUser(tx, email);
    if (!identity.createVerificationLink) throw new Problem('not-found');
    if (user.emailVerified) return { verified: true };
    const now = clock.now();
    if (await wasMailedSince(tx, user.id, 'address-verification', new Date(now.getTime() - PAUSE_MS))) {
      return { verified: false };
    }
    await writeMail(tx, { ids }, { kind: 'address-verification', userId: user.id, now });
    changed('mail');
    return { verified: false };
  });
}

/**
 * Proves the address of the user with the secret of the link, at the identity service and in the shop. Proofs of identity
 * from before it no longer count (`exchange-identity.ts`); whoever is signed in stays so, as they know the password.
 * @returns whether it was proven before
 * @throws Problem `not-found` where a service outside the shop proves addresses, `dead-link`
 */
export function confirmEmail(
  { changes, clock, identity }: Needs,
  email: string,
  token: string,
): Promise<{ verified: true; already: boolean }> {
  return changes.write(async (tx, changed) => {
    const user = await lockUser(tx, email);
    if (!identity.proveAddress) throw new Problem('not-found');
    if (user.emailVerified) return { verified: true, already: true };
    const { identitySubject } = user;
    if (identitySubject === null || !(await identity.proveAddress(identitySubject, token, tx))) {
      throw new Problem('dead-link');
    }
    await markEmailVerified(tx, user.id, clock.now());
    changed('users');
    return { verified: true, already: false };
  });
}

async function lockUser(tx: Executor, email: string): Promise<UserRow> {
  const user = await findUserByEmail(tx, email, { lock: true });
  if (!user) throw new Problem('not-found');
  return user;
}
