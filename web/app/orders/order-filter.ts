import {
  ORDER_CLOSINGS,
  ORDER_STATUSES,
  type OrderClosing,
  type OrderStatus,
} from '@parts-forge/contract/order-states';
import { readSearchText } from '#app/ui/search-text.ts';

/** What a list of orders can be narrowed down to: those that stand by their status, and those that ended. */
export const SHOWN_ORDERS = [...ORDER_STATUSES, ...ORDER_CLOSINGS, 'ended'] as const;
export type ShownOrders = OrderStatus | OrderClosing | 'ended';

/** Which orders are listed: by a text, and by what has become of them. */
export interface OrderFilter {
  /** anywhere in the order's part, name and email, or its number; empty for all */
  q: string;
  /** null for all that stand */
  show: ShownOrders | null;
}

/**
 * The filter of a list of orders as the address says it; what is not understood is left out.
 * @param name what the address calls it
 */
export function readOrderFilter(search: URLSearchParams, name: 'status' | 'show'): OrderFilter {
  const asked = search.get(name);
  return { q: readSearchText(search), show: SHOWN_ORDERS.find((value) => value === asked) ?? null };
}

/** What the filter is in a call. */
export function toOrderQuery({ q, show }: OrderFilter) {
  const status = ORDER_STATUSES.find((each) => each === show);
  const closed = show === 'ended' ? ('true' as const) : ORDER_CLOSINGS.find((each) => each === show);
  return { ...(q && { q }), ...(status && { status }), ...(closed && { closed }) };
}
