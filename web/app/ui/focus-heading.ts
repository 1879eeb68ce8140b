/** Puts the focus on the page's heading, or on the page where it has none, without scrolling. */
export function focusHeading(): void {
  const heading = findHeading();
  heading?.setAttribute('tabindex', '-1');
  heading?.classList.add('outline-none');
  (heading ?? document.querySelector('main'))?.focus({ preventScroll: true });
}

export const findHeading = (): HTMLElement | null => document.querySelector<HTMLElement>('main h1');

/**
 * Puts the focus on the page's heading when the element that had it was removed. The page does not scroll: in a long
 * list one goes on with the next row.
 * @param leaving an element that is about to be removed and may still have the focus
 */
export function focusHeadingIfLost(leaving: Element | null = null): void {
  const focused = document.activeElement;
  if (focused === null || focused === document.body || focused === leaving) {
    focusHeading();
  }
}
