import type { Product } from '@parts-forge/contract/products';
import { PackageX, RefreshCw, TriangleAlert } from 'lucide-react';
import { Link, useNavigation, useRevalidator } from 'react-router';
import type { ListPage } from '#app/list-page.ts';
import { Button, getButtonClasses } from '#app/ui/button.tsx';
import { Icon } from '#app/ui/icon.tsx';
import { useFocusAfterLast } from '#app/ui/load-more.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { useSkeleton } from '#app/ui/skeleton.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ProductCard, ProductCardSkeleton } from './product-card.tsx';
import { buildFilterQuery, type ProductFilter } from './product-filter.ts';
import { useLoadedPages } from './use-loaded-pages.ts';

const grid = 'grid gap-x-8 gap-y-14 max-sm:gap-y-12 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4';

interface ProductListProps {
  filter: ProductFilter;
  /** What the server found; null when it could not. */
  page: ListPage<Product> | null;
}

/** The filter bar and the parts under it, in whichever state the list is. */
export function ProductList({ filter, page }: ProductListProps) {
  const { location } = useNavigation();
  const loading = useSkeleton(location?.pathname === '/all-products' && !isFurtherPage(location.search));
  const loaded = useLoadedPages(filter, page);
  const count = loading
    ? 'Loading parts…'
    : page
      ? `${page.total} ${page.total === '1' ? 'part' : 'parts'}`
      : '';
  return (
    <>
      <FilterBar filter={filter} count={count} />
      {loading ? (
        <ul className={grid} aria-busy="true" aria-label="Parts are loading">
          {Array.from({ length: 8 }, (_, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else.
            <ProductCardSkeleton key={place} />
          ))}
        </ul>
      ) : page === null && loaded.parts.length === 0 ? (
        <ListFailed />
      ) : loaded.parts.length === 0 ? (
        <NothingFound filter={filter} />
      ) : (
        <>
          <ul className={grid}>
            {loaded.parts.map((part, place) => (
              <ProductCard key={part._id} product={part} level={2} eager={place < 2} />
            ))}
          </ul>
          {page ? (
            <LoadMore filter={filter} shown={loaded.parts.length} before={loaded.startsLate} page={page} />
          ) : (
            <div className="mt-16">
              <ListFailed />
            </div>
          )}
        </>
      )}
    </>
  );
}

const isFurtherPage = (search: string) => new URLSearchParams(search).has('after');

function LoadMore({
  filter,
  shown,
  before,
  page,
}: {
  filter: ProductFilter;
  shown: number;
  before: boolean;
  page: ListPage<Product>;
}) {
  const navigation = useNavigation();
  const busy = navigation.location ? isFurtherPage(navigation.location.search) : false;
  const share = Math.min(1, shown / (Number.parseInt(page.total, 10) || 1));
  const first = buildFilterQuery({ ...filter, after: null });
  const count = useFocusAfterLast(page.after !== null);
  return (
    <div className="mt-16 grid justify-items-center gap-4">
      {!before && (
        <>
          <p ref={count} tabIndex={-1} className="num text-sm text-muted outline-none">
            {shown} of {page.total} parts
          </p>
          <LoadedLine share={share} />
        </>
      )}
      {page.after && (
        <Link
          to={`/all-products${buildFilterQuery({ ...filter, after: page.after })}`}
          preventScrollReset
          state={{ more: true }}
          className={getButtonClasses('line', 'action', 'min-w-72')}
          aria-busy={busy || undefined}
        >
          {busy ? 'Loading…' : 'Load more'}
        </Link>
      )}
      {before && (
        <Link to={`/all-products${first}`} className="pf-link inline-flex min-h-8 items-center">
          Back to the first parts
        </Link>
      )}
    </div>
  );
}

/** The dimension line under the list: how much of it is shown. Drawn in SVG, whose attributes need no inline style. */
function LoadedLine({ share }: { share: number }) {
  return (
    <svg width="288" height="12" viewBox="0 0 288 12" aria-hidden="true" className="pf-loaded">
      <path d="M.5 0v12M287.5 0v12" stroke="var(--pf-muted)" />
      <rect x="0" y="5.5" width="288" height="1" fill="var(--color-base-300)" />
      <rect x="0" y="5.5" width={288 * share} height="1" fill="var(--color-base-content)" />
      <rect x={Math.max(0, 288 * share - 1)} y="0" width="1" height="12" fill="var(--color-base-content)" />
    </svg>
  );
}

function NothingFound({ filter }: { filter: ProductFilter }) {
  const advice = filter.available
    ? 'Check the spelling, search for a shorter word, or show parts that are out of stock as well.'
    : 'Check the spelling, or search for a shorter word.';
  return (
    <Notice
      sign={PackageX}
      title={filter.q ? `No part matches “${filter.q}”` : 'No parts here'}
      action={
        <Link to="/all-products" className={getButtonClasses('line')}>
          {filter.q ? 'Clear search' : 'Show all parts'}
        </Link>
      }
    >
      {filter.q ? advice : 'Nothing is in the list that is asked for.'}
    </Notice>
  );
}

function ListFailed() {
  const { revalidate, state } = useRevalidator();
  return (
    <Notice
      sign={TriangleAlert}
      alert
      title="The parts could not be loaded"
      action={
        <Button
          kind="strong"
          busy={state === 'loading'}
          busyLabel="Trying again…"
          onClick={() => revalidate()}
        >
          <Icon of={RefreshCw} className="size-4" />
          Try again
        </Button>
      }
    >
      The server did not answer. Nothing is lost: try again, or come back in a minute.
    </Notice>
  );
}
