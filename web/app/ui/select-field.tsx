import type { ComponentProps } from 'react';
import { FieldNotes, type LabelProps, useFieldIds } from './field.tsx';

interface SelectFieldProps extends LabelProps, ComponentProps<'select'> {
  options: readonly (readonly [value: string, name: string])[];
}

/** A labelled choice, of the height of a `Field`. */
export function SelectField({ label, error, hint, id, options, ...select }: SelectFieldProps) {
  const field = useFieldIds(id, error, hint);
  return (
    <div className="pf-field">
      <label htmlFor={field.id}>{label}</label>
      <select
        {...select}
        className="select"
        id={field.id}
        aria-describedby={field.describedBy}
        aria-invalid={error ? true : undefined}
      >
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <FieldNotes ids={field} error={error} hint={hint} />
    </div>
  );
}
