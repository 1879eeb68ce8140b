import { getRetryAfterSeconds } from '#app/errors/describe-error.ts';
import { Button, type ButtonKind } from '#app/ui/button.tsx';
import { useCountdown } from '#app/ui/use-countdown.ts';

interface SubmitButtonProps {
  /** Why the form could not be sent: where the shop asks for patience, the button waits. */
  error: unknown;
  busy: boolean;
  busyLabel: string;
  className?: string;
  /** `primary` unless the page has another first thing to do. */
  kind?: ButtonKind;
  /** What it does: `Submit review`. */
  children: string;
}

/** The button that sends a form. Where there is a wait it counts the seconds down and opens when they are over. */
export function SubmitButton({ error, children, ...rest }: SubmitButtonProps) {
  const secondsLeft = useCountdown(getRetryAfterSeconds(error), error);
  return (
    <Button
      kind="primary"
      type="submit"
      aria-disabled={secondsLeft > 0 || undefined}
      onClick={(event) => {
        if (secondsLeft > 0) event.preventDefault();
      }}
      {...rest}
    >
      {secondsLeft > 0 ? `${children} in ${secondsLeft} s` : children}
    </Button>
  );
}
