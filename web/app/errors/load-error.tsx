import { TriangleAlert } from 'lucide';
import { Link } from 'react-router';
import { getButtonClasses } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { describeError, getProblemCode, getRequestId } from './describe-error.ts';
import { Reference } from './reference.tsx';
import { RetryButton } from './retry-button.tsx';

interface LoadErrorProps {
  /** At the start of a sentence: 'Your orders'. */
  what: string;
  /** What the failure leaves untouched. */
  safe?: string | undefined;
  error: unknown;
  busy: boolean;
  onRetry: () => void;
}

export function LoadError({ what, safe = 'Nothing is lost', error, busy, onRetry }: LoadErrorProps) {
  // The guard is already leaving the page.
  if (getProblemCode(error) === 'admin-needed') return null;
  const needsSecondFactor = getProblemCode(error) === 'second-factor-required';
  return (
    <Notice
      icon={TriangleAlert}
      alert
      title={`${what} could not be loaded`}
      action={
        needsSecondFactor ? (
          <Link to="/dashboard/my-profile" className={getButtonClasses('strong')}>
            Set it up
          </Link>
        ) : (
          <RetryButton kind="strong" error={error} busy={busy} onRetry={onRetry} />
        )
      }
    >
      {describeError(error)} {!needsSecondFactor && `${safe}; try again.`}
      <Reference id={getRequestId(error)} />
    </Notice>
  );
}
