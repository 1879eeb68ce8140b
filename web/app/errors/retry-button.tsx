import { RefreshCw } from 'lucide';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useCountdown } from '#app/ui/use-countdown.ts';
import { getRetryAfterSeconds } from './describe-error.ts';

interface RetryButtonProps {
  /** What failed: where the shop asks for patience, the button waits. */
  error: unknown;
  busy: boolean;
  onRetry: () => void;
  /** `strong` where it is the only thing to do. */
  kind?: 'line' | 'strong';
}

/** Tries again. Where there is a wait it counts the seconds down and opens when they are over. */
export function RetryButton({ error, busy, onRetry, kind = 'line' }: RetryButtonProps) {
  const secondsLeft = useCountdown(getRetryAfterSeconds(error), error);
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
      {secondsLeft > 0 ? `Try again in ${secondsLeft} s` : 'Try again'}
    </Button>
  );
}
