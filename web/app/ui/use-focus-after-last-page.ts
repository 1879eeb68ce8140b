import { useEffect, useRef } from 'react';

/**
 * For the text that takes the focus when the last page of a list is loaded: the button or link to the next page,
 * which held the focus, is gone then.
 */
export function useFocusAfterLastPage(hasMore: boolean) {
  const text = useRef<HTMLParagraphElement>(null);
  const hadMore = useRef(hasMore);
  useEffect(() => {
    if (hadMore.current && !hasMore && document.activeElement === document.body) {
      text.current?.focus({ preventScroll: true });
    }
    hadMore.current = hasMore;
  }, [hasMore]);
  return text;
}
