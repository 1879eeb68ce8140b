import { canMove } from '@parts-forge/contract/order-states';
import type { Order } from '@parts-forge/contract/orders';
import { openPayment, recordPayment } from '@parts-forge/contract/payments';
import type { ProblemCode } from '@parts-forge/contract/problems';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { OfflineError } from '#app/http/errors.ts';
import { orderQueryOptions } from '#app/orders/queries.ts';
import { sumOrders } from '#app/orders/sum-orders.ts';
import { loadPaymentProvider } from './stripe.ts';

/** The card payment provider's script. A failed load is an error of the query, to be asked for again. */
export const paymentProviderQueryOptions = () =>
  queryOptions({
    queryKey: ['payment-provider'],
    queryFn: async ({ client }) => {
      const { payments } = await client.ensureQueryData(configQueryOptions());
      return loadPaymentProvider(payments);
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // It is an object with methods, not data.
    structuralSharing: false,
  });

/**
 * The open payment of unpaid orders. The server gives the same one however often it is asked for the same orders
 * (payments in two tabs are one payment). A refusal that says that one is no longer due reloads the orders first.
 */
export const paymentQueryOptions = (orders: readonly Order[]) =>
  queryOptions({
    queryKey: ['payment', ...listIds(orders)],
    queryFn: async ({ client }) => {
      try {
        return await callShop(openPayment, { body: { price: sumOrders(orders), ...nameOrders(orders) } });
      } catch (error) {
        const code = getProblemCode(error);
        if (code !== null && noLongerDue.has(code)) await invalidateOrders(client, orders);
        // One of them is gone: what was known of it must not be shown on.
        if (code === 'not-found') await resetOrders(client, orders);
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    // The secret is kept no longer than the page that needs it.
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });

/** Refusals of which the orders themselves tell more. */
const noLongerDue: ReadonlySet<ProblemCode> = new Set(['already-paid', 'price-mismatch', 'expired']);

const listIds = (orders: readonly Order[]) => orders.map(({ _id }) => _id);

const nameOrders = (orders: readonly Order[]): { order: string } | { orders: string[] } => {
  const [first, ...others] = listIds(orders);
  return first !== undefined && others.length === 0 ? { order: first } : { orders: listIds(orders) };
};

const invalidateOrders = (client: QueryClient, orders: readonly Order[]) =>
  Promise.all(
    listIds(orders).map((id) => client.invalidateQueries({ queryKey: orderQueryOptions(id).queryKey })),
  );

/** Reads the orders anew, as a page does that has just been opened. */
export const resetOrders = (client: QueryClient, orders: readonly Order[]) =>
  Promise.all(listIds(orders).map((id) => client.resetQueries({ queryKey: orderQueryOptions(id).queryKey })));

/** Whether all of the orders are still there and unpaid, asked anew. */
export async function areStillDue(client: QueryClient, orders: readonly Order[]): Promise<boolean> {
  try {
    const fresh = await Promise.all(
      listIds(orders).map((id) =>
        client.fetchQuery({ ...orderQueryOptions(id), staleTime: 0, retry: false }),
      ),
    );
    return fresh.every(({ status }) => canMove(status, 'pay'));
  } catch {
    return false;
  }
}

/** Says that an order was paid for, and with it those that were paid together with it. Harmless to repeat, so two more tries follow a broken connection. */
export function useRecordPayment(orderId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (transactionId: string) =>
      callShop(recordPayment, { params: { id: orderId }, body: { order: orderId, transactionId } }),
    retry: (failures, error) => failures < 2 && error instanceof OfflineError,
    retryDelay: (failures) => 500 * 2 ** failures,
    onSettled: () => void queries.invalidateQueries({ queryKey: ['orders'] }),
  });
}
