import { RefreshCw, TriangleAlert } from 'lucide-react';
import { refusalOf } from '#app/refusal.ts';
import { Button } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { Notice } from '#app/ui/notice.tsx';

interface FailedListProps {
  /** What could not be loaded, as the beginning of a sentence: 'Your orders'. */
  what: string;
  error: unknown;
  busy: boolean;
  onRetry: () => void;
}

/** Stands where a list would be that could not be loaded. */
export function FailedList({ what, error, busy, onRetry }: FailedListProps) {
  return (
    <Notice
      sign={TriangleAlert}
      alert
      title={`${what} could not be loaded`}
      action={
        <Button kind="strong" busy={busy} busyLabel="Trying again…" onClick={onRetry}>
          <Icon of={RefreshCw} className="size-4" />
          Try again
        </Button>
      }
    >
      {refusalOf(error)} Nothing is lost; try again.
    </Notice>
  );
}
