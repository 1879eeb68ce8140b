import { acceptPayment, cancelOrder, listOrders, type Order, readOrder } from '@parts-forge/contract/orders';
import { readOrderPayment, refundOrder } from '@parts-forge/contract/payments';
import { readOrderTrail } from '@parts-forge/contract/trail';
import { readUserSummary } from '@parts-forge/contract/users';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callList, callShop } from '#app/calls/api-client.ts';
import { listQueryOptions } from '#app/calls/list-query.ts';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { type OrderFilter, toOrderQuery } from './order-filter.ts';

/** The orders of one customer, newest first. */
export const customerOrdersQueryOptions = (email: string, filter: OrderFilter) =>
  listQueryOptions(['orders', 'customer', email, filter], (page, signal) =>
    callList(listOrders, { query: { ...page, email, ...toOrderQuery(filter) }, signal }),
  );

/** All orders, for administrators, newest first. */
export const allOrdersQueryOptions = (filter: OrderFilter) =>
  listQueryOptions(['orders', 'all', filter], (page, signal) =>
    callList(listOrders, { query: { ...page, ...toOrderQuery(filter) }, signal }),
  );

/** The customer's newest order, for the address that it went to; null for a new customer. */
export const lastOrderQueryOptions = (email: string) =>
  queryOptions({
    queryKey: ['orders', 'last', email],
    queryFn: async ({ signal }) => {
      const { rows } = await callList(listOrders, { query: { email, limit: '1' }, signal });
      return rows[0] ?? null;
    },
  });

/** One order; `not-found` for an unknown, cancelled or somebody else's. */
export const orderQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: ({ signal }) => callShop(readOrder, { params: { id }, signal }),
  });

/** One order, also when it has ended; `not-found` for an unknown one and somebody else's. */
export const anyOrderQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'any', id],
    queryFn: ({ signal }) => callShop(readOrder, { params: { id }, query: { closed: 'true' }, signal }),
  });

/** The payment of an order as the provider has it now; `not-found` where nobody has begun to pay. */
export const orderPaymentQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'payment', id],
    queryFn: ({ signal }) => callShop(readOrderPayment, { params: { id }, signal }),
    // The provider is asked each time; a page that is opened again within a moment needs no further look.
    staleTime: 10_000,
  });

/** What happened to an order, newest first. */
export const orderTrailQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'trail', id],
    queryFn: async ({ signal }) => (await callShop(readOrderTrail, { params: { id }, signal })).data,
  });

/** What the customer of an order comes to; `not-found` for somebody who is gone. */
export const orderCustomerQueryOptions = (email: string) =>
  queryOptions({
    queryKey: ['orders', 'summary', email],
    queryFn: ({ signal }) => callShop(readUserSummary, { params: { email }, signal }),
  });

/** Cancels an unpaid order. Done when the lists show it: an order in the way of a refusal is shown as it is now. */
export function useCancelOrder() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callShop(cancelOrder, { params: { id } }),
    // The stock goes back with the order.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['orders'] }),
        queries.invalidateQueries({ queryKey: ['products'] }),
      ]),
  });
}

/**
 * Accepts the payment of a pending order. Done when the lists show it. What was given back in part stands in the row, so
 * whoever presses has seen it.
 */
export function useAcceptPayment() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ _id, refund }: Order) =>
      callShop(acceptPayment, {
        params: { id: _id },
        body: { status: 'paid', ...(refund && { despite: 'partly-refunded' as const }) },
      }).catch((error) => explainEnd(_id, error)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['orders'] }),
  });
}

/** An order that ended meanwhile, as by a colleague in another window, says how: for the calls it is not there any more. */
async function explainEnd(id: string, error: unknown): Promise<never> {
  if (getProblemCode(error) !== 'not-found') throw error;
  const order = await callShop(readOrder, { params: { id }, query: { closed: 'true' } }).catch(() => null);
  if (order?.closed === undefined) throw error;
  throw new Error(`Order ${order.number} has ended meanwhile (${order.closed}) and cannot be accepted.`, {
    cause: error,
  });
}

/** How the money of an order is given back. */
export interface RefundAnswer {
  /** Whether its pieces go back to the stock. */
  returnStock: boolean;
  /** Empty for none. */
  reason: string;
}

/** Gives the money of an order back. Done when the lists show it. */
export function useRefundOrder() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ order, answer: { returnStock, reason } }: { order: Order; answer: RefundAnswer }) =>
      callShop(refundOrder, {
        params: { id: order._id },
        body: { returnStock, ...(reason !== '' && { reason }) },
      }),
    // The stock may go back with the money.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['orders'] }),
        queries.invalidateQueries({ queryKey: ['products'] }),
      ]),
  });
}
