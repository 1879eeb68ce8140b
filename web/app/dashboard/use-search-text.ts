import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import { readSearchText } from '#app/ui/search-text.ts';

/** The search text of a list, from `?q=` of the address. Changing it adds nothing to the history. */
export function useSearchText(): [string, (text: string) => void] {
  const [search, setSearch] = useSearchParams();
  const setText = useCallback(
    (text: string) =>
      setSearch(
        (before) => {
          if (text) before.set('q', text);
          else before.delete('q');
          return before;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setSearch],
  );
  return [readSearchText(search), setText];
}
