import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { buildFilterQuery, type ProductFilter, readProductFilter } from '#app/products/product-filter.ts';
import { SEARCH_DELAY_MS } from '#app/ui/search-text.ts';

/**
 * The address holds the filter. Typing replaces its own last history entry, so that Back leaves the search in
 * one step.
 */
export function useFilterControls(filter: ProductFilter) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<number>(undefined);
  const shownFilter = usePendingFilter(filter);
  const isNewestEntryTyped = useIsEntryTyped();
  const navigate = useNavigate();
  const whenOnline = useWhenOnline();
  const requestedText = useFollowedText(filter.q, input);

  const applyFilter = (change: Partial<ProductFilter>, isTyping = false) => {
    clearTimeout(timer.current);
    whenOnline(() => {
      const q = input.current?.value.trim() ?? shownFilter.q;
      requestedText.current = q;
      const query = buildFilterQuery({ ...shownFilter, q, ...change, after: null });
      const replace = isTyping && isNewestEntryTyped;
      navigate(`/all-products${query}`, { replace, preventScrollReset: true, state: { typing: isTyping } });
    });
  };
  const searchAfter = (delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      if (input.current?.value.trim() !== requestedText.current) applyFilter({}, true);
    }, delayMs);
  };

  // A search would cancel the way to another page.
  const next = useNavigation().location?.pathname;
  useEffect(() => {
    if (next !== undefined && next !== '/all-products') clearTimeout(timer.current);
  }, [next]);

  // Text typed before hydration is searched for, too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page becomes interactive.
  useEffect(() => {
    searchAfter(SEARCH_DELAY_MS);
    return () => clearTimeout(timer.current);
  }, []);
  return { shownFilter, input, searchAfter, applyFilter };
}

/** The filter that is loading, so that the controls show the choice at once. */
function usePendingFilter(filter: ProductFilter): ProductFilter {
  const pending = useNavigation().location;
  return pending?.pathname === '/all-products'
    ? readProductFilter(new URLSearchParams(pending.search))
    : filter;
}

function useIsEntryTyped(): boolean {
  return (useLocation().state as { typing?: boolean } | null)?.typing === true;
}

/** After Back or Forward the field shows the address's text. */
function useFollowedText(q: string, input: { current: HTMLInputElement | null }) {
  const requestedText = useRef(q);
  useEffect(() => {
    if (q === requestedText.current) return;
    requestedText.current = q;
    if (input.current) input.current.value = q;
  }, [q, input]);
  return requestedText;
}

/** Runs work at once; offline, it waits for the connection. Only the last request runs. */
function useWhenOnline(): (work: () => void) => void {
  const waiting = useRef<AbortController>(null);
  useEffect(() => () => waiting.current?.abort(), []);
  return (work) => {
    waiting.current?.abort();
    if (navigator.onLine) return work();
    waiting.current = new AbortController();
    addEventListener('online', work, { once: true, signal: waiting.current.signal });
  };
}
