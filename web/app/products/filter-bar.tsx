import { MAX_SEARCH } from '@parts-forge/contract/bounds';
import { type ProductSort, SORTS } from '@parts-forge/contract/part-rules';
import { Search } from 'lucide-react';
import type { FormEvent, RefObject } from 'react';
import { Icon } from '#app/ui/icon.tsx';
import { SEARCH_DELAY_MS } from '#app/ui/search-text.ts';
import { type ProductFilter, sortNames } from './product-filter.ts';
import { useFilterControls } from './use-filter-controls.ts';

interface FilterBarProps {
  filter: ProductFilter;
  /** `36 parts`, announced when it changes. */
  count: string;
}

/** Search, sort and In stock. All of it is in the address; without script it is a form. */
export function FilterBar({ filter, count }: FilterBarProps) {
  const { shownFilter, input, searchAfter, applyFilter } = useFilterControls(filter);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    searchAfter(0);
  };
  return (
    <search className="z-30 -mx-2 mb-8 mt-6 block border-b border-base-300 bg-base-100/95 px-2 py-3 backdrop-blur md:sticky md:top-16 md:mb-10 md:mt-8">
      <form
        method="get"
        action="/all-products"
        className="flex flex-wrap items-center gap-x-6 gap-y-3"
        onSubmit={submit}
      >
        <SearchBox input={input} initialText={filter.q} onInput={() => searchAfter(SEARCH_DELAY_MS)} />
        <SortSelect value={shownFilter.sort} onChange={(sort) => applyFilter({ sort })} />
        <InStockCheckbox
          checked={shownFilter.available}
          onChange={(available) => applyFilter({ available })}
        />
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

interface SearchBoxProps {
  input: RefObject<HTMLInputElement | null>;
  initialText: string;
  onInput: () => void;
}

/** Uncontrolled, so that what is typed before the page is interactive stays. */
function SearchBox({ input, initialText, onInput }: SearchBoxProps) {
  return (
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
        defaultValue={initialText}
        onInput={onInput}
      />
    </div>
  );
}

function SortSelect({ value, onChange }: { value: ProductSort; onChange: (sort: ProductSort) => void }) {
  return (
    <div className="flex items-center gap-3 max-sm:flex-1">
      <label htmlFor="sort" className="text-sm text-muted">
        Sort
      </label>
      <select
        id="sort"
        name="sort"
        className="select h-11 w-full text-[0.9375rem] sm:w-52"
        value={value}
        onChange={(event) => onChange(event.target.value as ProductSort)}
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {sortNames[sort]}
          </option>
        ))}
      </select>
    </div>
  );
}

function InStockCheckbox({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 text-[0.9375rem] font-medium">
      <input
        type="checkbox"
        name="available"
        value="true"
        className="checkbox checkbox-neutral size-6 rounded-[3px]"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      In stock
    </label>
  );
}
