import { useId } from 'react';
import { useSearchParams } from 'react-router';

interface StatusFilterProps {
  /** The parameter of the address. */
  name: string;
  value: string;
  options: readonly { value: string; label: string }[];
}

/** Which orders a list shows, by their status. It is in the address, and adds nothing to the history. */
export function StatusFilter({ name, value, options }: StatusFilterProps) {
  const id = useId();
  const [, setSearch] = useSearchParams();
  const choose = (chosen: string) =>
    setSearch(
      (before) => {
        if (chosen) before.set(name, chosen);
        else before.delete(name);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <>
      <label htmlFor={id} className="text-sm text-muted sm:ml-2">
        Status
      </label>
      <select
        id={id}
        className="select h-11 flex-1 bg-base-100 text-[0.9375rem] sm:w-36 sm:flex-none"
        value={value}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">All</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </>
  );
}
