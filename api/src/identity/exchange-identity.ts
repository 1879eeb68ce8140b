import { cleaned } from '@parts-forge/contract/text';
import type { Executor } from '#src/platform/database/connection.ts';
import { Problem } from '#src/platform/http/problem.ts';
import type { Services } from '#src/services.ts';
import {
  bindIdentity,
  findUserByEmail,
  findUserByIdentity,
  insertUser,
  lockAddress,
  type UserRow,
} from '#src/users/store.ts';
import type { VerifiedIdentity } from './provider.ts';
import { isRevoked } from './revoke-identity.ts';

type Needed = Pick<Services, 'changes' | 'clock' | 'ids' | 'tokens'>;

/**
 * Gives the shop's access token for a proven identity, and makes the user on first sight with role `user`. A
 * role is never changed here.
 *
 * May run at the same time for one person: an address is worked on by one transaction at a time, so two first
 * sign-ins make one user.
 * @param givenName what the page says the person is called; the identity's own name comes first
 * @throws Problem `identity-revoked` when the sign-in is older than a removal or than the proof of the address,
 *   `email-in-use` when the address belongs to an account that this identity may not take over
 */
export function exchangeIdentity(
  services: Needed,
  identity: VerifiedIdentity,
  givenName: string | null,
): Promise<{ token: string; expiresIn: number }> {
  return services.changes.write(async (tx, changed) => {
    await lockAddress(tx, identity.email);
    const bound = await findUserByIdentity(tx, identity);
    // After the look-up: a removal that committed in between is seen here, and does not become a new account.
    if (await isRevoked(tx, identity)) throw new Problem('identity-revoked');

    const name = nameOf(identity, givenName);
    const taken = bound ? provenBefore(bound, identity) : await claimable(tx, identity);
    if (!taken) return services.tokens.issue(tx, await newUser(services, tx, identity, name));
    if (taken.mustBind) {
      // Whoever used the account without proof of the address loses it.
      await services.tokens.endAll(tx, taken.user.id);
      await bindIdentity(tx, taken.user.id, identity, name, services.clock.now());
      changed('users');
    }
    return services.tokens.issue(tx, taken.user.id);
  });
}

/**
 * The account that is bound to the identity already.
 * @throws Problem `identity-revoked` for a token that was made before the address was proven
 */
function provenBefore(user: UserRow, identity: VerifiedIdentity): Taken {
  if (user.emailVerified && !identity.emailVerified) throw new Problem('identity-revoked');
  return { user, mustBind: identity.emailVerified && !user.emailVerified };
}

/**
 * The account of the same address that is not bound to this identity; null when there is none. Only proof of the
 * address opens it, and an administrator who is bound to another identity never changes hands by signing in.
 */
async function claimable(tx: Executor, identity: VerifiedIdentity): Promise<Taken | null> {
  const user = await findUserByEmail(tx, identity.email);
  if (!user) return null;
  const isBoundAdministrator = user.role === 'admin' && user.identitySubject !== null;
  if (!identity.emailVerified || isBoundAdministrator) throw new Problem('email-in-use');
  return { user, mustBind: true };
}

interface Taken {
  user: UserRow;
  mustBind: boolean;
}

async function newUser(
  { ids, clock }: Needed,
  tx: Executor,
  identity: VerifiedIdentity,
  name: string,
): Promise<string> {
  const id = ids.next();
  const { email, emailVerified } = identity;
  await insertUser(tx, { id, name, email, emailVerified, identity, role: 'user', now: clock.now() });
  return id;
}

/** The identity's name, then the page's, then the address's first part: an order needs some name. */
function nameOf(identity: VerifiedIdentity, givenName: string | null): string {
  const names = [identity.name, givenName, identity.email.split('@')[0]];
  const [name = 'user'] = names
    .map((value) => firstCharacters(cleaned(value ?? '', false), 120))
    .filter(Boolean);
  return name;
}

const firstCharacters = (text: string, count: number) => [...text].slice(0, count).join('').trim();
