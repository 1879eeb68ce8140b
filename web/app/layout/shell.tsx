import type { ReactNode } from 'react';
import { ToastRegion } from '#app/ui/toast.tsx';
import { OwnPrices, useOwnPrices } from '#app/users/own-prices.ts';
import { Footer } from './footer.tsx';
import { Navbar } from './navbar.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { useBlockNavigationOffline } from './use-block-navigation-offline.ts';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';

export function Shell({ children }: { children: ReactNode }) {
  const main = useFocusOnNavigation();
  const prices = useOwnPrices();
  useBlockNavigationOffline();
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a link within the page, also before JavaScript arrives. */}
      <a
        href="#main"
        className="btn btn-neutral fixed left-4 top-[-5rem] z-50 focus:top-3 print:hidden"
        onClick={(event) => {
          // A hash entry in the history would be unknown to the router.
          event.preventDefault();
          // A dashboard's menu is in `main`, too.
          (main.current?.querySelector<HTMLElement>('[data-content]') ?? main.current)?.focus();
        }}
      >
        Skip to content
      </a>
      <Navbar />
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className="mt-16 flex-1 outline-none max-lg:noscript:mt-0 print:mt-0"
      >
        <OfflineBanner />
        {prices.notice}
        <OwnPrices value={prices}>{children}</OwnPrices>
      </main>
      <Footer />
      <ToastRegion />
    </>
  );
}
