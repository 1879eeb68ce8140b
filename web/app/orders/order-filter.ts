import { ORDER_STATUSES, statusLabel } from '@parts-forge/contract/order-states';
import { readSearchText } from '#app/ui/search-text.ts';
import type { OrderFilter } from './queries.ts';

/** What Manage All Orders can be narrowed down to. */
export const standingOrders = ORDER_STATUSES.map((value) => ({ value, label: statusLabel(value) }));

/** The filter of Manage All Orders as the address says it; what is not understood is left out. */
export function readOrderFilter(search: URLSearchParams): OrderFilter {
  const asked = search.get('status');
  return {
    q: readSearchText(search),
    status: ORDER_STATUSES.find((status) => status === asked) ?? null,
  };
}
