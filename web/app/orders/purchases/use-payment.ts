import type { OrderEvent } from '@parts-forge/contract/events/trail';
import type { Order } from '@parts-forge/contract/orders/orders';
import { useQuery } from '@tanstack/react-query';
import { describeCard } from '#app/orders/money/describe-card.ts';
import { orderPaymentQueryOptions } from '#app/orders/queries.ts';

/**
 * The card and time of a payment. Only the provider knows the card, and answers administrators.
 * @param trail of the purchase; payments from before it began have no time
 */
export function usePayment(
  { _id, transactionId }: Order,
  isForAdmin: boolean,
  trail: readonly OrderEvent[] | null | undefined,
) {
  const { data: payment } = useQuery({ ...orderPaymentQueryOptions(_id), enabled: isForAdmin });
  const isOfOrder = payment?.transactionId === transactionId;
  return {
    card: isOfOrder && payment?.card && describeCard(payment.card),
    paidAt: trail?.find((entry) => entry.event === 'paid' && entry.transactionId === transactionId)?.at,
  };
}
