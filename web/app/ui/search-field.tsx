import { MAX_SEARCH } from '@parts-forge/contract/calls/bounds';
import { Search } from 'lucide';
import { useEffect, useId, useState } from 'react';
import { useLocation, useNavigation } from 'react-router';
import { Icon } from './icon.tsx';
import { SEARCH_DELAY_MS } from './search-text.ts';

interface SearchFieldProps {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}

/**
 * Searches while the user types, but not once a link to another page is pressed: the search would cancel it.
 * Follows outside changes of `value`, as by Back.
 */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  if (lastValue !== value) {
    setLastValue(value);
    if (text.trim() !== value) setText(value);
  }
  const here = useLocation().pathname;
  const isLeaving = (useNavigation().location?.pathname ?? here) !== here;
  useEffect(() => {
    if (isLeaving || text.trim() === value) return;
    const timer = setTimeout(() => onSearch(text.trim()), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isLeaving, text, value, onSearch]);
  return (
    <search className="relative block w-full sm:w-60">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <span className="pointer-events-none absolute inset-y-0 left-3 z-10 grid place-items-center text-muted">
        <Icon of={Search} className="size-[1.125rem]" />
      </span>
      <input
        id={id}
        type="search"
        className="input h-11 w-full bg-base-100 pl-10 text-[0.9375rem]"
        placeholder={label}
        maxLength={MAX_SEARCH}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </search>
  );
}
