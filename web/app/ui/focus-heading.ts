/** Without scrolling; the page itself when it has no heading. */
export function focusHeading(): void {
  const heading = findHeading();
  heading?.setAttribute('tabindex', '-1');
  heading?.classList.add('outline-none');
  (heading ?? document.querySelector('main'))?.focus({ preventScroll: true });
}

export const findHeading = (): HTMLElement | null => document.querySelector<HTMLElement>('main h1');

/**
 * Focuses the heading when the focused element was removed, without scrolling away from the next row.
 * @param leaving an element that is about to be removed
 */
export function focusHeadingIfLost(leaving: Element | null = null): void {
  const focused = document.activeElement;
  if (focused === null || focused === document.body || focused === leaving) {
    focusHeading();
  }
}
