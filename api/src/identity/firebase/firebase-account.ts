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
  /** Earlier sign-ins (Unix seconds) are void; a new password sets it. */
  validSince: z.optional(z.string()),
  providerUserInfo: z._default(z.array(z.object({ providerId: z.string() })), []),
});
const lookUpAnswer = z.object({ users: z.tuple([account]) });

const tokenRefusals = new Set([
  'USER_NOT_FOUND',
  'USER_DISABLED',
  'TOKEN_EXPIRED',
  'INVALID_ID_TOKEN',
  'CREDENTIAL_TOO_OLD_LOGIN_AGAIN',
]);

/**
 * An early registrant can renew their token even after the owner came by Google and the password was
 * removed.
 * @returns whether token and account both have the address proven
 * @throws Problem `identity-revoked` for an account that was deleted or disabled, has a new password or
 * address, or lost the sign-in method; `unavailable`
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
    // For example an unknown key: the shop's fault, not the person's.
    throw new GoogleUnavailable(new Error(`Firebase refused to look an account up: ${reason}`));
  }
  const parsed = lookUpAnswer.safeParse(body);
  // Other responses come from a proxy and must end no sign-in.
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
