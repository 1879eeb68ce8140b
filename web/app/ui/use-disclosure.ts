import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

interface Disclosure<Area extends HTMLElement> {
  open: boolean;
  toggle: () => void;
  close: () => void;
  /** On the element that holds the button and what it opens. */
  area: RefObject<Area | null>;
  button: RefObject<HTMLButtonElement | null>;
}

/**
 * Something that a button opens: it closes on Escape (the focus goes back to the button), on a press or a
 * focus elsewhere, and when the page changes.
 */
export function useDisclosure<Area extends HTMLElement = HTMLDivElement>(): Disclosure<Area> {
  const [openAt, setOpenAt] = useState<string | null>(null);
  const area = useRef<Area>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { key } = useLocation();
  const open = openAt === key;
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpenAt(null);
      button.current?.focus();
    };
    const onElsewhere = (event: Event) => {
      if (!area.current?.contains(event.target as Node)) setOpenAt(null);
    };
    addEventListener('keydown', onKey);
    addEventListener('pointerdown', onElsewhere);
    addEventListener('focusin', onElsewhere);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('pointerdown', onElsewhere);
      removeEventListener('focusin', onElsewhere);
    };
  }, [open]);
  return {
    open,
    toggle: () => setOpenAt(open ? null : key),
    close: () => setOpenAt(null),
    area,
    button,
  };
}
