import { X } from 'lucide';
import type { ReactNode } from 'react';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { IconButton } from '#app/ui/icon-button.tsx';

interface ChosenBarProps {
  choice: { rows: readonly unknown[]; dropped: number; clear: () => void };
  label: string;
  /** By default `3 chosen`. */
  count?: string;
  /** Formatted, such as `$46,955.00`. */
  sum?: string | undefined;
  /** `Choose all 99 that match`, a button. */
  all?: ReactNode;
  /** What an act did. */
  report?: ReactNode;
  onClear?: () => void;
  /** The one filled button first. */
  children: ReactNode;
}

/** Hidden while nothing is chosen, dropped or reported. */
export function ChosenBar({ choice, label, sum, all, report, onClear, children, ...rest }: ChosenBarProps) {
  const chosen = choice.rows.length;
  const { count = `${chosen} chosen` } = rest;
  if (chosen === 0 && choice.dropped === 0 && !report) return null;
  const clear = () => {
    choice.clear();
    onClear?.();
    // The button disappears, so the heading gets the focus.
    focusHeading();
  };
  return (
    <section className="pf-chosen" aria-label={label} data-chosen-bar="">
      <p className="num" aria-live="polite" aria-atomic="true">
        {report} {choice.dropped > 0 && `${choice.dropped} no longer shown, choice dropped`}
        {chosen > 0 && (
          <>
            <strong>{count}</strong> {sum}
          </>
        )}
      </p>
      {all}
      <span className="acts">
        {chosen > 0 && children}
        <IconButton icon={X} label="Clear the choice" className="size-9" onClick={clear} />
      </span>
    </section>
  );
}
