import { ORDER_CLOSINGS } from '@parts-forge/contract/order-states';
import { readSearchText } from '#app/ui/search-text.ts';
import { standingOrders } from './order-filter.ts';
import type { OwnOrderFilter } from './queries.ts';

/** What My Orders can be narrowed down to: orders that stand by their status, then those that ended. */
export const shownOrders: readonly { value: NonNullable<OwnOrderFilter['show']>; label: string }[] = [
  ...standingOrders,
  ...ORDER_CLOSINGS.map((value) => ({ value, label: value })),
];

/** The filter of My Orders as the address says it; what is not understood is left out. */
export function readOwnOrderFilter(search: URLSearchParams): OwnOrderFilter {
  const asked = search.get('show');
  return {
    q: readSearchText(search),
    show: shownOrders.find(({ value }) => value === asked)?.value ?? null,
  };
}
