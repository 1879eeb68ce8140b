import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';

interface LoadMoreProps {
  shown: number;
  /** How many there are in all, as the list's answer says: `57`, or `10000+` beyond what is counted. */
  total: string;
  hasMore: boolean;
  /** Whether a further page was loaded already. */
  paged: boolean;
  busy: boolean;
  /** Why the next page did not come; null for nothing. */
  failure: string | null;
  onMore: () => void;
}

/** How much of a list is shown, and the way to the next page. Nothing when all of it is on one page. */
export function LoadMore({ shown, total, hasMore, paged, busy, failure, onMore }: LoadMoreProps) {
  const count = useFocusAfterLast(hasMore);
  if (!hasMore && !paged) return null;
  return (
    <div className="mt-6 flex flex-wrap items-center justify-center gap-x-6 gap-y-3">
      <p ref={count} tabIndex={-1} className="num text-sm text-muted outline-none" role="status">
        {`${shown} of ${total}`}
      </p>
      {hasMore && (
        <Button kind="line" size="bar" busy={busy} busyLabel="Loading…" onClick={onMore}>
          Load more
        </Button>
      )}
      {failure && (
        <p role="alert" className="w-full text-center text-error">
          {failure}
        </p>
      )}
    </div>
  );
}

/** For the element that takes the focus when the way to the next page, which held it, is gone after the last one. */
export function useFocusAfterLast(hasMore: boolean) {
  const place = useRef<HTMLParagraphElement>(null);
  const had = useRef(hasMore);
  useEffect(() => {
    if (had.current && !hasMore && document.activeElement === document.body) {
      place.current?.focus({ preventScroll: true });
    }
    had.current = hasMore;
  }, [hasMore]);
  return place;
}
