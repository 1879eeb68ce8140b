import { messages } from '@parts-forge/contract/calls/messages';
import { type Policy, type Role, refuseByRole } from '@parts-forge/contract/calls/policies';
import { type MiddlewareFunction, redirect } from 'react-router';
import { queryClient } from '#app/calls/query-client.ts';
import { SignedOutError } from '#app/http/errors.ts';
import { buildLoginPath } from '#app/session/return-path.ts';
import { session } from '#app/session/session.ts';
import { toast } from '#app/ui/toast.tsx';
import { userQueryOptions } from '#app/users/queries.ts';

type Guard = MiddlewareFunction<Record<string, unknown>>;

/**
 * Redirects visitors to /login with their current path (specification §2). The page's reads run in parallel
 * with the session's.
 */
export const requireSignIn = (async ({ request }, next) => {
  const { pathname, search } = new URL(request.url);
  const login = () => redirect(buildLoginPath(pathname + search));
  if (!session.hasAccessToken()) {
    // The token may have been removed outside this page; the session must notice.
    await session.resolve();
    session.expire('leave');
    throw login();
  }
  const state = session.resolve();
  // The error is handled below; it must not count as unhandled here.
  state.catch(() => undefined);
  const results = await next();
  if ((await state).status !== 'signed-in') throw login();
  return results;
}) satisfies Guard;

/**
 * Redirects customers on administrator pages to / with the specification's message, and administrators on
 * customer pages to my-profile (contract, "Accounts").
 */
export const requirePermission = (findPolicy: (pattern: string) => Policy | undefined) =>
  (async ({ pattern }) => {
    const policy = findPolicy(pattern);
    if (!policy) return;
    const role = await readRole();
    if (role === null) return;
    const refusal = refuseByRole(policy, role);
    if (refusal === 'customers-only') throw redirect('/dashboard/my-profile');
    if (refusal !== null) {
      toast('error', messages.needAdmin);
      throw redirect('/');
    }
  }) satisfies Guard;

/** Null for visitors, whom `requireSignIn` redirects. */
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
