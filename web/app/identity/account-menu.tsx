import { UserRound } from 'lucide';
import { type ComponentType, lazy, memo, Suspense, useEffect } from 'react';
import { Link, NavLink } from 'react-router';
import type { IdentityUser } from '#app/session/identity-client.ts';
import { session, useSession } from '#app/session/session.ts';
import { Icon } from '#app/ui/icon.tsx';

/** Loaded for whoever is signed in. */
const loadMenu = () => import('./signed-in-menu.tsx');
const SignedInMenu = createMenu(loadMenu);

/** The menu of whoever is signed in; in its place a link to the dashboard when it cannot be loaded. */
export function createMenu(load: () => Promise<{ SignedInMenu: ComponentType<{ user: IdentityUser }> }>) {
  return lazy<ComponentType<{ user: IdentityUser }>>(() =>
    load().then(
      (module) => ({ default: module.SignedInMenu }),
      // Without its menu a page is of more use than the page that says that it failed.
      () => ({ default: DashboardLink }),
    ),
  );
}

function DashboardLink() {
  return (
    <Link
      to="/dashboard"
      className="btn btn-ghost ml-auto flex h-10 w-fit max-w-full flex-nowrap gap-2 px-3 max-sm:px-2 lg:-mr-3"
    >
      {/* On phones there is room for one of the two. */}
      <Icon of={UserRound} className="size-[1.125rem] shrink-0 max-sm:min-[22.5rem]:hidden" />
      <span className="truncate max-[22.5rem]:sr-only">Dashboard</span>
    </Link>
  );
}

/**
 * The account's place in the bar: Login for a visitor, else the menu. Until the session is known the attribute
 * of the root element decides which of the two has its room, so that nothing moves.
 */
export const AccountMenu = memo(function AccountMenu() {
  const state = useSession();
  useEffect(() => {
    const resolve = () => void session.resolve().catch(() => undefined);
    resolve();
    // While the service is asked who that is.
    if (session.hasAccessToken()) void loadMenu().catch(() => undefined);
    // The service did not answer while there was no connection.
    addEventListener('online', resolve);
    return () => removeEventListener('online', resolve);
  }, []);
  return (
    <>
      <LoginLink className="btn btn-line h-10 max-lg:hidden" />
      <div className="hidden h-10 min-w-[var(--account-width,11rem)] in-[[data-account]]:block max-sm:min-w-[min(var(--account-width,6.75rem),6.75rem,100vw-17rem)] max-sm:max-w-[min(6.75rem,100vw-17rem)] max-[22.5rem]:w-10 max-[22.5rem]:min-w-10">
        {state.status === 'signed-in' && (
          <Suspense>
            <SignedInMenu user={state.user} />
          </Suspense>
        )}
      </div>
    </>
  );
});

/** Loaded for whoever is signed in and opens the menu. */
const AccountLinks = lazy(() =>
  import('./account-links.tsx').then((module) => ({ default: module.AccountLinks })),
);

/** The account's part of the panel that the bar opens on phones; nothing for visitors. */
export function AccountPanel({ className }: { className: string }) {
  const state = useSession();
  if (state.status !== 'signed-in') return null;
  return (
    <Suspense>
      <AccountLinks email={state.user.email} className={className} />
    </Suspense>
  );
}

/** The way to /login, shown to visitors only. */
export const LoginLink = memo(function LoginLink({ className }: { className: string }) {
  return (
    <NavLink to="/login" className={`${className} in-[[data-account]]:hidden`}>
      Login
    </NavLink>
  );
});
