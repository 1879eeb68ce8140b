import { PackageX } from 'lucide';
import { lazy, Suspense } from 'react';
import { Link, useNavigation } from 'react-router';
import { RevalidateNotice } from '#app/errors/revalidate-notice.tsx';
import { ProductCard, ProductCardSkeleton } from '#app/products/product-card.tsx';
import { countFilters, type ProductFilter } from '#app/products/product-filter.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import { useListView } from '#app/ui/list-view.ts';
import { Notice } from '#app/ui/notice.tsx';
import { useSkeleton } from '#app/ui/use-skeleton.ts';
import { FilterBar } from './filter-bar.tsx';
import { ProductListFooter } from './product-list-footer.tsx';
import type { ProductListData } from './read-product-list.ts';
import { useLoadedPages } from './use-loaded-pages.ts';

const PartsTable = lazy(() => import('./parts-table.tsx').then((module) => ({ default: module.PartsTable })));

const grid = 'grid gap-x-8 gap-y-14 max-sm:gap-y-12 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4';

export function ProductList(data: ProductListData) {
  const { filter, facets } = data;
  const { location } = useNavigation();
  const loading = useSkeleton(location?.pathname === '/all-products' && !isFurtherPage(location.search));
  return (
    <>
      <FilterBar filter={filter} facets={facets} count={loading ? 'Loading parts…' : countProducts(data)} />
      {loading ? <ProductListSkeleton /> : <LoadedProducts {...data} />}
    </>
  );
}

const isFurtherPage = (search: string) => new URLSearchParams(search).has('after');

function countProducts({ page, isSimilar }: Pick<ProductListData, 'page' | 'isSimilar'>): string {
  if (!page.rows) return '';
  return `${page.total} ${isSimilar ? 'similar ' : ''}${page.total === '1' ? 'part' : 'parts'}`;
}

function ProductListSkeleton() {
  // The rows' styles may not be loaded yet.
  if (useListView() === 'list') return <div className="pf-panel h-dvh" aria-busy="true" />;
  return (
    <ul className={grid} aria-busy="true" aria-label="Parts are loading">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else.
        <ProductCardSkeleton key={index} />
      ))}
    </ul>
  );
}

function LoadedProducts({ filter, page, before, isSimilar }: ProductListData) {
  const { location } = useNavigation();
  const view = useListView();
  const { products, isPartial } = useLoadedPages({ filter, page, before });
  if (products.length === 0) {
    if (page.rows) return <NoMatches filter={filter} />;
    return <RevalidateNotice what="parts" requestId={page.requestId} />;
  }
  return (
    <>
      {isSimilar && <SimilarNotice q={filter.q} />}
      {view === 'list' ? (
        <Suspense fallback={<ProductListSkeleton />}>
          <PartsTable products={products} filter={filter} />
        </Suspense>
      ) : (
        <ul className={grid} data-grid="">
          {products.map((product, index) => (
            <ProductCard key={product._id} product={product} level={2} eager={index < 2} />
          ))}
        </ul>
      )}
      <div className="mt-16">
        {page.rows ? (
          <ProductListFooter
            filter={filter}
            page={page}
            shown={products.length}
            isPartial={isPartial}
            busy={location !== undefined && isFurtherPage(location.search)}
          />
        ) : (
          <RevalidateNotice what="parts" requestId={page.requestId} />
        )}
      </div>
    </>
  );
}

function SimilarNotice({ q }: { q: string }) {
  return (
    <p className="mb-8 border-l-2 border-base-content pl-4">
      No part matches “{q}”. These have similar names or phone models.{' '}
      <Link to="/all-products" className="pf-link">
        Clear search
      </Link>
    </p>
  );
}

function NoMatches({ filter }: { filter: ProductFilter }) {
  return (
    <Notice
      icon={PackageX}
      title={filter.q ? `No part matches “${filter.q}”` : 'No parts here'}
      action={
        (filter.q || countFilters(filter) > 0) && (
          <Link to="/all-products" className={getButtonClasses('line')}>
            {filter.q ? 'Clear search' : 'Show all parts'}
          </Link>
        )
      }
    >
      {adviseWithoutMatches(filter)}
    </Notice>
  );
}

function adviseWithoutMatches({ q, kind, fits, available }: ProductFilter): string {
  if (q) {
    return available
      ? 'Try fewer words, show parts that are out of stock as well, or clear the search and browse by kind.'
      : 'Try fewer words, or clear the search and browse by kind.';
  }
  if (kind || fits) return 'Choose another kind or phone model.';
  return available ? 'Nothing is in stock now.' : 'No parts for sale yet.';
}
