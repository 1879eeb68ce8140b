import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { readSearchText } from '#app/ui/search-text.ts';

/** From `?q=`. A change adds no history entry. */
export function useSearchText(): [string, (text: string) => void] {
  const [search] = useSearchParams();
  const change = useSearchChange();
  const setText = useCallback((text: string) => change('q', text), [change]);
  return [readSearchText(search), setText];
}

/** Adds no history entry. */
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
