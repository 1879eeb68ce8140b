import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { buildFilterQuery, type ProductFilter, readProductFilter } from '#app/products/product-filter.ts';
import { SEARCH_DELAY_MS } from '#app/ui/search-text.ts';

/**
 * What the filter bar shows and does. All of the filter is in the address; typing replaces its own last entry in the
 * history, so that Back leaves the search in one step.
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

  // What was typed before the page was interactive is searched for, too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page becomes interactive.
  useEffect(() => {
    searchAfter(SEARCH_DELAY_MS);
    return () => clearTimeout(timer.current);
  }, []);
  return { shownFilter, input, searchAfter, applyFilter };
}

/** The filter that is on its way, so that the controls already show what was chosen; else the page's. */
function usePendingFilter(filter: ProductFilter): ProductFilter {
  const pending = useNavigation().location;
  return pending?.pathname === '/all-products'
    ? readProductFilter(new URLSearchParams(pending.search))
    : filter;
}

/** Whether typing made the newest entry of the history. */
function useIsEntryTyped(): boolean {
  return (useLocation().state as { typing?: boolean } | null)?.typing === true;
}

/** The search text that was last asked for. Back and Forward bring another one, which the field then shows. */
function useFollowedText(q: string, input: { current: HTMLInputElement | null }) {
  const requestedText = useRef(q);
  useEffect(() => {
    if (q === requestedText.current) return;
    requestedText.current = q;
    if (input.current) input.current.value = q;
  }, [q, input]);
  return requestedText;
}

/**
 * Runs what needs the server, without a connection as soon as it is back: the list that is there stays meanwhile.
 * Only the last request of several is made.
 */
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
