/** A ref for something that scrolls: it has to be reachable by keyboard, and only while it scrolls. */
export function focusableWhereItScrolls(element: HTMLElement | null) {
  if (!element) return;
  const size = new ResizeObserver(() => {
    if (element.scrollWidth > element.clientWidth + 1) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  size.observe(element);
  return () => size.disconnect();
}
