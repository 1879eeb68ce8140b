import { MAX_REFERENCE } from '@parts-forge/contract/calls/bounds';
import { ORDER_CLOSINGS, ORDER_STATUSES } from '@parts-forge/contract/orders/order-states';
import { ORDER_SORTS, type OrderSort } from '@parts-forge/contract/orders/orders';
import { beginDay } from '@parts-forge/contract/text/days';
import { cleanText, emailPattern, idPattern } from '@parts-forge/contract/text/text';
import { type Days, readDays } from '#app/dashboard/days-filter.tsx';
import { readSearchText } from '#app/ui/search-text.ts';

/** The status filter's values; `ended` means all closed orders, `all` open ones, too; `to-send` is part of `paid`. */
export const SHOWN_ORDERS = [...ORDER_STATUSES, ...ORDER_CLOSINGS, 'to-send', 'ended', 'all'] as const;
export type ShownOrders = (typeof SHOWN_ORDERS)[number];

/** A filter that is absent is empty. */
export interface OrderFilter extends Days {
  /** Part, name, email or number. */
  q: string;
  /** Empty for all open orders. */
  show: ShownOrders | '';
  /** The customer's whole email address. */
  customer: string;
  part: string;
  reference: string;
  /** Its number. */
  purchase: string;
  /** Whose page it is; not in the address. */
  owner?: { email: string } | { user: string };
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
    show:
      SHOWN_ORDERS.find((value) => value === search.get(name) && (value !== 'all' || name === 'show')) ?? '',
    ...readDays(search),
    customer: read('customer', emailPattern),
    part: read('part', idPattern),
    purchase: read('purchase', /^\d{1,9}$/),
    reference: cleanText(search.get('reference') ?? '', false).slice(0, MAX_REFERENCE),
    sort: ORDER_SORTS.find((value) => value === search.get('sort')) ?? 'newest',
  };
}

/** My Orders shows the person's own orders alone. */
export const readOwnFilter = (search: URLSearchParams, email: string): OrderFilter => ({
  ...readOrderFilter(search, 'show'),
  customer: '',
  owner: { email },
});

/** Everything that narrows the list down. */
export const isNarrowed = ({ sort: _, owner: _owner, ...filter }: OrderFilter): boolean =>
  Object.values(filter).some((value) => value !== '' && value !== 'all');

/** As query parameters of `countOrders`. */
export const toScopeQuery = (
  { from, before, customer, part, reference, purchase, owner }: OrderFilter,
  timeZone: string,
) => ({
  ...(from && { from: beginDay(from, timeZone).toISOString() }),
  ...(before && { before: beginDay(before, timeZone).toISOString() }),
  ...(customer && { email: customer }),
  ...(part && { product: part }),
  ...(reference && { reference }),
  ...(purchase && { purchase }),
  ...owner,
});

/** A purchase is one row, except where one looks for its orders or for a part. */
export const toRowsQuery = ({ part, purchase }: OrderFilter): { rows?: 'purchases' } =>
  part || purchase ? {} : { rows: 'purchases' };

/** As query parameters of `listOrders`. */
export function toOrderQuery(filter: OrderFilter, timeZone: string) {
  const { q, show, sort } = filter;
  const status = ORDER_STATUSES.find((each) => each === show);
  const many = { ended: 'true', all: 'any' } as const;
  const closed =
    show === 'ended' || show === 'all' ? many[show] : ORDER_CLOSINGS.find((each) => each === show);
  return {
    ...toScopeQuery(filter, timeZone),
    ...(q && { q }),
    ...(status && { status }),
    ...(closed && { closed }),
    ...(show === 'to-send' && { toSend: 'true' as const }),
    ...(sort !== 'newest' && { sort }),
  };
}
