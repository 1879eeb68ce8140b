import { PAGE_SIZE } from '@parts-forge/contract/bounds';
import type { OrderStatus } from '@parts-forge/contract/order-states';
import { acceptPayment, cancelOrder, listOrders, readOrder } from '@parts-forge/contract/orders';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callPage, callShop } from '#app/api-client.ts';

const limit = String(PAGE_SIZE);

/** The orders of one customer, newest first, page by page. */
export const customerOrdersQueryOptions = (email: string) =>
  infiniteQueryOptions({
    queryKey: ['orders', 'customer', email],
    queryFn: ({ pageParam, signal }) =>
      callPage(listOrders, { query: { email, limit, ...(pageParam && { after: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

export interface OrderFilter {
  /** anywhere in the order's names, email and ids; empty for all */
  q: string;
  status: OrderStatus | null;
}

/** All orders, for administrators, newest first, page by page. */
export const allOrdersQueryOptions = ({ q, status }: OrderFilter) =>
  infiniteQueryOptions({
    queryKey: ['orders', 'all', { q, status }],
    queryFn: ({ pageParam, signal }) =>
      callPage(listOrders, {
        query: { limit, ...(q && { q }), ...(status && { status }), ...(pageParam && { after: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

/** One order; `not-found` for an unknown, cancelled or somebody else's. */
export const orderQueryOptions = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: ({ signal }) => callShop(readOrder, { params: { id }, signal }),
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

/** Accepts the payment of a pending order. Done when the lists show it. */
export function useAcceptPayment() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callShop(acceptPayment, { params: { id }, body: { status: 'paid' } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['orders'] }),
  });
}
