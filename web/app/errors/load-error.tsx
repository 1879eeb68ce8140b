import { TriangleAlert } from 'lucide';
import { Link } from 'react-router';
import { getButtonClasses } from '#app/ui/button.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { describeError, getProblemCode, getRequestId } from './describe-error.ts';
import { Reference } from './reference.tsx';
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

/** Stands where something would be that could not be loaded: a list, a profile, a form. */
export function LoadError({ what, safe = 'Nothing is lost', error, busy, onRetry }: LoadErrorProps) {
  // The guard is already leading away from the page.
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
