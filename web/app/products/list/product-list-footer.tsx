import type { Product } from '@parts-forge/contract/products/products';
import { Link } from 'react-router';
import type { ListPage } from '#app/calls/list-page.ts';
import { buildFilterQuery, type ProductFilter } from '#app/products/product-filter.ts';
import { getButtonClasses } from '#app/ui/button.tsx';
import { useFocusAfterLastPage } from '#app/ui/use-focus-after-last-page.ts';

interface ProductListFooterProps {
  filter: ProductFilter;
  page: ListPage<Product>;
  shown: number;
  /** Whether earlier pages are missing. */
  isPartial: boolean;
  busy: boolean;
}

/** The shown share of the list, and the link to the next page. */
export function ProductListFooter({ filter, page, shown, isPartial, busy }: ProductListFooterProps) {
  const share = Math.min(1, shown / (Number.parseInt(page.total, 10) || 1));
  const count = useFocusAfterLastPage(page.nextCursor !== null);
  return (
    <div className="grid justify-items-center gap-4">
      {!isPartial && (
        <>
          <p ref={count} tabIndex={-1} className="num text-sm text-muted outline-none">
            {shown} of {page.total} {page.total === '1' ? 'part' : 'parts'}
          </p>
          <LoadedLine share={share} />
        </>
      )}
      {page.nextCursor && (
        <Link
          to={`/all-products${buildFilterQuery({ ...filter, after: page.nextCursor })}`}
          preventScrollReset
          state={{ more: true }}
          className={getButtonClasses('line', 'action', 'min-w-[min(18rem,100%)]')}
          aria-busy={busy || undefined}
        >
          {busy ? 'Loading…' : 'Load more'}
        </Link>
      )}
      {isPartial && (
        <Link
          to={`/all-products${buildFilterQuery({ ...filter, after: null })}`}
          className="pf-link inline-flex min-h-8 items-center"
        >
          Back to the first parts
        </Link>
      )}
    </div>
  );
}

/** In SVG, whose attributes need no inline style. */
function LoadedLine({ share }: { share: number }) {
  return (
    <svg width="288" height="12" viewBox="0 0 288 12" aria-hidden="true" className="pf-loaded max-w-full">
      <path d="M.5 0v12M287.5 0v12" stroke="var(--color-muted)" />
      <rect x="0" y="5.5" width="288" height="1" fill="var(--color-base-300)" />
      <rect x="0" y="5.5" width={288 * share} height="1" fill="var(--color-base-content)" />
      <rect x={Math.max(0, 288 * share - 1)} y="0" width="1" height="12" fill="var(--color-base-content)" />
    </svg>
  );
}
