/** Makes an element focusable while it scrolls, for the keyboard. */
export function focusableWhereItScrolls(element: HTMLElement | null) {
  if (!element) return;
  const size = new ResizeObserver(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
    if (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
  });
  size.observe(element);
  return () => size.disconnect();
}
