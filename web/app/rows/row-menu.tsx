import { Ellipsis } from 'lucide';
import type { ReactNode } from 'react';
import { IconButton } from '#app/ui/icon-button.tsx';
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
      <IconButton
        icon={icon ?? Ellipsis}
        label={icon ? label : `More for ${label}`}
        ref={menu.button}
        className="size-8"
        aria-expanded={menu.isOpen}
        onClick={menu.toggle}
      />
      {menu.isOpen && (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: its items are pressed.
        <span className="items" onClickCapture={() => menu.button.current?.focus()} onClick={menu.close}>
          {children}
        </span>
      )}
    </span>
  );
}
