import type { ComponentProps, MouseEvent } from 'react';

/** What a button is for, which decides its look. A page has one `primary`: the one thing to do there. */
export type ButtonKind = 'primary' | 'strong' | 'line' | 'danger' | 'danger-line' | 'ghost';

const looks: Record<ButtonKind, string> = {
  primary: 'btn-primary',
  strong: 'btn-neutral',
  line: 'btn-line',
  danger: 'btn-error',
  'danger-line': 'btn-line btn-line-error',
  ghost: 'btn-ghost',
};

/** The classes of a button, for a link that looks like one. `action` is the 48 px control of forms and pages. */
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
  /** Presses are ignored while busy; the button is not disabled, which would drop the focus. */
  busy?: boolean;
  /** What it reads while busy: `Placing order…`. */
  busyLabel?: string;
}

/** A button, `type="button"` unless said otherwise. */
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

/** A turning ring beside a word; a still one where motion is not wanted. */
function Spinner() {
  return <span className="pf-spin" aria-hidden="true" />;
}
