import { canMove, type OrderStatus } from '@parts-forge/contract/order-states';
import type { ProviderPayment } from './provider/provider.ts';

/** What an order must be for a payment of it to count. */
interface PaidOrder {
  totalCents: number;
  currency: string;
  status: OrderStatus;
  closedAt: Date | null;
}

/** The payment was made for all of its orders' totals, in their currency. */
export const isForTotal = (
  payment: Pick<ProviderPayment, 'amountCents' | 'currency'>,
  orders: readonly Pick<PaidOrder, 'totalCents' | 'currency'>[],
): boolean =>
  payment.amountCents === orders.reduce((sum, { totalCents }) => sum + totalCents, 0) &&
  orders.every(({ currency }) => currency === payment.currency);

/** Everything that was received went back, or is on its way back. */
export const isGivenBack = ({
  receivedCents,
  refundedCents,
}: Pick<ProviderPayment, 'receivedCents' | 'refundedCents'>): boolean =>
  receivedCents > 0 && refundedCents >= receivedCents;

/**
 * The payment makes the order pending: it was received as a whole, the order still waits for it, and it did not all go
 * back. One that went back in part pays the order all the same; what is missing is shown and stops its acceptance.
 * @param orders all that the payment is for
 */
export const canSettle = (
  payment: Pick<ProviderPayment, 'amountCents' | 'currency' | 'receivedCents' | 'refundedCents'>,
  order: PaidOrder,
  orders: readonly PaidOrder[],
): boolean =>
  isPayable(order) &&
  isForTotal(payment, orders) &&
  payment.receivedCents === payment.amountCents &&
  !isGivenBack(payment);

/** The order waits for a payment. */
export const isPayable = (order: Pick<PaidOrder, 'status' | 'closedAt'>): boolean =>
  order.closedAt === null && canMove(order.status, 'pay');
