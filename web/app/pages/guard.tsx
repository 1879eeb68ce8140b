import { messages } from '@parts-forge/contract/calls/messages';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Outlet, PrefetchPageLinks, useLocation, useNavigate } from 'react-router';
import { onAdminNeeded, queryClient } from '#app/calls/query-client.ts';
import { requireSignIn } from '#app/identity/guards.ts';
import { SessionLoading } from '#app/identity/session-loading.tsx';
import { SignedInUser } from '#app/identity/signed-in-user.ts';
import type { IdentityUser } from '#app/session/identity-client.ts';
import { buildLoginPath } from '#app/session/return-path.ts';
import { useSession } from '#app/session/session.ts';
import { toast } from '#app/ui/toast.tsx';
import '#app/signed-in.css';

export const clientMiddleware = [requireSignIn];

/** Makes the middleware run on the first load, too. */
export function clientLoader() {
  return null;
}
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  return <SessionLoading />;
}

/** Leaves for /login when the session ends (specification §2). */
export default function Guard() {
  const { user, leaves } = useVisitor();
  useLeaveWithoutRole();
  // Empty: a note about signing in would be wrong.
  if (leaves) return <div className="min-h-[calc(100svh-4rem)]" />;
  if (!user) return <SessionLoading />;
  return (
    <SignedInUser value={user}>
      {/* A session may end together with the connection. */}
      <PrefetchPageLinks page="/login" />
      <QueryClientProvider client={queryClient}>
        {/* The full window height: loading content must not move the footer. */}
        <div className="min-h-[calc(100svh-4rem)]">
          <Outlet />
        </div>
      </QueryClientProvider>
    </SignedInUser>
  );
}

/**
 * The signed-in user, or the former one while a page stays after its session. `leaves`: on the way to /login.
 */
function useVisitor(): { user: IdentityUser | null; leaves: boolean } {
  const state = useSession();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const now = state.status === 'signed-in' ? state.user : null;
  const [last, setLast] = useState(now);
  if (now && now !== last) setLast(now);
  const leaves = state.status === 'signed-out' && !state.keepsPage;
  // A return path after logging out could be for another person.
  const login =
    state.status === 'signed-out' && state.hasExpired ? buildLoginPath(pathname + search) : '/login';
  useEffect(() => {
    if (leaves) void navigate(login, { replace: true });
  }, [leaves, navigate, login]);
  return { user: now ?? last, leaves };
}

/** A lost or missing role shows at the first call that needs it. */
function useLeaveWithoutRole(): void {
  const navigate = useNavigate();
  useEffect(
    () =>
      onAdminNeeded(() => {
        toast('error', messages.needAdmin);
        void navigate('/');
      }),
    [navigate],
  );
}
