import type { ProblemCode } from '@parts-forge/contract/calls/problems';
import { openPayment, recordPayment } from '@parts-forge/contract/money/payments';
import { canMove } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { OfflineError } from '#app/http/errors.ts';
import { sumOrders } from '#app/orders/money/sum-orders.ts';
import { orderQueryOptions } from '#app/orders/queries.ts';
import { loadPaymentProvider } from './stripe.ts';

/** A failed load can be retried. */
export const paymentProviderQueryOptions = () =>
  queryOptions({
    queryKey: ['payment-provider'],
    queryFn: async ({ client }) => {
      const { payments } = await client.ensureQueryData(configQueryOptions());
      return loadPaymentProvider(payments);
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // The answer has methods, so it cannot be compared.
    structuralSharing: false,
  });

/**
 * Two tabs share one payment, as the server returns the same one for the same orders. A refusal reloads the
 * orders.
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
        // Drop the cached copy of the missing order.
        if (code === 'not-found') await resetOrders(client, orders);
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    // The secret must not outlive the page.
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });

/** Refusals that the reloaded orders explain. */
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

export const resetOrders = (client: QueryClient, orders: readonly Order[]) =>
  Promise.all(listIds(orders).map((id) => client.resetQueries({ queryKey: orderQueryOptions(id).queryKey })));

/** Reads the orders again. */
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

/** Repeatable, so a broken connection is retried twice. */
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
