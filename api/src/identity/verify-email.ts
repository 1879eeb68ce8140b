import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Actor } from '#src/platform/http/calls/access.ts';
import { findUserByEmail, lockAddress, type UserRow, updateUser } from '#src/users/store.ts';
import type { IdentityServices } from './identity-services.ts';
import { writeVerificationMail } from './verification-mails.ts';

type Services = Pick<IdentityServices, 'changes' | 'clock' | 'ids' | 'identity'>;

/** `verified`: nothing was mailed. @throws Problem `not-found` for a hosted service */
export function sendVerificationMail(
  { changes, clock, ids, identity }: Services,
  actor: Actor,
): Promise<{ verified: boolean; mailed: boolean; nextInSeconds: number }> {
  return changes.write(async (tx, changed) => {
    const { email } = actor;
    await lockAddress(tx, email);
    const user = await lockUser(tx, actor);
    if (!identity.createVerificationLink) throw new Problem('not-found');
    if (user.emailVerified) return { verified: true, mailed: false, nextInSeconds: 0 };
    const now = clock.now();
    const { mailed, nextAt } = await writeVerificationMail(tx, { ids }, { userId: user.id, email, now });
    if (mailed) changed('mail');
    const nextInSeconds = Math.max(0, Math.ceil((nextAt.getTime() - now.getTime()) / 1000));
    return { verified: false, mailed, nextInSeconds };
  });
}

/**
 * Older proofs of identity become void (`exchange-identity.ts`); sessions stay, as their users know the
 * password.
 * @throws Problem `not-found` for a hosted service, `dead-link`
 */
export function confirmEmail(
  { changes, clock, identity }: Services,
  actor: Actor,
  token: string,
): Promise<{ verified: true; already: boolean }> {
  return changes.write(async (tx, changed) => {
    const user = await lockUser(tx, actor);
    if (!identity.proveAddress) throw new Problem('not-found');
    if (user.emailVerified) return { verified: true, already: true };
    const { identitySubject } = user;
    if (identitySubject === null || !(await identity.proveAddress(identitySubject, token, tx))) {
      throw new Problem('dead-link');
    }
    await updateUser(tx, user.id, { emailVerified: true }, clock.now());
    changed('users');
    return { verified: true, already: false };
  });
}

async function lockUser(tx: Executor, actor: Actor): Promise<UserRow> {
  const user = await findUserByEmail(tx, actor.email, { lock: true });
  await actor.confirm(tx);
  if (!user) throw new Problem('not-found');
  return user;
}
