import { useEffect, useRef } from 'react';

/** Focuses this text when the last page of a list is loaded: the link to the next page is gone then. */
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
