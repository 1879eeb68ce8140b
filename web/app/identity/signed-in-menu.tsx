import { firstWord } from '@parts-forge/contract/text/display-name';
import { ChevronDown, LayoutDashboard, LogOut, UserRound } from 'lucide';
import { type RefObject, useEffect } from 'react';
import { Link } from 'react-router';
import { setAccountWidth } from '#app/session/account-attribute.ts';
import type { IdentityUser } from '#app/session/identity-client.ts';
import { session } from '#app/session/session.ts';
import { EmailText } from '#app/ui/email-text.tsx';
import { focusHeadingIfLost } from '#app/ui/focus-heading.ts';
import { Icon } from '#app/ui/icon.tsx';
import { dismissToast, toast } from '#app/ui/toast.tsx';
import { useDisclosure } from '#app/ui/use-disclosure.ts';
import { AccountLinks } from './account-links.tsx';

const itemClasses =
  'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-field px-3 font-medium hover:bg-base-200';

const SIGNED_OUT = 'You are signed out';

/** First word of the display name, Dashboard and Logout (specification §2, "Top navigation"), and the role's pages. */
export function SignedInMenu({ user }: { user: IdentityUser }) {
  const menu = useDisclosure();
  // A user who signs in again must not read the old sign-out message.
  useEffect(() => dismissToast(SIGNED_OUT), []);
  const name = firstWord(user.displayName);
  useStoredWidth(menu.area, name);
  return (
    <div ref={menu.area} className="relative ml-auto flex w-fit max-w-full justify-end">
      <button
        ref={menu.button}
        type="button"
        className="btn btn-ghost h-10 max-w-full flex-nowrap gap-2 px-3 max-sm:gap-1.5 max-sm:px-2 lg:-mr-3 lg:max-w-none"
        aria-expanded={menu.isOpen}
        aria-controls="account-menu"
        onClick={menu.toggle}
      >
        {/* On phones a long name needs the icon's room. */}
        <Icon
          of={UserRound}
          className={`size-[1.125rem] shrink-0 ${name.length > 8 ? 'max-sm:min-[24rem]:hidden' : ''}`}
        />
        <span className="truncate max-[24rem]:sr-only lg:max-w-28">
          <bdi>{name}</bdi>
        </span>
        <Icon of={ChevronDown} className="size-4 shrink-0 max-sm:hidden" />
      </button>
      <ul
        id="account-menu"
        className="absolute right-0 top-12 z-10 w-56 rounded-box border border-base-300 bg-base-100 p-2 shadow-[var(--pf-shadow)]"
        hidden={!menu.isOpen}
      >
        <MenuItems email={user.email} isOpen={menu.isOpen} onChoose={menu.close} />
      </ul>
    </div>
  );
}

function MenuItems({ email, isOpen, onChoose }: { email: string; isOpen: boolean; onChoose: () => void }) {
  return (
    <>
      <li className="mb-1 border-b border-base-300 px-3 pb-2 pt-1 text-micro text-muted">
        <EmailText email={email} />
      </li>
      <li>
        <Link className={itemClasses} to="/dashboard/my-profile" onClick={onChoose}>
          <Icon of={LayoutDashboard} className="size-[1.125rem] text-muted" />
          Dashboard
        </Link>
      </li>
      {isOpen && <AccountLinks email={email} className={itemClasses} hasIcons onChoose={onChoose} />}
      <li>
        <button type="button" className={itemClasses} onClick={signOut}>
          <Icon of={LogOut} className="size-[1.125rem] text-muted" />
          Logout
        </button>
      </li>
    </>
  );
}

/** The next page reserves this width. */
function useStoredWidth(area: RefObject<HTMLElement | null>, name: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another name has another width.
  useEffect(() => {
    // The shop's font may load after the name.
    void document.fonts?.ready.then(() => {
      const { offsetWidth = 0 } = area.current ?? {};
      if (offsetWidth > 0) setAccountWidth(offsetWidth);
    });
  }, [name, area]);
}

function signOut(): void {
  void session.signOut();
  toast('success', SIGNED_OUT);
  // The menu disappears with the session. On /login the heading takes the focus.
  requestAnimationFrame(() => focusHeadingIfLost());
}
