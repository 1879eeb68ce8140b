import { formatCount } from '@parts-forge/contract/money/money';
import { ListPlus, Menu, Moon, Sun, X } from 'lucide';
import { memo } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { BATCH_PATH } from '#app/batch/browser-batch.ts';
import { useBatch, useJoinBatch } from '#app/batch/use-batch.ts';
import { AccountMenu, AccountPanel, LoginLink } from '#app/identity/account-menu.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Logo } from '#app/ui/logo.tsx';
import { useShop } from '#app/ui/shop.tsx';
import { type Disclosure, useDisclosure } from '#app/ui/use-disclosure.ts';
import { NavigationProgress } from './navigation-progress.tsx';
import { setTheme, useTheme } from './theme.ts';

const links = [
  { to: '/', text: 'Home' },
  { to: '/blogs', text: 'Blogs' },
  { to: '/all-products', text: 'All Parts' },
  { to: '/portfolio', text: 'MyPortfolio' },
];

const barLink =
  'relative flex h-16 items-center px-4 focus-visible:-outline-offset-4 text-[0.9375rem] font-medium text-muted transition-colors hover:text-base-content [&[aria-current]]:text-base-content [&[aria-current]]:after:absolute [&[aria-current]]:after:inset-x-4 [&[aria-current]]:after:bottom-0 [&[aria-current]]:after:h-0.5 [&[aria-current]]:after:bg-accent';
const panelLink =
  'flex min-h-12 items-center border-b border-base-300 text-lead font-medium [&[aria-current]]:text-primary';

/** Stays at the top, 64 px high. */
export function Navbar() {
  const panel = useDisclosure<HTMLElement>();
  const { lines } = useBatch();
  useJoinBatch();
  return (
    <header
      ref={panel.area}
      className="fixed inset-x-0 top-0 z-40 max-lg:noscript:static print:hidden border-b border-base-300"
    >
      <div className="bg-base-100/92 backdrop-blur-md">
        {/* Text of twice the size leaves phones no room for the name, which the menu has, too. */}
        <div className="wrap flex h-16 items-center sm:gap-2 max-[13rem]:!px-2">
          <Brand />
          <nav aria-label="Main" className="max-lg:hidden">
            <MainLinks className={barLink} listClassName="flex" />
          </nav>
          <div className="flex items-center gap-1 max-sm:-mr-2 max-sm:gap-0 sm:ml-2 lg:border-l lg:border-base-300 lg:pl-4">
            <ThemeToggle />
            {lines >= 0 && <BatchLink lines={lines} />}
            <AccountMenu />
            <MenuButton panel={panel} />
          </div>
        </div>
      </div>
      <nav
        aria-label="Main"
        id="mobile-nav"
        className={`${panel.isOpen ? '' : 'hidden noscript:block'} border-t border-base-300 bg-base-100 lg:!hidden`}
      >
        <div className="wrap pb-6 pt-2">
          <MainLinks className={panelLink} />
          {panel.isOpen && <AccountPanel className={panelLink} />}
          <LoginLink className="btn btn-line btn-action mt-6 w-full" />
        </div>
      </nav>
      <NavigationProgress />
    </header>
  );
}

function Brand() {
  return (
    <Link
      to="/"
      className="display mr-auto flex h-12 max-[13rem]:invisible max-[13rem]:w-0 min-w-0 items-center gap-2.5 text-[1.125rem] !font-semibold !tracking-[-0.02em]"
    >
      <Logo />
      <span className="truncate">{useShop().name}</span>
    </Link>
  );
}

function BatchLink({ lines }: { lines: number }) {
  return (
    <NavLink
      to={BATCH_PATH}
      className="btn btn-ghost relative h-10 min-w-10 flex-nowrap gap-2 px-0 sm:px-3 max-sm:min-w-9"
      aria-label={lines > 0 ? `Batch, ${formatCount(lines, 'line')}` : 'Batch'}
    >
      <Icon of={ListPlus} className="size-[1.125rem]" />
      {lines > 0 && (
        <span className="num max-sm:absolute max-sm:-top-0.5 max-sm:right-0 max-sm:min-w-5 max-sm:rounded-full max-sm:bg-neutral max-sm:px-1 max-sm:text-micro max-sm:text-neutral-content">
          {lines}
        </span>
      )}
    </NavLink>
  );
}

function MenuButton({ panel }: { panel: Disclosure<HTMLElement> }) {
  return (
    <button
      ref={panel.button}
      type="button"
      className="btn btn-ghost btn-square size-11 noscript:hidden lg:hidden max-sm:w-9"
      aria-label="Menu"
      aria-expanded={panel.isOpen}
      aria-controls="mobile-nav"
      onClick={panel.toggle}
    >
      <Icon of={panel.isOpen ? X : Menu} className="size-6" />
    </button>
  );
}

interface MainLinksProps {
  className: string;
  listClassName?: string;
}

const MainLinks = memo(function MainLinks({ className, listClassName }: MainLinksProps) {
  const { pathname } = useLocation();
  return (
    <ul className={listClassName}>
      {links.map(({ to, text }) => (
        <li key={to}>
          <Link to={to} prefetch="intent" className={className} aria-current={getAriaCurrent(to, pathname)}>
            {text}
          </Link>
        </li>
      ))}
    </ul>
  );
});

/** Parts and the purchase page belong to All Parts. */
function getAriaCurrent(to: string, pathname: string): 'page' | 'true' | undefined {
  if (pathname === to || pathname === `${to}/`) return 'page';
  return to === '/all-products' && /^\/(purchase|products)\//.test(pathname) ? 'true' : undefined;
}

const ThemeToggle = memo(function ThemeToggle() {
  const isDark = useTheme() === 'dark';
  return (
    <button
      type="button"
      className="btn btn-ghost btn-square size-10 max-sm:w-9"
      aria-label="Dark theme"
      aria-pressed={isDark}
      onClick={() => setTheme(isDark ? 'light' : 'dark')}
    >
      <span className="dark:hidden">
        <Icon of={Moon} className="size-[1.125rem]" />
      </span>
      <span className="hidden dark:inline">
        <Icon of={Sun} className="size-[1.125rem]" />
      </span>
    </button>
  );
});
