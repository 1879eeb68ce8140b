import { MAX_SEARCH } from '@parts-forge/contract/calls/bounds';
import { type ProductSort, SORTS } from '@parts-forge/contract/products/part-rules';
import type { ProductFacets } from '@parts-forge/contract/products/products';
import { LayoutGrid, List, ListPlus, Search, SlidersHorizontal } from 'lucide';
import { type FormEvent, type RefObject, useState } from 'react';
import { Link } from 'react-router';
import { PASTE_PATH } from '#app/batch/browser-batch.ts';
import { countFilters, listSorts, type ProductFilter } from '#app/products/product-filter.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import { Combobox } from '#app/ui/combobox.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { setListView, useListView } from '#app/ui/list-view.ts';
import { SEARCH_DELAY_MS } from '#app/ui/search-text.ts';
import { FilterSheet } from './filter-sheet.tsx';
import { InStockCheckbox } from './in-stock-checkbox.tsx';
import { KindChips } from './kind-chips.tsx';
import { listModelOptions } from './kind-choices.ts';
import { useFilterControls } from './use-filter-controls.ts';

interface FilterBarProps {
  filter: ProductFilter;
  facets: ProductFacets | null;
  /** `36 parts`, announced when it changes. */
  count: string;
}

/**
 * The address holds the filter. Without script these are links and a form; on phones a sheet holds all but
 * search and sort.
 */
export function FilterBar({ filter, facets, count }: FilterBarProps) {
  const { shownFilter, input, searchAfter, applyFilter } = useFilterControls(filter);
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    searchAfter(0);
  };
  return (
    <>
      <KindChips filter={shownFilter} facets={facets} />
      <search
        data-filter-bar=""
        className="z-30 -mx-2 mb-8 mt-4 block border-b border-base-300 bg-base-100/95 px-2 py-3 backdrop-blur md:sticky md:top-16 md:mb-10"
      >
        <form
          method="get"
          action="/all-products"
          className="flex flex-wrap items-center gap-3"
          onSubmit={submit}
        >
          {filter.kind && <input type="hidden" name="kind" value={filter.kind} />}
          <SearchBox input={input} initialText={filter.q} onInput={() => searchAfter(SEARCH_DELAY_MS)} />
          <PasteLink />
          <ModelChoice filter={shownFilter} facets={facets} onChoose={(fits) => applyFilter({ fits })} />
          <FilterButton filters={countFilters(shownFilter)} onPress={() => setIsSheetOpen(true)} />
          <SortSelect q={shownFilter.q} value={shownFilter.sort} onChange={(sort) => applyFilter({ sort })} />
          <InStockCheckbox
            checked={shownFilter.available}
            onChange={(available) => applyFilter({ available })}
            className="max-md:hidden"
          />
          <ShowWithoutScript />
          <Count>{count}</Count>
          <ViewSwitch />
        </form>
      </search>
      {isSheetOpen && (
        <FilterSheet
          filter={shownFilter}
          facets={facets}
          count={count}
          onChange={applyFilter}
          onClose={() => setIsSheetOpen(false)}
        />
      )}
    </>
  );
}

const pasteClasses = '!h-auto min-h-11 max-md:order-1 max-md:shrink max-md:grow max-md:text-wrap max-sm:px-3';

const PasteLink = () => (
  <Link to={PASTE_PATH} className={getButtonClasses('line', 'bar', pasteClasses)}>
    <Icon of={ListPlus} className="size-[1.125rem] shrink-0 max-[24rem]:hidden" />
    Order by part numbers
  </Link>
);

const Count = ({ children }: { children: string }) => (
  <p
    className="num text-sm text-muted max-md:order-2 max-md:w-full md:ml-auto"
    aria-live="polite"
    aria-atomic="true"
  >
    {children}
  </p>
);

const views = [
  { view: 'grid', name: 'Grid', icon: LayoutGrid },
  { view: 'list', name: 'List', icon: List },
] as const;

function ViewSwitch() {
  const now = useListView();
  return (
    <div className="flex max-md:order-1 noscript:hidden">
      {views.map(({ view, name, icon }) => (
        <button
          key={view}
          type="button"
          className="btn btn-line btn-square size-11 first:rounded-r-none last:-ml-px last:rounded-l-none aria-pressed:!bg-base-300 forced-colors:aria-pressed:border-4"
          aria-label={name}
          title={name}
          aria-pressed={view === now}
          onClick={() => setListView(view)}
        >
          <Icon of={icon} className="size-[1.125rem]" />
        </button>
      ))}
    </div>
  );
}

function ShowWithoutScript() {
  return (
    <noscript>
      <button type="submit" className="btn btn-line h-11">
        Show
      </button>
    </noscript>
  );
}

interface ModelChoiceProps extends Pick<FilterBarProps, 'filter' | 'facets'> {
  onChoose: (fits: string) => void;
}

function ModelChoice({ filter, facets, onChoose }: ModelChoiceProps) {
  return (
    <div className="w-44 max-md:hidden">
      <Combobox
        label="Fits phone model"
        listLabel="Phone models"
        prefix="Fits"
        name="fits"
        value={filter.fits}
        options={listModelOptions(facets)}
        onChoose={onChoose}
        placeholder="Any model"
      />
    </div>
  );
}

function FilterButton({ filters, onPress }: { filters: number; onPress: () => void }) {
  return (
    <button
      type="button"
      className={getButtonClasses('line', 'bar', 'md:hidden')}
      aria-haspopup="dialog"
      onClick={onPress}
    >
      <Icon of={SlidersHorizontal} className="size-[1.125rem]" />
      Filter
      {filters > 0 && (
        <span className="num font-normal">
          {filters}
          <span className="sr-only"> set</span>
        </span>
      )}
    </button>
  );
}

interface SearchBoxProps {
  input: RefObject<HTMLInputElement | null>;
  initialText: string;
  onInput: () => void;
}

/** Uncontrolled, so that text typed before hydration stays. */
function SearchBox({ input, initialText, onInput }: SearchBoxProps) {
  return (
    <div className="relative w-full md:w-80">
      <label htmlFor="q" className="sr-only">
        Search by name or part number
      </label>
      <span className="pointer-events-none absolute inset-y-0 left-3 z-10 grid place-items-center text-muted">
        <Icon of={Search} className="size-[1.125rem]" />
      </span>
      <input
        ref={input}
        id="q"
        name="q"
        type="search"
        className="input h-11 w-full pl-10 text-base max-[24rem]:placeholder:text-sm"
        placeholder="Search by name or part number"
        autoComplete="off"
        maxLength={MAX_SEARCH}
        defaultValue={initialText}
        onInput={onInput}
      />
    </div>
  );
}

interface SortSelectProps {
  q: string;
  value: ProductSort;
  onChange: (sort: ProductSort) => void;
}

function SortSelect({ q, value, onChange }: SortSelectProps) {
  const sorts = listSorts(q);
  return (
    <div className="max-md:flex-[1_1_9rem]">
      <label htmlFor="sort" className="sr-only">
        Sort
      </label>
      <select
        id="sort"
        name="sort"
        className="select h-11 w-full text-[0.9375rem] md:w-44"
        value={sorts.some(({ sort }) => sort === value) ? value : SORTS[0]}
        onChange={(event) => onChange(event.target.value as ProductSort)}
      >
        {sorts.map(({ sort, name }) => (
          <option key={sort} value={sort}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
