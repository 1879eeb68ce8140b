import { MAX_CHOSEN_ORDERS, PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import { readOrderTrail } from '@parts-forge/contract/events/trail';
import { readOrderPayment, refundOrder } from '@parts-forge/contract/money/payments';
import {
  addShipments,
  type BulkResult,
  cancelOrders,
  type ParcelLine,
  removeShipments,
} from '@parts-forge/contract/orders/order-bulk';
import {
  acceptPayment,
  cancelOrder,
  correctAddress,
  countOrders,
  listOrders,
  type Order,
  readOrder,
} from '@parts-forge/contract/orders/orders';
import { addShipment, type NewShipment } from '@parts-forge/contract/orders/shipments';
import { readUserSummary } from '@parts-forge/contract/people/users';
import { queryOptions } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';
import { readShopTimeZone } from '#app/calls/shop-config.ts';
import { useChange } from '#app/calls/use-change.ts';
import { useSentOnce } from '#app/calls/use-sent-once.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { toShopProblem } from '#app/errors/to-shop-problem.ts';
import { type OrderFilter, toOrderQuery, toRowsQuery, toScopeQuery } from '#app/orders/list/order-filter.ts';
import type { SharedParcel } from '#app/orders/purchases/describe-purchase.ts';
import { readOrders } from './read-orders.ts';

/** Fifty payments are chosen at once. */
const ROWS_AT_A_TIME = 50;

/** All orders, for administrators, or their owner's. */
export const allOrdersQueryOptions = (filter: OrderFilter) =>
  listQueryOptions(
    ['orders', 'list', filter],
    async (page, signal) => {
      const query = { ...page, ...toOrderQuery(filter, await readShopTimeZone()), ...toRowsQuery(filter) };
      return callList(listOrders, { query, signal });
    },
    ROWS_AT_A_TIME,
  );

/** All orders that match, at most `MAX_CHOSEN_ORDERS`. */
export async function readMatchingOrders(filter: OrderFilter): Promise<Order[]> {
  const query = toOrderQuery(filter, await readShopTimeZone());
  const { orders } = await readOrders(query, MAX_CHOSEN_ORDERS);
  return orders.slice(0, MAX_CHOSEN_ORDERS);
}

/** Counts orders by status, or rows, of those that match the days, customer and part. */
export const orderCountsQueryOptions = (filter: OrderFilter) =>
  queryOptions({
    queryKey: ['orders', 'counts', { ...filter, q: '', show: '', sort: '' }],
    queryFn: async ({ signal }) =>
      callShop(countOrders, {
        query: { ...toScopeQuery(filter, await readShopTimeZone()), ...toRowsQuery(filter) },
        signal,
      }),
  });

/** `not-found` if it is unknown, closed or another customer's. */
export const orderQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: ({ signal }) => callShop(readOrder, { params: { id }, signal }),
  });

/** Includes closed orders; `not-found` if unknown or another customer's. */
export const anyOrderQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'any', id],
    queryFn: ({ signal }) => callShop(readOrder, { params: { id }, query: { closed: 'true' }, signal }),
  });

/** The payment at the provider; `not-found` before the customer has started one. */
export const orderPaymentQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'payment', id],
    queryFn: ({ signal }) => callShop(readOrderPayment, { params: { id }, signal }),
    // Each read calls the provider, so it is reused for 10 s.
    staleTime: 10_000,
  });

/** The order's trail, newest first. */
export const orderTrailQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'trail', id],
    queryFn: async ({ signal }) => (await callShop(readOrderTrail, { params: { id }, signal })).data,
  });

/**
 * The orders of a purchase by number, ended ones included; empty if it is unknown.
 * @param email the customer's; null for administrators
 */
export const purchaseQueryOptions = (number: string, email: string | null) =>
  queryOptions({
    queryKey: ['orders', 'purchase', number, email],
    queryFn: async ({ signal }) => {
      const query = {
        purchase: number,
        closed: 'any' as const,
        limit: String(PAGE_LIMIT),
        ...(email && { email }),
      };
      const { rows } = await callList(listOrders, { query, signal });
      return rows.toSorted((a, b) => a.number - b.number);
    },
  });

/** What happened to all of an order's purchase, newest first. */
export const purchaseTrailQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'purchase-trail', id],
    queryFn: async ({ signal }) =>
      (await callShop(readOrderTrail, { params: { id }, query: { purchase: 'true' }, signal })).data,
  });

/** Totals of the customer; `not-found` for a deleted account. */
export const orderCustomerQueryOptions = (email: string) =>
  queryOptions({
    queryKey: ['orders', 'summary', email],
    queryFn: ({ signal }) => callShop(readUserSummary, { params: { email }, signal }),
  });

/** Cancelling returns the pieces to stock. */
export const useCancelOrder = () =>
  useChange((id: string) => callShop(cancelOrder, { params: { id } }), ['orders'], ['products']);

/** Each alone; their results are in the answer. */
export const useCancelOrders = () =>
  useChange((ids: string[]) => callShop(cancelOrders, { body: { ids } }), ['orders'], ['products']);

/** The row shows a partial refund, so pressing confirms it. */
export const useAcceptPayment = () =>
  useChange(
    ({ _id, refund }: Order) =>
      callShop(acceptPayment, {
        params: { id: _id },
        body: {
          status: 'paid',
          ...(refund && { despite: 'partly-refunded' as const, refunded: refund.amount }),
        },
      }),
    ['orders'],
  );

/** A repeated request adds the parcel once. */
export const useAddParcel = (id: string) =>
  useChange((body: NewShipment) => callShop(addShipment, { params: { id }, body }), ['orders']);

const LINES_AT_ONCE = 200;

/** Several calls, one after the other; a repeated one adds nothing twice. */
async function sendParcels(lines: readonly ParcelLine[], preview = false): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
    const parcels = lines.slice(at, at + LINES_AT_ONCE);
    results.push(...(await callShop(addShipments, { body: { parcels, ...(preview && { preview }) } })).data);
  }
  return results;
}

export const useAddParcels = () =>
  useChange((lines: readonly ParcelLine[]) => sendParcels(lines), ['orders']);

/** What adding them would answer. */
export const parcelsQueryOptions = (lines: readonly ParcelLine[]) =>
  queryOptions({ queryKey: ['orders', 'parcels', lines], queryFn: () => sendParcels(lines, true) });

/** Fails with the refusals of those orders that keep it; repeated safely. */
export const useRemoveParcel = () =>
  useChange(
    async ({ orders, carrier, number }: SharedParcel) => {
      const ids = orders.map(({ _id }) => _id);
      const { data } = await callShop(removeShipments, { body: { ids, carrier, number } });
      const refusals = data.flatMap(({ error }, at) =>
        error ? [`Order ${orders[at]?.number}: ${describeError(toShopProblem(error))}`] : [],
      );
      if (refusals.length > 0) throw new Error(refusals.join(' '));
    },
    ['orders'],
  );

export const useCorrectAddress = (id: string) =>
  useChange(
    (body: { address: string; phone?: string }) => callShop(correctAddress, { params: { id }, body }),
    ['orders'],
  );

interface RefundAnswer {
  /** Whether the pieces return to stock. */
  returnStock: boolean;
  reason: string;
  /** Or `amount`; without both the rest. */
  quantity?: number;
  amount?: number;
}

/**
 * Refunds a part of an order, or its rest. Resolves once the lists are fresh. A lost answer is repeated safely.
 * @param refunded when it was asked: the same part after it is another refund
 */
export function useRefundOrder(id: string, email: string, refunded: number) {
  const { send } = useSentOnce<RefundAnswer>(`refund:${id}`, email, (answer) => [refunded, answer]);
  return useChange(
    (answer: RefundAnswer) =>
      send(answer, ({ reason, ...body }, headers) =>
        callShop(refundOrder, {
          params: { id },
          body: { ...body, ...(reason !== '' && { reason }) },
          headers,
        }),
      ),
    ['orders'],
    // It may return pieces to stock.
    ['products'],
  );
}
