import { addDays, beginDay } from '@parts-forge/contract/days';
import {
  ORDER_CLOSINGS,
  ORDER_STATUSES,
  type OrderClosing,
  type OrderStatus,
} from '@parts-forge/contract/order-states';
import { ORDER_SORTS, type OrderSort } from '@parts-forge/contract/orders';
import { emailPattern, idPattern } from '@parts-forge/contract/text';
import { readSearchText } from '#app/ui/search-text.ts';

/** The status filter's values; `ended` means all closed orders. */
export const SHOWN_ORDERS = [...ORDER_STATUSES, ...ORDER_CLOSINGS, 'ended'] as const;
export type ShownOrders = OrderStatus | OrderClosing | 'ended';

/** A filter that is absent is empty. */
export interface OrderFilter {
  /** Part, name, email or number. */
  q: string;
  /** Empty for all open orders. */
  show: ShownOrders | '';
  /** First day in the shop's time zone, `2026-11-21`. */
  from: string;
  /** The day after the last one. */
  before: string;
  /** Email. */
  customer: string;
  /** Id. */
  part: string;
  sort: OrderSort;
}

/**
 * Drops unknown values.
 * @param name of the status parameter
 */
export function readOrderFilter(search: URLSearchParams, name: 'status' | 'show'): OrderFilter {
  const read = (parameter: string, pattern: RegExp) => {
    const value = search.get(parameter) ?? '';
    return pattern.test(value) ? value : '';
  };
  return {
    q: readSearchText(search),
    show: SHOWN_ORDERS.find((value) => value === search.get(name)) ?? '',
    from: readDay(read('from', dayPattern)),
    before: readDay(read('before', dayPattern)),
    customer: read('customer', emailPattern),
    part: read('part', idPattern),
    sort: ORDER_SORTS.find((value) => value === search.get('sort')) ?? 'newest',
  };
}

const dayPattern = /^[2-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Empty for a day such as 2026-02-31, which browsers read differently. */
function readDay(day: string): string {
  try {
    return day && addDays(day, 0) === day ? day : '';
  } catch {
    return '';
  }
}

/** Everything that narrows the list down. */
export const isNarrowed = ({ sort: _, ...filter }: OrderFilter): boolean =>
  Object.values(filter).some((value) => value !== '');

/** As query parameters of `countOrders`. */
export const toScopeQuery = ({ from, before, customer, part }: OrderFilter, timeZone: string) => ({
  ...(from && { from: beginDay(from, timeZone).toISOString() }),
  ...(before && { before: beginDay(before, timeZone).toISOString() }),
  ...(customer && { email: customer }),
  ...(part && { product: part }),
});

/** As query parameters of `listOrders`. */
export function toOrderQuery(filter: OrderFilter, timeZone: string) {
  const { q, show, sort } = filter;
  const status = ORDER_STATUSES.find((each) => each === show);
  const closed = show === 'ended' ? ('true' as const) : ORDER_CLOSINGS.find((each) => each === show);
  return {
    ...toScopeQuery(filter, timeZone),
    ...(q && { q }),
    ...(status && { status }),
    ...(closed && { closed }),
    ...(sort !== 'newest' && { sort }),
  };
}
