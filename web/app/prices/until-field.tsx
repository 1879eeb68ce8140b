import { DayInput } from '#app/ui/day-input.tsx';
import { FieldNotes, type LabelProps, useFieldIds } from '#app/ui/field.tsx';

interface UntilFieldProps extends LabelProps {
  /** Empty for no end. */
  day: string;
  onChoose: (day: string) => void;
  className?: string;
}

/** The last day of a price. */
export function UntilField({ label, error, hint, day, onChoose, className = '' }: UntilFieldProps) {
  const ids = useFieldIds(undefined, error, hint);
  return (
    <div className="pf-field">
      <label htmlFor={ids.id}>{label}</label>
      <DayInput
        id={ids.id}
        describedBy={ids.describedBy}
        day={day}
        onChoose={onChoose}
        className={`input ${className}`.trimEnd()}
      />
      <FieldNotes ids={ids} error={error} hint={hint} />
    </div>
  );
}
