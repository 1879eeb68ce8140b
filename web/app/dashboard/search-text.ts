import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** The search text of a list, kept in the address as `?q=`. Changing it adds nothing to the history. */
export function useSearchText(): [string, (text: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
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
  return [(search.get('q') ?? '').trim().slice(0, 120), set];
}
