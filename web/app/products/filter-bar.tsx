import { MAX_SEARCH } from '@parts-forge/contract/bounds';
import { type ProductSort, SORTS } from '@parts-forge/contract/part-rules';
import { Search } from 'lucide-react';
import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { SEARCH_DELAY_MS } from '#app/search-text.ts';
import { Icon } from '#app/ui/icon.tsx';
import { buildFilterQuery, type ProductFilter, readProductFilter, sortNames } from './product-filter.ts';

interface FilterBarProps {
  filter: ProductFilter;
  /** `36 parts`, announced when it changes. */
  count: string;
}

/** Search, sort and In stock. All of it is in the address; without script it is a form. */
export function FilterBar({ filter, count }: FilterBarProps) {
  const { wanted, input, typed, show } = useFilter(filter);
  return (
    <search className="z-30 -mx-2 mb-8 mt-6 block border-b border-base-300 bg-base-100/95 px-2 py-3 backdrop-blur md:sticky md:top-16 md:mb-10 md:mt-8">
      <form
        method="get"
        action="/all-products"
        className="flex flex-wrap items-center gap-x-6 gap-y-3"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          typed(0);
        }}
      >
        <div className="relative w-full sm:w-72">
          <label htmlFor="q" className="sr-only">
            Search parts by name
          </label>
          <span className="pointer-events-none absolute inset-y-0 left-3 z-10 grid place-items-center text-muted">
            <Icon of={Search} className="size-[1.125rem]" />
          </span>
          <input
            ref={input}
            id="q"
            name="q"
            type="search"
            className="input h-11 w-full pl-10 text-base"
            placeholder="Search parts by name"
            autoComplete="off"
            maxLength={MAX_SEARCH}
            defaultValue={filter.q}
            onInput={() => typed(SEARCH_DELAY_MS)}
          />
        </div>
        <div className="flex items-center gap-3 max-sm:flex-1">
          <label htmlFor="sort" className="text-sm text-muted">
            Sort
          </label>
          <select
            id="sort"
            name="sort"
            className="select h-11 w-full text-[0.9375rem] sm:w-52"
            value={wanted.sort}
            onChange={(event) => show({ sort: event.target.value as ProductSort })}
          >
            {SORTS.map((sort) => (
              <option key={sort} value={sort}>
                {sortNames[sort]}
              </option>
            ))}
          </select>
        </div>
        <label className="flex min-h-11 cursor-pointer items-center gap-3 text-[0.9375rem] font-medium">
          <input
            type="checkbox"
            name="available"
            value="true"
            className="checkbox checkbox-neutral size-6 rounded-[3px]"
            checked={wanted.available}
            onChange={(event) => show({ available: event.target.checked })}
          />
          In stock
        </label>
        <noscript>
          <button type="submit" className="btn btn-line h-11">
            Show
          </button>
        </noscript>
        <p className="num ml-auto text-sm text-muted max-sm:w-full" role="status">
          {count}
        </p>
      </form>
    </search>
  );
}

/** What the bar shows and does. Typing replaces its own last entry, so that Back leaves the search in one step. */
function useFilter(filter: ProductFilter) {
  const navigate = useNavigate();
  const location = useLocation();
  const pending = useNavigation().location;
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<number>(undefined);
  const asked = useRef(filter.q);
  // While the answer is on its way the controls already show what was chosen.
  const wanted =
    pending?.pathname === '/all-products' ? readProductFilter(new URLSearchParams(pending.search)) : filter;

  const later = useRef<AbortController>(null);
  const show = (change: Partial<ProductFilter>, typing = false) => {
    clearTimeout(timer.current);
    later.current?.abort();
    if (!navigator.onLine) {
      // The list that is there stays; what was asked for comes when the connection is back.
      later.current = new AbortController();
      addEventListener('online', () => show(change, typing), { once: true, signal: later.current.signal });
      return;
    }
    const q = input.current?.value.trim() ?? wanted.q;
    asked.current = q;
    const query = buildFilterQuery({ ...wanted, q, ...change, after: null });
    const replace = typing && (location.state as { typing?: boolean } | null)?.typing === true;
    navigate(`/all-products${query}`, { replace, preventScrollReset: true, state: { typing } });
  };
  const typed = (afterMs: number) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      if (input.current?.value.trim() !== asked.current) show({}, true);
    }, afterMs);
  };

  // Back and Forward bring another search text.
  useEffect(() => {
    if (filter.q === asked.current) return;
    asked.current = filter.q;
    if (input.current) input.current.value = filter.q;
  }, [filter.q]);
  // What was typed before the page was interactive is searched for, too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page becomes interactive.
  useEffect(() => {
    typed(SEARCH_DELAY_MS);
    return () => {
      clearTimeout(timer.current);
      later.current?.abort();
    };
  }, []);
  return { wanted, input, typed, show };
}
