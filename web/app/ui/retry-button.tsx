import { RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface RetryButtonProps {
  /** How long the shop asks to wait before the next try, in seconds; null for not at all. */
  waitSeconds: number | null;
  busy: boolean;
  onRetry: () => void;
  /** `strong` where it is the only thing to do. */
  kind?: 'line' | 'strong';
}

/** Tries again. Where there is a wait it counts the seconds down and opens when they are over. */
export function RetryButton({ waitSeconds, busy, onRetry, kind = 'line' }: RetryButtonProps) {
  const left = useSecondsLeft(waitSeconds);
  return (
    <Button
      kind={kind}
      size={kind === 'strong' ? 'action' : 'bar'}
      busy={busy}
      busyLabel="Trying again…"
      disabled={left > 0}
      onClick={onRetry}
    >
      <Icon of={RefreshCw} className="size-4" />
      {left > 0 ? `Try again in ${left} s` : 'Try again'}
    </Button>
  );
}

function useSecondsLeft(seconds: number | null): number {
  const [left, setLeft] = useState(seconds ?? 0);
  const [from, setFrom] = useState(seconds);
  if (from !== seconds) {
    setFrom(seconds);
    setLeft(seconds ?? 0);
  }
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return left;
}
