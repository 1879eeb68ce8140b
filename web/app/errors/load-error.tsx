import { TriangleAlert } from 'lucide-react';
import { Notice } from '#app/ui/notice.tsx';
import { describeError, getProblemCode } from './describe-error.ts';
import { RetryButton } from './retry-button.tsx';

interface LoadErrorProps {
  /** What could not be loaded, as the beginning of a sentence: 'Your orders'. */
  what: string;
  /** What is as it was. */
  safe?: string | undefined;
  error: unknown;
  busy: boolean;
  onRetry: () => void;
}

/** Stands where a list would be that could not be loaded. */
export function LoadError({ what, safe = 'Nothing is lost', error, busy, onRetry }: LoadErrorProps) {
  // The page is being left.
  if (getProblemCode(error) === 'admin-needed') return null;
  return (
    <Notice
      sign={TriangleAlert}
      alert
      title={`${what} could not be loaded`}
      action={<RetryButton kind="strong" error={error} busy={busy} onRetry={onRetry} />}
    >
      {describeError(error)} {safe}; try again.
    </Notice>
  );
}
