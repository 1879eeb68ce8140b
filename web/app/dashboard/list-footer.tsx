import { describeError, getRequestId } from '#app/errors/describe-error.ts';
import { Reference } from '#app/errors/reference.tsx';
import { Button } from '#app/ui/button.tsx';
import { formatTotal } from '#app/ui/format-total.ts';
import { useFocusAfterLastPage } from '#app/ui/use-focus-after-last-page.ts';

interface ListFooterProps {
  shown: number;
  /** As in the response: `57`, or `1000+` beyond the counted range. */
  total: string;
  /** In place of `24 of 57`; stands below a single page, too. */
  text?: string | undefined;
  hasMore: boolean;
  /** Whether a further page was loaded. */
  isPaged: boolean;
  busy: boolean;
  /** Why the next page failed; null for nothing. */
  error: Error | null;
  onMore: () => void;
}

/** Renders nothing for a single page without a text. */
export function ListFooter({ shown, total, text, hasMore, isPaged, busy, error, onMore }: ListFooterProps) {
  const count = useFocusAfterLastPage(hasMore);
  if (!hasMore && !isPaged && text === undefined) return null;
  return (
    <div className="mt-6 flex flex-wrap items-center justify-center gap-x-6 gap-y-3">
      <p
        ref={count}
        tabIndex={-1}
        className="num text-sm text-muted outline-none"
        aria-live="polite"
        aria-atomic="true"
      >
        {text ?? `${shown} of ${formatTotal(total)}`}
      </p>
      {hasMore && (
        <Button kind="line" size="bar" busy={busy} busyLabel="Loading…" onClick={onMore}>
          Load more
        </Button>
      )}
      {error && (
        <p role="alert" className="w-full text-center text-error">
          {describeError(error)} The rest was not loaded; try again.
          <Reference id={getRequestId(error)} />
        </p>
      )}
    </div>
  );
}
