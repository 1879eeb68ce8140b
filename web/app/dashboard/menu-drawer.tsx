import type { Role } from '@parts-forge/contract/calls/policies';
import { ChevronDown, PanelLeft, X } from 'lucide';
import { useRef } from 'react';
import { Icon } from '#app/ui/icon.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { findCurrentEntry, type MenuCounts, SideMenu } from './side-menu.tsx';

interface DashboardMenu {
  name: string;
  role: Role;
  pathname: string;
  counts: MenuCounts;
}

/**
 * Below 1280 px tables need the room, so a bar opens the menu. The native dialog traps the focus, closes on
 * Escape and returns the focus.
 */
export function MenuDrawer(menu: DashboardMenu) {
  const drawer = useRef<HTMLDialogElement>(null);
  const close = () => drawer.current?.close();
  return (
    <>
      <MenuBar {...menu} onOpen={() => drawer.current?.showModal()} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard's way out is Escape, which a dialog has. */}
      <dialog
        ref={drawer}
        aria-label="Dashboard menu"
        className="m-0 h-dvh max-h-none w-[min(20rem,86vw)] max-w-none border-r border-base-300 bg-base-200 p-0 text-base-content backdrop:bg-black/50"
        onClick={(event) => {
          if (event.target === drawer.current) close();
        }}
      >
        <div className="flex h-16 items-center justify-between border-b border-base-300 pl-5 pr-3">
          <p className="font-semibold">Dashboard</p>
          <IconButton icon={X} label="Close menu" className="size-11" iconClass="size-5" onClick={close} />
        </div>
        <div className="p-3 pt-5">
          <SideMenu {...menu} onChoose={close} />
        </div>
      </dialog>
    </>
  );
}

function MenuBar({ role, pathname, onOpen }: DashboardMenu & { onOpen: () => void }) {
  const current = findCurrentEntry(role, pathname);
  return (
    <div
      data-menu-bar
      className="sticky top-16 z-20 flex -mx-[var(--gutter)] mb-6 border-b border-base-300 bg-base-200/95 backdrop-blur xl:hidden print:hidden"
    >
      <button
        type="button"
        className="flex h-12 min-w-0 flex-1 cursor-pointer items-center gap-3 px-[var(--gutter)] font-medium focus-visible:-outline-offset-2"
        aria-haspopup="dialog"
        onClick={onOpen}
      >
        <Icon of={PanelLeft} className="size-5 text-muted" />
        <span className="sr-only">Dashboard menu, current page: </span>
        {current?.label ?? 'Dashboard'}
        <span className="ml-auto">
          <Icon of={ChevronDown} className="size-4 text-muted" />
        </span>
      </button>
    </div>
  );
}
