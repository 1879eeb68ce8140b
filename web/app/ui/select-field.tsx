import { type ComponentProps, useId } from 'react';

interface SelectFieldProps extends ComponentProps<'select'> {
  label: string;
  options: readonly (readonly [value: string, name: string])[];
}

/** A labelled choice, of the height of a `Field`. */
export function SelectField({ label, options, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className="pf-field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="select" {...select}>
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
