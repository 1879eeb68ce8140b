import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { readSearchText } from '#app/ui/search-text.ts';

/** The search text of a list, from `?q=` of the address. Changing it adds nothing to the history. */
export function useSearchText(): [string, (text: string) => void] {
  const [search] = useSearchParams();
  const change = useSearchChange();
  const setText = useCallback((text: string) => change('q', text), [change]);
  return [readSearchText(search), setText];
}

/** Changes one parameter of the address, or removes it when it is empty. Adds nothing to the history. */
export function useSearchChange(): (name: string, value: string) => void {
  const [, setSearch] = useSearchParams();
  return useCallback(
    (name: string, value: string) =>
      setSearch(
        (before) => {
          if (value) before.set(name, value);
          else before.delete(name);
          return before;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearch],
  );
}
