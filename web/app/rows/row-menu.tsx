import { Ellipsis } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from '#app/ui/icon.tsx';
import { useDisclosure } from '#app/ui/use-disclosure.ts';

interface RowMenuProps {
  label: string;
  /** Names the button by `label` alone. */
  icon?: typeof Ellipsis;
  children: ReactNode;
}

/** Further actions of a row. Each press closes it; a dialog then gives the focus back to its button. */
export function RowMenu({ label, icon, children }: RowMenuProps) {
  const menu = useDisclosure<HTMLSpanElement>();
  return (
    <span ref={menu.area} className="pf-menu">
      <button
        ref={menu.button}
        type="button"
        className="btn btn-ghost btn-square size-8"
        aria-label={icon ? label : `More for ${label}`}
        aria-expanded={menu.isOpen}
        onClick={menu.toggle}
      >
        <Icon of={icon ?? Ellipsis} className="size-4" />
      </button>
      {menu.isOpen && (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: its items are pressed.
        <span className="items" onClickCapture={() => menu.button.current?.focus()} onClick={menu.close}>
          {children}
        </span>
      )}
    </span>
  );
}
