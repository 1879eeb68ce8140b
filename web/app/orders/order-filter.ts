import {
  ORDER_CLOSINGS,
  ORDER_STATUSES,
  type OrderClosing,
  type OrderStatus,
} from '@parts-forge/contract/order-states';
import { readSearchText } from '#app/ui/search-text.ts';

/** The status filter's values; `ended` means all closed orders. */
export const SHOWN_ORDERS = [...ORDER_STATUSES, ...ORDER_CLOSINGS, 'ended'] as const;
export type ShownOrders = OrderStatus | OrderClosing | 'ended';

export interface OrderFilter {
  /** Part, name, email or number; empty for all. */
  q: string;
  /** null for all open orders */
  show: ShownOrders | null;
}

/**
 * Drops unknown values.
 * @param name of the status parameter
 */
export function readOrderFilter(search: URLSearchParams, name: 'status' | 'show'): OrderFilter {
  const asked = search.get(name);
  return { q: readSearchText(search), show: SHOWN_ORDERS.find((value) => value === asked) ?? null };
}

/** The filter as query parameters of `listOrders`. */
export function toOrderQuery({ q, show }: OrderFilter) {
  const status = ORDER_STATUSES.find((each) => each === show);
  const closed = show === 'ended' ? ('true' as const) : ORDER_CLOSINGS.find((each) => each === show);
  return { ...(q && { q }), ...(status && { status }), ...(closed && { closed }) };
}
