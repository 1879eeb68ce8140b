import type { ReactNode } from 'react';
import { Banner } from '#app/ui/banner.tsx';
import { getRequestId } from './describe-error.ts';
import { Reference } from './reference.tsx';
import { RetryButton } from './retry-button.tsx';

interface RetryNoticeProps {
  /** Where the shop asks for patience, the button counts the seconds down. */
  error: unknown;
  busy: boolean;
  onRetry: () => void;
  children: ReactNode;
}

/** A framed sentence about something in a panel that failed, with a button that tries again. */
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
