import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

export type Disclosure<Area extends HTMLElement> = ReturnType<typeof useDisclosure<Area>>;

/**
 * Escape closes it and focuses the button; a press or focus elsewhere and a new page close it, too.
 * @param page `pathname` if it stays open while the query changes
 */
export function useDisclosure<Area extends HTMLElement = HTMLDivElement>(page: 'key' | 'pathname' = 'key') {
  const [openKey, setOpenKey] = useState<string | null>(null);
  const area = useRef<Area>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { [page]: key } = useLocation();
  const isOpen = openKey === key;
  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpenKey(null);
      button.current?.focus();
    };
    const closeOnOutside = (event: Event) => {
      if (!area.current?.contains(event.target as Node)) setOpenKey(null);
    };
    addEventListener('keydown', closeOnEscape);
    addEventListener('pointerdown', closeOnOutside);
    addEventListener('focusin', closeOnOutside);
    return () => {
      removeEventListener('keydown', closeOnEscape);
      removeEventListener('pointerdown', closeOnOutside);
      removeEventListener('focusin', closeOnOutside);
    };
  }, [isOpen]);
  return {
    isOpen,
    toggle: () => setOpenKey(isOpen ? null : key),
    close: () => setOpenKey(null),
    /** The parent of the button and its content. */
    area,
    button,
  };
}
