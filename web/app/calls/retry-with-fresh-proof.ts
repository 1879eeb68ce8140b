import { getProblemCode } from '#app/errors/describe-error.ts';
import { session as pageSession } from '#app/session/session.ts';
import type { SessionStore } from '#app/session/session-store.ts';

/**
 * Repeats a call refused for an unconfirmed address, with a fresh proof: a hosted identity service does not
 * notify the shop of a confirmation.
 * @param call repeatable after a refusal
 * @throws like `callShop`; IdentityError when the service gives no proof
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
