/** Puts the focus on the page's heading when it fell to the page because what held it is gone. */
export function focusHeadingIfLost(): void {
  if (document.activeElement === null || document.activeElement === document.body) {
    document.querySelector<HTMLElement>('main h1')?.focus();
  }
}
