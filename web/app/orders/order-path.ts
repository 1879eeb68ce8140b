import type { Order } from '@parts-forge/contract/orders/orders';

export const getOrderPath = ({ _id }: Pick<Order, '_id'>): string => `/dashboard/order/${_id}`;

export const getPurchasePath = (number: number): string => `/dashboard/purchase/${number}`;

/** The payment page of one or several orders. */
export function getPaymentPath(orders: readonly Pick<Order, '_id'>[]): string {
  const ids = orders.map(({ _id }) => _id);
  return ids.length === 1 ? `/dashboard/payment/${ids[0]}` : `/dashboard/payment?orders=${ids.join()}`;
}

/** The order ids of the payment page's address, without duplicates. */
export const readPaidOrders = (search: URLSearchParams): string[] => [
  ...new Set((search.get('orders') ?? '').toLowerCase().split(',').filter(Boolean)),
];
