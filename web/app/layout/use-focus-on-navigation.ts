import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { findHeading, focusHeading, focusHeadingIfLost } from '#app/ui/focus-heading.ts';

/**
 * Focuses the new page's heading, or its `data-focus-first`, so that a screen reader starts there. A change
 * of the search text keeps the focus.
 */
export function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname, search, key } = useLocation();
  const navigation = useNavigationType();
  const isReturn = useRef(false);
  const lastKey = useRef(key);
  /** Places that Back has left, for Forward. */
  const placesAhead = useRef(new Set<string>());
  const focusedPath = useRef(pathname);
  const lastAddress = useRef(pathname + search);
  // Separate: a change of the search text must not cancel the focus on the heading.
  useEffect(() => {
    if (lastKey.current === key) return;
    if (navigation === 'PUSH') placesAhead.current.clear();
    isReturn.current = navigation === 'POP' && !placesAhead.current.delete(key);
    if (isReturn.current) placesAhead.current.add(lastKey.current);
    lastKey.current = key;
  }, [navigation, key]);
  useEffect(() => {
    const from = lastAddress.current;
    if (focusedPath.current === pathname || !main.current) return;
    focusedPath.current = pathname;
    const page = main.current;
    return keepFocusOnFirst(page, isReturn.current ? () => focusWayTo(from, page) : focusFirst);
  }, [pathname]);
  // After the effect above, which needs the last address.
  useEffect(() => {
    lastAddress.current = pathname + search;
  }, [pathname, search]);
  // The link that clears a search may disappear with its click.
  const lastSearch = useRef(search);
  useEffect(() => {
    if (lastSearch.current !== search) focusHeadingIfLost();
    lastSearch.current = search;
  }, [search]);
  return main;
}

const personActs = ['keydown', 'pointerdown'] as const;

/**
 * Focuses the first place, and again when the loaded page replaces the loading one, until the user acts.
 * Returns the stop function.
 */
function keepFocusOnFirst(main: HTMLElement, focus: () => void): () => void {
  const replacements = new MutationObserver(() => {
    const focused = document.activeElement;
    if (focused === document.body || focused === main || focused === findHeading()) focus();
  });
  const stop = () => {
    replacements.disconnect();
    for (const act of personActs) removeEventListener(act, stop);
  };
  for (const act of personActs) addEventListener(act, stop);
  replacements.observe(main, { childList: true, subtree: true });
  focus();
  return stop;
}

/**
 * After Back, focuses the link that was followed, which the restored scroll position shows. Without such a
 * link, focuses the heading.
 */
function focusWayTo(address: string, main: HTMLElement): void {
  for (const link of main.querySelectorAll('a')) {
    if (link.pathname + link.search !== address) continue;
    link.focus({ preventScroll: true });
    // A hidden link takes no focus.
    if (document.activeElement === link) return;
  }
  focusHeading();
}

/** In a low or magnified window a picture can fill the window above the heading. */
function focusFirst(): void {
  const field = document.querySelector<HTMLElement>('main [data-focus-first]');
  if (field) field.focus();
  else focusHeading();
  const heading = findHeading();
  if (heading && heading.getBoundingClientRect().bottom > innerHeight) heading.scrollIntoView();
}
