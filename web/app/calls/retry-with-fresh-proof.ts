import { getProblemCode } from '#app/errors/describe-error.ts';
import { session as pageSession } from '#app/session/session.ts';
import type { SessionStore } from '#app/session/session-store.ts';

/**
 * Makes a call that needs a confirmed address. Refused for one that is not, it is made once more with a fresh proof: an
 * identity service outside the shop does not tell the shop that somebody has confirmed theirs.
 * @param call harmless to repeat once it was refused
 * @throws as `callShop`; IdentityError when the service gives no proof
 */
export async function retryWithFreshProof<Answer>(
  call: () => Promise<Answer>,
  session: SessionStore = pageSession,
): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (getProblemCode(error) !== 'email-not-verified' || !(await session.renewWithFreshProof())) throw error;
    return call();
  }
}
