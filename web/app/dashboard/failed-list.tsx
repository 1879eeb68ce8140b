import { TriangleAlert } from 'lucide-react';
import { codeOf, refusalOf } from '#app/refusal.ts';
import { Notice } from '#app/ui/notice.tsx';
import { RetryButton } from '#app/ui/retry-button.tsx';

interface FailedListProps {
  /** What could not be loaded, as the beginning of a sentence: 'Your orders'. */
  what: string;
  /** What is as it was. */
  safe?: string | undefined;
  error: unknown;
  busy: boolean;
  onRetry: () => void;
}

/** Stands where a list would be that could not be loaded. */
export function FailedList({ what, safe = 'Nothing is lost', error, busy, onRetry }: FailedListProps) {
  // The page is being left.
  if (codeOf(error) === 'admin-needed') return null;
  return (
    <Notice
      sign={TriangleAlert}
      alert
      title={`${what} could not be loaded`}
      action={<RetryButton kind="strong" error={error} busy={busy} onRetry={onRetry} />}
    >
      {refusalOf(error)} {safe}; try again.
    </Notice>
  );
}
