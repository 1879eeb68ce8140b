import { UserRound } from 'lucide';
import { type ComponentType, lazy, memo, Suspense, useEffect } from 'react';
import { Link, NavLink } from 'react-router';
import type { IdentityUser } from '#app/session/identity-client.ts';
import { session, useSession } from '#app/session/session.ts';
import { Icon } from '#app/ui/icon.tsx';

const loadMenu = () => import('./signed-in-menu.tsx');
const SignedInMenu = createMenu(loadMenu);

/** The signed-in menu; a dashboard link if it fails to load. */
export function createMenu(load: () => Promise<{ SignedInMenu: ComponentType<{ user: IdentityUser }> }>) {
  return lazy<ComponentType<{ user: IdentityUser }>>(() =>
    load().then(
      (module) => ({ default: module.SignedInMenu }),
      // A page without its menu is better than an error page.
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
      {/* Small phones have no room for both. */}
      <Icon of={UserRound} className="size-[1.125rem] shrink-0 max-sm:min-[24rem]:hidden" />
      <span className="truncate max-[24rem]:sr-only">Dashboard</span>
    </Link>
  );
}

/** Until the session is known, the root element's attribute reserves the room, so that nothing moves. */
export const AccountMenu = memo(function AccountMenu() {
  const state = useSession();
  useEffect(() => {
    const resolve = () => void session.resolve().catch(() => undefined);
    resolve();
    // In parallel with the request to the service.
    if (session.hasAccessToken()) void loadMenu().catch(() => undefined);
    // Retries after a lost connection.
    addEventListener('online', resolve);
    return () => removeEventListener('online', resolve);
  }, []);
  return (
    <>
      <LoginLink className="btn btn-line h-10 max-lg:hidden" />
      <div className="hidden h-10 min-w-[var(--account-width,11rem)] in-[[data-account]]:block max-sm:min-w-[min(var(--account-width,6.75rem),6.75rem,100vw-18.5rem)] max-sm:max-w-[min(6.75rem,100vw-18.5rem)] max-[24rem]:w-9 max-[24rem]:min-w-9">
        {state.status === 'signed-in' && (
          <Suspense>
            <SignedInMenu user={state.user} />
          </Suspense>
        )}
      </div>
    </>
  );
});

const AccountLinks = lazy(() =>
  import('./account-links.tsx').then((module) => ({ default: module.AccountLinks })),
);

export function AccountPanel({ className }: { className: string }) {
  const state = useSession();
  if (state.status !== 'signed-in') return null;
  return (
    <ul>
      <li>
        <Link to="/dashboard/my-profile" className={className}>
          Dashboard
        </Link>
      </li>
      <Suspense>
        <AccountLinks email={state.user.email} className={className} />
      </Suspense>
    </ul>
  );
}

/** Shown to visitors only. */
export const LoginLink = memo(function LoginLink({ className }: { className: string }) {
  return (
    <NavLink to="/login" className={`${className} in-[[data-account]]:hidden`}>
      Login
    </NavLink>
  );
});
