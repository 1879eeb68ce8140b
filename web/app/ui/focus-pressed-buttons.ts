/** Safari focuses no pressed button, and a dialog gives the focus back to the element that had it. */
export function focusPressedButtons(): void {
  const focus = ({ target }: Event) => {
    if (document.activeElement !== document.body || !(target instanceof Element)) return;
    target.closest('button')?.focus({ preventScroll: true });
  };
  // Before the button's own handler opens the dialog.
  addEventListener('click', focus, { capture: true });
}
