import { type RefObject, useEffect } from 'react';
import { focusHeadingIfLost } from './focus-heading.ts';

/** The focus returns to the opener. */
export function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    element?.querySelector<HTMLElement>('[data-focus-first]')?.focus();
    return () => {
      element?.close();
      // The opener may be gone with its row.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
      else focusHeadingIfLost();
    };
  }, [dialog]);
}
