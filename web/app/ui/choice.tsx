import { type ReactNode, useId } from 'react';

export interface ChoiceProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A filter's choice in a line with its label. */
export function Choice({ label, value, onChange, children }: ChoiceProps & { children: ReactNode }) {
  const id = useId();
  return (
    <div className="flex items-center gap-3 max-sm:flex-1">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <select
        id={id}
        className="select h-11 w-full bg-base-100 text-[0.9375rem] sm:w-40"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {children}
      </select>
    </div>
  );
}
