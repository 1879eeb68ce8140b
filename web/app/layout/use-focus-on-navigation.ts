import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * Moves the focus to the new page's heading after a navigation, as a full load would put a screen reader at
 * the top. A change of the search text is the same page and keeps the focus where one types.
 */
export function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const focusedPath = useRef(pathname);
  useEffect(() => {
    if (focusedPath.current === pathname || !main.current) return;
    focusedPath.current = pathname;
    return keepFocusOnHeading(main.current);
  }, [pathname]);
  return main;
}

const personActs = ['keydown', 'pointerdown'] as const;

/**
 * Focuses the heading, and again when a loading page is replaced by the loaded one and the focus would be lost;
 * until the person does something. Returns how to stop.
 */
function keepFocusOnHeading(main: HTMLElement): () => void {
  const replacements = new MutationObserver(() => {
    const focused = document.activeElement;
    if (focused === document.body || focused === main) focusHeading(main);
  });
  const stop = () => {
    replacements.disconnect();
    for (const act of personActs) removeEventListener(act, stop);
  };
  for (const act of personActs) addEventListener(act, stop);
  replacements.observe(main, { childList: true, subtree: true });
  focusHeading(main);
  return stop;
}

function focusHeading(main: HTMLElement): void {
  const heading = main.querySelector<HTMLElement>('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.classList.add('outline-none');
  (heading ?? main).focus({ preventScroll: true });
}
