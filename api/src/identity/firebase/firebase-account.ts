import * as z from 'zod/mini';
import { Problem } from '#src/platform/core/problem.ts';
import { askGoogle, GoogleUnavailable } from './ask-google.ts';
import { fromSite } from './firebase-endpoints.ts';
import type { FirebaseClaims } from './firebase-token.ts';

const account = z.object({
  localId: z.string(),
  email: z.optional(z.string()),
  emailVerified: z.optional(z.boolean()),
  disabled: z.optional(z.boolean()),
  /** Sign-ins before this moment are void, in seconds since 1970: a new password sets it. */
  validSince: z.optional(z.string()),
  providerUserInfo: z._default(z.array(z.object({ providerId: z.string() })), []),
});
const lookUpAnswer = z.object({ users: z.tuple([account]) });

/** What Firebase answers about a token that is not worth anything any more. */
const tokenRefusals = new Set([
  'USER_NOT_FOUND',
  'USER_DISABLED',
  'TOKEN_EXPIRED',
  'INVALID_ID_TOKEN',
  'CREDENTIAL_TOO_OLD_LOGIN_AGAIN',
]);

/**
 * Asks Firebase whether an account still is what its token says. A token alone does not tell: it lives for an hour, and
 * whoever registered somebody's address first can renew theirs even after the owner came by Google and the password
 * was taken away, with the address proven in it.
 * @returns whether the address is proven, by the token and by the account
 * @throws Problem `identity-revoked` for an account that was deleted or disabled, whose password changed since, that
 *   lost what the person signed in with, or has another address now; `unavailable` when Firebase cannot be asked
 */
export async function requireLivingAccount(
  { accountsUrl, apiKey, origin }: { accountsUrl: string; apiKey: string; origin: string | null },
  idToken: string,
  claims: FirebaseClaims,
): Promise<{ emailVerified: boolean }> {
  const address = `${accountsUrl}/accounts:lookup?key=${encodeURIComponent(apiKey)}`;
  const { status, body, refusal, reason } = await askGoogle(address, { idToken }, fromSite(origin));
  if (status !== 200) {
    if (tokenRefusals.has(refusal)) throw new Problem('identity-revoked');
    // Such as a key that this project does not know: the shop's fault, not the person's.
    throw new GoogleUnavailable(new Error(`Firebase refused to look an account up: ${reason}`));
  }
  const parsed = lookUpAnswer.safeParse(body);
  // Firebase names the account or says why not: a proxy in between may answer anything, which ends nobody's sign-in.
  if (!parsed.success) throw new GoogleUnavailable(parsed.error);
  const [user] = parsed.data.users;
  const isCurrent =
    user.localId === claims.subject &&
    user.email?.toLowerCase() === claims.email &&
    user.disabled !== true &&
    Number(user.validSince ?? 0) <= claims.authTime &&
    user.providerUserInfo.some(({ providerId }) => providerId === claims.signInProvider);
  if (!isCurrent) throw new Problem('identity-revoked');
  return { emailVerified: claims.emailVerified && user.emailVerified === true };
}
