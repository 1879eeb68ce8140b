import { canMove, type OrderStatus } from '@parts-forge/contract/order-states';
import type { ProviderPayment } from './provider.ts';

/** What an order must be for a payment of it to count. */
interface PaidOrder {
  totalCents: number;
  currency: string;
  status: OrderStatus;
  cancelledAt: Date | null;
}

/** The payment was made for the order's whole total, in its currency. */
export const isForTotal = (
  payment: Pick<ProviderPayment, 'amountCents' | 'currency'>,
  order: Pick<PaidOrder, 'totalCents' | 'currency'>,
): boolean => payment.amountCents === order.totalCents && payment.currency === order.currency;

/** The money is the shop's: received, given back in no part, and called into question by no bank. */
export const isMoneyThere = (payment: Pick<ProviderPayment, 'status' | 'refunded' | 'disputed'>): boolean =>
  payment.status === 'succeeded' && !payment.refunded && !payment.disputed;

/** The payment makes the order pending: it is whole, nothing of it went back, and the order still waits for it. */
export const canSettle = (
  payment: Pick<ProviderPayment, 'amountCents' | 'receivedCents' | 'currency' | 'refunded'>,
  order: PaidOrder,
): boolean =>
  isPayable(order) &&
  isForTotal(payment, order) &&
  payment.receivedCents === order.totalCents &&
  !payment.refunded;

/** The order waits for a payment. */
export const isPayable = (order: Pick<PaidOrder, 'status' | 'cancelledAt'>): boolean =>
  order.cancelledAt === null && canMove(order.status, 'pay');
