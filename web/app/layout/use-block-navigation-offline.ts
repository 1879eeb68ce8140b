import { useEffect, useRef } from 'react';
import { useBlocker, useLocation, useMatches } from 'react-router';
import { toast } from '#app/ui/toast.tsx';

/**
 * The browser's offline error page would replace this one and its typed text. Visited pages without a server
 * loader still open.
 */
export function useBlockNavigationOffline(): void {
  const { pathname } = useLocation();
  const needsNoServer = useMatches()
    .slice(1)
    .every(({ loaderData }) => (loaderData ?? null) === null);
  const openable = useRef(new Set<string>());
  useEffect(() => {
    if (needsNoServer) openable.current.add(pathname);
  }, [pathname, needsNoServer]);
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    // The shop's own redirect, such as the one to /login.
    if (navigator.onLine || historyAction === 'REPLACE') return false;
    const isSamePage =
      nextLocation.pathname === currentLocation.pathname && nextLocation.search === currentLocation.search;
    return !isSamePage && !openable.current.has(nextLocation.pathname);
  });
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    toast('info', "You're offline. Try again when you're connected.");
    blocker.reset();
  }, [blocker]);
}
