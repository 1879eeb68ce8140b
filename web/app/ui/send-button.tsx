import { waitOf } from '#app/refusal.ts';
import { Button } from './button.tsx';
import { useCountdown } from './countdown.ts';

interface SendButtonProps {
  /** Why the form could not be sent: where the shop asks for patience, the button waits. */
  error: unknown;
  busy: boolean;
  busyLabel: string;
  className?: string;
  /** What it does: `Submit review`. */
  children: string;
}

/** The button that sends a form. Where there is a wait it counts the seconds down and opens when they are over. */
export function SendButton({ error, children, ...rest }: SendButtonProps) {
  const left = useCountdown(waitOf(error), error);
  return (
    <Button
      kind="primary"
      type="submit"
      aria-disabled={left > 0 || undefined}
      onClick={(event) => {
        if (left > 0) event.preventDefault();
      }}
      {...rest}
    >
      {left > 0 ? `${children} in ${left} s` : children}
    </Button>
  );
}
