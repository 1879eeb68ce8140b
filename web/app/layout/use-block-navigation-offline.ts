import { useEffect, useRef } from 'react';
import { useBlocker, useLocation, useMatches } from 'react-router';
import { toast } from '#app/ui/toast.tsx';

/**
 * Without a connection a page that is not loaded yet cannot be opened, and trying would put the browser's own error
 * page in the place of this one and of what was typed on it. Pages that were shown before and whose loaders bring
 * nothing from the server can still be opened.
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
    // A redirect is the shop's own doing, such as the one to /login.
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
