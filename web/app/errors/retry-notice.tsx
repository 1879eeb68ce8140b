import type { ReactNode } from 'react';
import { Banner } from '#app/ui/banner.tsx';
import { getRequestId } from './describe-error.ts';
import { Reference } from './reference.tsx';
import { RetryButton } from './retry-button.tsx';

interface RetryNoticeProps {
  /** Its `Retry-After` makes the button wait. */
  error: unknown;
  busy: boolean;
  onRetry: () => void;
  children: ReactNode;
}

export function RetryNotice({ error, busy, onRetry, children }: RetryNoticeProps) {
  return (
    <Banner kind="error">
      <p className="mb-3">
        {children}
        <Reference id={getRequestId(error)} />
      </p>
      <RetryButton error={error} busy={busy} onRetry={onRetry} />
    </Banner>
  );
}
