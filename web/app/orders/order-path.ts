import type { Order } from '@parts-forge/contract/orders';

/** The page of an order. */
export const getOrderPath = ({ _id }: Pick<Order, '_id'>): string => `/dashboard/order/${_id}`;

/** Where unpaid orders are paid for, one alone or several with one payment. */
export function getPaymentPath(orders: readonly Pick<Order, '_id'>[]): string {
  const ids = orders.map(({ _id }) => _id);
  return ids.length === 1 ? `/dashboard/payment/${ids[0]}` : `/dashboard/payment?orders=${ids.join()}`;
}

/** The orders that the address of the payment page names, each once. */
export const readPaidOrders = (search: URLSearchParams): string[] => [
  ...new Set((search.get('orders') ?? '').toLowerCase().split(',').filter(Boolean)),
];
