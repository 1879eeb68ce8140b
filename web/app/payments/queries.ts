import type { Order } from '@parts-forge/contract/orders';
import { openPayment, recordPayment } from '@parts-forge/contract/payments';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callShop } from '#app/calls/api-client.ts';
import { configQueryOptions } from '#app/calls/shop-config.ts';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { OfflineError } from '#app/http/errors.ts';
import { orderQueryOptions } from '#app/orders/queries.ts';
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
 * The open payment of an unpaid order. The server gives the same one however often it is asked (payments in two
 * tabs are one payment). A refusal that says that the order is no longer due reloads the order first.
 */
export const paymentQueryOptions = (order: Order) =>
  queryOptions({
    queryKey: ['payment', order._id],
    queryFn: async ({ client }) => {
      try {
        return await callShop(openPayment, { body: { price: order.totalPrice, order: order._id } });
      } catch (error) {
        const code = getProblemCode(error);
        if (code === 'already-paid' || code === 'price-mismatch') {
          await client.invalidateQueries({ queryKey: orderQueryOptions(order._id).queryKey });
        }
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

/** Says that an order was paid for. Harmless to repeat, so two more tries follow a broken connection. */
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
