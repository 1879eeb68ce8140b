import { canMove, type OrderStatus } from '@parts-forge/contract/orders/order-states';
import type { ProviderPayment } from './provider/provider.ts';

interface PaidOrder {
  totalCents: number;
  currency: string;
  status: OrderStatus;
  closedAt: Date | null;
}

export const isForTotal = (
  payment: Pick<ProviderPayment, 'amountCents' | 'currency'>,
  orders: readonly Pick<PaidOrder, 'totalCents' | 'currency'>[],
): boolean =>
  payment.amountCents === orders.reduce((sum, { totalCents }) => sum + totalCents, 0) &&
  orders.every(({ currency }) => currency === payment.currency);

/** Counts pending refunds as refunded. */
export const isFullyRefunded = ({
  receivedCents,
  refundedCents,
}: Pick<ProviderPayment, 'receivedCents' | 'refundedCents'>): boolean =>
  receivedCents > 0 && refundedCents >= receivedCents;

/** Whether the payment makes the order pending. A partly refunded one does, but blocks acceptance. */
export const canSettle = (
  payment: Pick<ProviderPayment, 'amountCents' | 'currency' | 'receivedCents' | 'refundedCents'>,
  order: PaidOrder,
  orders: readonly PaidOrder[],
): boolean =>
  isPayable(order) &&
  isForTotal(payment, orders) &&
  payment.receivedCents === payment.amountCents &&
  !isFullyRefunded(payment);

export const isPayable = (order: Pick<PaidOrder, 'status' | 'closedAt'>): boolean =>
  order.closedAt === null && canMove(order.status, 'pay');
