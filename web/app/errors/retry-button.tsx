import { RefreshCw } from 'lucide';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useCountdown } from '#app/ui/use-countdown.ts';
import { getRetryAfterSeconds } from './describe-error.ts';

interface RetryButtonProps {
  /** The error; its `Retry-After` makes the button wait. */
  error: unknown;
  busy: boolean;
  onRetry: () => void;
  /** `strong` when it is the only action. */
  kind?: 'line' | 'strong';
}

/** Counts down the seconds of a wait. */
export function RetryButton({ error, busy, onRetry, kind = 'line' }: RetryButtonProps) {
  const secondsLeft = useCountdown(getRetryAfterSeconds(error), error);
  const left = secondsLeft > 99 ? `${Math.ceil(secondsLeft / 60)} min` : `${secondsLeft} s`;
  return (
    <Button
      kind={kind}
      size={kind === 'strong' ? 'action' : 'bar'}
      busy={busy}
      busyLabel="Trying again…"
      disabled={secondsLeft > 0}
      onClick={onRetry}
    >
      <Icon of={RefreshCw} className="size-4" />
      {secondsLeft > 0 ? `Try again in ${left}` : 'Try again'}
    </Button>
  );
}
