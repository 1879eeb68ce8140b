import type { Order } from '@parts-forge/contract/orders/orders';
import type { Shipment } from '@parts-forge/contract/orders/shipments';
import { readProduct } from './builders.ts';
import { aDueOrder } from './paying.ts';
import type { Person } from './person.ts';
import type { TestShop } from './start-shop.ts';

/** 57 of 1000 pieces, $1139.43 in total. */
export async function aPendingOrder(shop: TestShop) {
  const due = await aDueOrder(shop);
  const id = await due.customer.pays(due.order);
  return { ...due, id };
}

/** Accepted. */
export async function aPaidOrder(shop: TestShop, admin: Person) {
  const pending = await aPendingOrder(shop);
  const { status } = await admin.accepts(pending.order);
  if (status !== 200) throw new Error(`The acceptance was refused with ${status}.`);
  return pending;
}

export async function aShipment(
  admin: Person,
  order: Pick<Order, '_id'>,
  change: object = {},
): Promise<Shipment> {
  const { status, body } = await admin.post(`/order/${order._id}/shipment`, {
    carrier: 'DHL',
    number: '0034 0434',
    sentAt: '2025-11-21T09:30:00.000Z',
    ...change,
  });
  if (status !== 200) throw new Error(`The parcel was refused: ${JSON.stringify(body)}`);
  return body.data;
}

/** Paid before invoices existed. */
export async function anOrderOfOldTimes(shop: TestShop) {
  const due = await aDueOrder(shop);
  await shop.pool.query(
    `insert into payments (id, order_id, attempt, amount_cents, payment_cents, currency, state)
     values ('pi_old_' || $1, $1::uuid, 1, 113943, 113943, 'usd', 'applied')`,
    [due.order._id],
  );
  await shop.pool.query(
    `update orders set status = 'paid', transaction_id = 'pi_old_' || $1 where id = $1::uuid`,
    [due.order._id],
  );
  return due;
}

/** Stock left of an order's product. */
export const readStock = async (shop: TestShop, { product }: { product: { _id: string } }): Promise<number> =>
  (await readProduct(shop, product._id)).quantity;
