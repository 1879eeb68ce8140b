import { getRetryAfterSeconds } from '#app/errors/describe-error.ts';
import { Button, type ButtonKind } from '#app/ui/button.tsx';
import { useCountdown } from '#app/ui/use-countdown.ts';

interface SubmitButtonProps {
  error: unknown;
  busy: boolean;
  busyLabel: string;
  className?: string;
  kind?: ButtonKind;
  children: string;
}

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
