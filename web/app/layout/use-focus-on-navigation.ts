import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { findHeading, focusHeading, focusHeadingIfLost } from '#app/ui/focus-heading.ts';

/**
 * Moves the focus to the new page's heading after a navigation, as a full load would put a screen reader at
 * the top, or to the field that asks for it, where one goes on with what one began on the page before. A change of
 * the search text is the same page and keeps the focus where one types.
 */
export function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const { pathname, search, key } = useLocation();
  const navigation = useNavigationType();
  const isReturn = useRef(false);
  const lastKey = useRef(key);
  /** What Forward leads to: the places that Back has left. */
  const placesAhead = useRef(new Set<string>());
  const focusedPath = useRef(pathname);
  const lastAddress = useRef(pathname + search);
  // Kept aside: a navigation that only changes the search text must not end the care for the page's heading.
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
  // After the effect above, which looks at where one was.
  useEffect(() => {
    lastAddress.current = pathname + search;
  }, [pathname, search]);
  // A link within the page, such as one that clears a search, may go with what it led away from.
  const lastSearch = useRef(search);
  useEffect(() => {
    if (lastSearch.current !== search) focusHeadingIfLost();
    lastSearch.current = search;
  }, [search]);
  return main;
}

const personActs = ['keydown', 'pointerdown'] as const;

/**
 * Focuses what is to have the focus first, and again when a loading page is replaced by the loaded one: then the focus
 * would be lost, or what is to have it is there only now. Until the person does something. Returns how to stop.
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
 * After Back the link that was followed to the page one comes from: the scroll position is restored, so it is in view, and
 * Tab goes on from there. The heading, without scrolling to it, when there is no such link.
 */
function focusWayTo(address: string, main: HTMLElement): void {
  for (const link of main.querySelectorAll('a')) {
    if (link.pathname + link.search !== address) continue;
    link.focus({ preventScroll: true });
    // What is hidden in this window does not take it.
    if (document.activeElement === link) return;
  }
  focusHeading();
}

/** The first place of a new page. In a low or magnified window a picture above the heading can fill all of it. */
function focusFirst(): void {
  const field = document.querySelector<HTMLElement>('main [data-focus-first]');
  if (field) field.focus();
  else focusHeading();
  const heading = findHeading();
  if (heading && heading.getBoundingClientRect().bottom > innerHeight) heading.scrollIntoView();
}
