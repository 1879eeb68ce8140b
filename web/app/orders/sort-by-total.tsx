import { MAX_SORTED_ORDERS } from '@parts-forge/contract/bounds';
import { formatPieces } from '@parts-forge/contract/money';
import type { OrderSort } from '@parts-forge/contract/orders';
import { Link, useSearchParams } from 'react-router';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { Banner } from '#app/ui/banner.tsx';

/** @param total as the list counts them: `99`, `1000+` */
export const canSortByTotal = (total = '0'): boolean =>
  !total.endsWith('+') && Number(total) <= MAX_SORTED_ORDERS;

/** Another tab or days may have more orders than the shop sorts. */
export function SortRefusal({ sort, error }: { sort: OrderSort; error: Error | null }) {
  const [search] = useSearchParams();
  if (!sort.endsWith('total') || getProblemCode(error) !== 'invalid') return null;
  const newest = new URLSearchParams(search);
  newest.delete('sort');
  return (
    <Banner kind="error" className="mb-6">
      Only {formatPieces(MAX_SORTED_ORDERS)} orders can be sorted by total.{' '}
      <Link to={{ search: newest.toString() }} replace preventScrollReset className="pf-link">
        Newest first
      </Link>
    </Banner>
  );
}
