import { messages } from '@parts-forge/contract/messages';
import { type Policy, type Role, refuseByRole } from '@parts-forge/contract/policies';
import { type MiddlewareFunction, redirect } from 'react-router';
import { queryClient } from '#app/calls/query-client.ts';
import { SignedOutError } from '#app/http/errors.ts';
import { buildLoginPath } from '#app/session/return-path.ts';
import { session } from '#app/session/session.ts';
import { toast } from '#app/ui/toast.tsx';
import { userQueryOptions } from '#app/users/queries.ts';

type Guard = MiddlewareFunction<Record<string, unknown>>;

/**
 * Lets signed-in people through; others go to /login with the place they came from (specification §2). The
 * page's own reads start while the session is being asked for.
 */
export const requireSignIn = (async ({ request }, next) => {
  const { pathname, search } = new URL(request.url);
  const login = () => redirect(buildLoginPath(pathname + search));
  if (!session.hasAccessToken()) {
    // It may have been removed behind our back; then the session must learn it.
    await session.resolve();
    session.expire('leave');
    throw login();
  }
  const state = session.resolve();
  // A failure is looked at below; here it must not count as unhandled.
  state.catch(() => undefined);
  const results = await next();
  if ((await state).status !== 'signed-in') throw login();
  return results;
}) satisfies Guard;

/**
 * Lets those through who may make the call that a page is there for, once the role is known. Who is no administrator is
 * led to / with the specification's message, an administrator on a customer's page to my-profile (contract, "Accounts").
 */
export const requirePermission = (findPolicy: (pattern: string) => Policy | undefined) =>
  (async ({ pattern }) => {
    const policy = findPolicy(pattern);
    if (!policy) return;
    const role = await readRole();
    // Nobody is signed in: `requireSignIn` leads to /login.
    if (role === null) return;
    const refusal = refuseByRole(policy, role);
    if (refusal === 'customers-only') throw redirect('/dashboard/my-profile');
    if (refusal !== null) {
      toast('error', messages.needAdmin);
      throw redirect('/');
    }
  }) satisfies Guard;

/** The role once it is known; null when nobody is signed in, which `requireSignIn` then deals with. */
async function readRole(): Promise<Role | null> {
  const state = await session.resolve();
  if (state.status !== 'signed-in') return null;
  try {
    return (await queryClient.ensureQueryData(userQueryOptions(state.user.email))).role;
  } catch (error) {
    if (error instanceof SignedOutError) return null;
    throw error;
  }
}
