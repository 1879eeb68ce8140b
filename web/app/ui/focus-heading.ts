/**
 * Puts the focus on the page's heading when it fell to the page because what held it is gone. The page stays where
 * it is: in a long list one goes on with the next row.
 * @param leaving what is about to go and may hold the focus still
 */
export function focusHeadingIfLost(leaving: Element | null = null): void {
  const holder = document.activeElement;
  if (holder === null || holder === document.body || holder === leaving) {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }
}
