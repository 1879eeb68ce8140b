import { MAX_NAME } from '@parts-forge/contract/calls/bounds';
import { cleanText } from '@parts-forge/contract/text/text';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import {
  boundTo,
  findUserByEmail,
  insertUser,
  lockAddress,
  lockUserByIdentity,
  type UserRow,
  updateUser,
} from '#src/users/store.ts';
import type { SignIn } from './access-token.ts';
import { isDeletionRequested } from './hosted-deletions.ts';
import type { IdentityServices } from './identity-services.ts';
import type { VerifiedIdentity } from './provider.ts';
import { isRevoked } from './revoke-identity.ts';
import { writeVerificationMail } from './verification-mails.ts';

type Services = Pick<IdentityServices, 'changes' | 'clock' | 'ids' | 'tokens' | 'identity'>;

/**
 * Creates the user once, also concurrently; never changes a role.
 * @param givenName from the page; the identity's own name wins
 * @throws Problem `identity-revoked` when the session has ended, the sign-in is older than a removal or the
 * proof of the address, or the account awaits deletion; `email-in-use` when this identity may not take over
 * the address's account
 */
export function exchangeIdentity(
  services: Services,
  identity: VerifiedIdentity,
  givenName: string | null,
): Promise<{ token: string; expiresIn: number }> {
  return services.changes.write(async (tx, changed) => {
    await lockAddress(tx, identity.email);
    const bound = await lockUserByIdentity(tx, identity);
    // After the look-up, or a concurrent removal would become a new account.
    if ((await isRevoked(tx, identity)) || (await isDeletionRequested(tx, identity))) {
      throw new Problem('identity-revoked');
    }

    const name = chooseName(identity, givenName);
    const existing = bound ? requireNotOutdated(bound, identity) : await findClaimable(tx, identity);
    const signIn = await findSignIn(services, tx, identity);
    if (!existing) {
      const userId = await createUser(services, tx, identity, name);
      if (!identity.emailVerified && services.identity.createVerificationLink) {
        const now = services.clock.now();
        const { mailed } = await writeVerificationMail(tx, services, { userId, email: identity.email, now });
        if (mailed) changed('mail');
      }
      return services.tokens.issue(tx, userId, signIn);
    }
    if (existing.mustBind) {
      // Locks out users who never proved the address.
      await services.tokens.endAll(tx, existing.user.id);
      const now = services.clock.now();
      await writeEntry(tx, {
        id: services.ids.next(),
        now,
        userId: existing.user.id,
        ...describeBinding(existing, identity),
      });
      await updateUser(tx, existing.user.id, { ...boundTo(identity), emailVerified: true, name }, now);
      changed('users');
    }
    return services.tokens.issue(tx, existing.user.id, signIn);
  });
}

/**
 * Locks the session until commit, so that its end ends the token too.
 * @throws Problem `identity-revoked`
 */
async function findSignIn(
  { identity }: Services,
  tx: Executor,
  { sessionId, authTime }: VerifiedIdentity,
): Promise<SignIn> {
  const signedInAt = new Date(authTime * 1000);
  if (!identity.findSession) return { sessionId: null, signedInAt, secondFactor: false, sessionEndsAt: null };
  const session = sessionId === null ? null : await identity.findSession(sessionId, tx);
  if (!session) throw new Problem('identity-revoked');
  return { sessionId, signedInAt, secondFactor: session.secondFactor, sessionEndsAt: session.expiresAt };
}

/** @throws Problem `identity-revoked` for a token issued before the address was proven */
function requireNotOutdated(user: UserRow, identity: VerifiedIdentity): ExistingAccount {
  if (user.emailVerified && !identity.emailVerified) throw new Problem('identity-revoked');
  return { user, mustBind: identity.emailVerified && !user.emailVerified };
}

/**
 * Only a proven address opens an account of another identity. A bound administrator's never changes hands
 * by signing in.
 */
async function findClaimable(tx: Executor, identity: VerifiedIdentity): Promise<ExistingAccount | null> {
  // Before its tokens, as in each act.
  const user = await findUserByEmail(tx, identity.email, { lock: true });
  if (!user) return null;
  const isBoundAdministrator = user.role === 'admin' && user.identitySubject !== null;
  if (!identity.emailVerified || isBoundAdministrator) throw new Problem('email-in-use');
  return { user, mustBind: true };
}

interface ExistingAccount {
  user: UserRow;
  mustBind: boolean;
}

/** An administrator named by address alone had no earlier owner: no takeover. */
function describeBinding(
  { user: { identityIssuer, identitySubject } }: ExistingAccount,
  { issuer, subject }: VerifiedIdentity,
): { event: 'account-taken-over' | 'address-proven'; after?: Record<string, string> } {
  const isSame = identityIssuer === issuer && identitySubject === subject;
  return identitySubject === null || isSame
    ? { event: 'address-proven' }
    : { event: 'account-taken-over', after: { signIn: 'bound' } };
}

async function createUser(
  { ids, clock }: Services,
  tx: Executor,
  identity: VerifiedIdentity,
  name: string,
): Promise<string> {
  const id = ids.next();
  const { email, emailVerified } = identity;
  await insertUser(tx, { id, name, email, emailVerified, identity, role: 'user', now: clock.now() });
  return id;
}

/** An order needs some name. */
function chooseName(identity: VerifiedIdentity, givenName: string | null): string {
  const names = [identity.name, givenName, identity.email.split('@')[0]];
  const [name = 'user'] = names
    .map((value) => firstCharacters(cleanText(value ?? '', false), MAX_NAME))
    .filter(Boolean);
  return name;
}

const firstCharacters = (text: string, count: number) => [...text].slice(0, count).join('').trim();
