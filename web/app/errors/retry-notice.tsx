import type { ReactNode } from 'react';
import { Banner } from '#app/ui/notice.tsx';
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
      <p className="mb-3">{children}</p>
      <RetryButton error={error} busy={busy} onRetry={onRetry} />
    </Banner>
  );
}
