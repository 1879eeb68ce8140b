import { getProblemCode } from '#app/errors/describe-error.ts';
import { session as pageSession } from '#app/session/session.ts';
import type { SessionStore } from '#app/session/session-store.ts';

/**
 * A hosted identity service does not notify the shop of a confirmed address, so a refused call is retried.
 * @throws like `callShop`; IdentityError
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
