import { WifiOff } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { useBlocker, useLocation, useMatches } from 'react-router';
import { Icon } from '#app/ui/icon.tsx';
import { ToastRegion, toast } from '#app/ui/toast.tsx';
import { Footer } from './footer.tsx';
import { Navbar } from './navbar.tsx';

/** What stands around every page: skip link, bar, main, footer, messages. */
export function Shell({ children }: { children: ReactNode }) {
  const main = useFocusOnNavigation();
  useStayWhileOffline();
  return (
    <>
      <a href="#main" className="btn btn-neutral fixed left-4 top-[-5rem] z-50 focus:top-3">
        Skip to content
      </a>
      <Navbar />
      <main id="main" ref={main} tabIndex={-1} className="mt-16 flex-1 outline-none max-lg:noscript:mt-0">
        <OfflineBand />
        {children}
      </main>
      <Footer />
      <ToastRegion />
    </>
  );
}

/**
 * Moves the focus to the new page's heading after a navigation, as a full load would put a screen reader at
 * the top. A change of the search text is the same page and keeps the focus where one types.
 */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname || !main.current) return;
    shown.current = pathname;
    return keepFocusOnHeading(main.current);
  }, [pathname]);
  return main;
}

/**
 * Focuses the heading, and again when a loading page is replaced by the loaded one and the focus would be lost;
 * until the person does something. Returns how to stop.
 */
function keepFocusOnHeading(main: HTMLElement): () => void {
  const focusHeading = () => {
    const heading = main.querySelector<HTMLElement>('h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.classList.add('outline-none');
    (heading ?? main).focus({ preventScroll: true });
  };
  const replaced = new MutationObserver(() => {
    const focused = document.activeElement;
    if (focused === document.body || focused === main) focusHeading();
  });
  const stop = () => {
    replaced.disconnect();
    for (const sign of signs) removeEventListener(sign, stop);
  };
  const signs = ['keydown', 'pointerdown'] as const;
  for (const sign of signs) addEventListener(sign, stop);
  replaced.observe(main, { childList: true, subtree: true });
  focusHeading();
  return stop;
}

/**
 * Without a connection a page that is not here yet cannot be opened, and trying would put the browser's own error
 * page in the place of this one and of what was typed on it. Here are the pages that were shown before and that
 * bring nothing from the server with them.
 */
function useStayWhileOffline() {
  const { pathname } = useLocation();
  const isWhole = useMatches()
    .slice(1)
    .every(({ loaderData }) => (loaderData ?? null) === null);
  const here = useRef(new Set<string>());
  useEffect(() => {
    if (isWhole) here.current.add(pathname);
  }, [pathname, isWhole]);
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    // A redirect is the shop's own doing, such as the one to /login.
    if (navigator.onLine || historyAction === 'REPLACE') return false;
    const isSamePage =
      nextLocation.pathname === currentLocation.pathname && nextLocation.search === currentLocation.search;
    return !isSamePage && !here.current.has(nextLocation.pathname);
  });
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    toast('info', 'That page opens when the connection is back.');
    blocker.reset();
  }, [blocker]);
}

/** Whether the browser has a connection; true on the server. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener);
      addEventListener('offline', listener);
      return () => {
        removeEventListener('online', listener);
        removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
    () => true,
  );
}

function OfflineBand() {
  const online = useOnline();
  return (
    <div role="status" className="sticky top-16 z-30">
      {!online && (
        <div className="bg-neutral text-neutral-content">
          <div className="wrap flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 py-2 text-[0.9375rem]">
            <Icon of={WifiOff} className="size-5 shrink-0" />
            <p className="flex-1">
              You are offline. What you see may be out of date; ordering and paying work again when the
              connection is back.
            </p>
          </div>
        </div>
      )}
    </div>
  );
}
