import { type RefObject, useEffect } from 'react';

/** React's own wheel handlers are passive and cannot do this. */
export function useNoWheel(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const element = input.current;
    const ignoreWheel = (event: WheelEvent) => {
      if (document.activeElement === element) event.preventDefault();
    };
    element?.addEventListener('wheel', ignoreWheel, { passive: false });
    return () => element?.removeEventListener('wheel', ignoreWheel);
  }, [input]);
}
