import type { ComponentProps, MouseEvent } from 'react';

/** A page has one `primary`. */
export type ButtonKind = 'primary' | 'strong' | 'line' | 'danger' | 'danger-line' | 'ghost';

const looks: Record<ButtonKind, string> = {
  primary: 'btn-primary',
  strong: 'btn-neutral',
  line: 'btn-line',
  danger: 'btn-error',
  'danger-line': 'btn-line btn-line-error',
  ghost: 'btn-ghost',
};

/** For a link that looks like a button. `action` is the 48 px control. */
export function getButtonClasses(
  kind: ButtonKind,
  size: 'action' | 'bar' | 'row' = 'action',
  more = '',
): string {
  const sizes = { action: 'btn-action', bar: 'h-11', row: 'h-9' };
  return `btn ${looks[kind]} ${sizes[size]} ${more}`.trimEnd();
}

interface ButtonProps extends ComponentProps<'button'> {
  kind: ButtonKind;
  size?: 'action' | 'bar' | 'row';
  /** Ignores presses; disabling the button would drop the focus. */
  busy?: boolean;
  /** Replaces the label while the button works: `Placing order…`. */
  busyLabel?: string;
}

export function Button({
  kind,
  size,
  busy = false,
  busyLabel,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      type="button"
      {...rest}
      className={getButtonClasses(kind, size, className)}
      aria-busy={busy || undefined}
      onClick={press}
    >
      {busy && <Spinner />}
      {busy ? (busyLabel ?? children) : children}
    </button>
  );
}

/** A turning ring; still under reduced motion. */
function Spinner() {
  return <span className="pf-spin" aria-hidden="true" />;
}
