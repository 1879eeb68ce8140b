import type { Order } from '@parts-forge/contract/orders/orders';
import type { Answer } from './answer.ts';
import { aProduct, type Person, signedInAs } from './builders.ts';
import { confirmCard, readIntentId, readSandbox } from './paying.ts';
import type { TestShop } from './start-shop.ts';

/** 50 of 1000 pieces each, the n-th at n dollars a piece. */
export async function dueOrders(shop: TestShop, count: number) {
  const customer = await signedInAs(shop, 'user');
  const orders: Order[] = [];
  for (let index = 1; index <= count; index += 1) {
    const product = await aProduct(shop, { price: index, quantity: 1000 });
    orders.push(await customer.orders(product, 50));
  }
  return { customer, orders };
}

/** Ordered together, each of 50 pieces at another price, by number. */
export async function aPurchase(shop: TestShop, count: number, given?: Person) {
  const customer = given ?? (await signedInAs(shop, 'user'));
  const lines = [];
  for (let index = 0; index < count; index += 1) {
    lines.push([await aProduct(shop, { price: (307 + index * 111) / 100, quantity: 1000 }), 50] as const);
  }
  const { status, body } = await customer.placesBatch(lines);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const read = (id: string) => customer.get(`/order/${id}`);
  const answers = await Promise.all(body.insertedIds.map(read));
  const orders: Order[] = answers.map((answer) => answer.body).toSorted((a, b) => a.number - b.number);
  return { customer, orders };
}

export const sumTotals = (orders: readonly Order[]): number =>
  orders.reduce((sum, { totalPrice }) => sum + totalPrice, 0);

export const openTogether = (
  customer: Person,
  orders: readonly Order[],
  price = sumTotals(orders),
): Promise<Answer> =>
  customer.post('/create-payment-intent', { price, orders: orders.map(({ _id }) => _id) });

/** Including those unknown to the shop. */
export async function paymentsAtProvider(shop: TestShop, orders: readonly Order[]) {
  const intents: { id: string; status: string; metadata: { orderId?: string } }[] = (await readSandbox(shop))
    .intents;
  return intents.filter(({ metadata }) => orders.some(({ _id }) => metadata.orderId?.includes(_id)));
}

export async function anOpenPaymentTogether(customer: Person, orders: readonly Order[]) {
  const { status, body } = await openTogether(customer, orders);
  if (status !== 200) throw new Error(`The payment was refused: ${JSON.stringify(body)}`);
  return { clientSecret: String(body.clientSecret), id: readIntentId(body.clientSecret) };
}

/** The shop has not been notified. */
export async function paidUnnoticedTogether(shop: TestShop, count: number, order = dueOrders) {
  const due = await order(shop, count);
  const { clientSecret, id } = await anOpenPaymentTogether(due.customer, due.orders);
  const { status } = await confirmCard(shop, clientSecret);
  if (status !== 200) throw new Error(`The card was refused with ${status}.`);
  return { ...due, id };
}

/** By one payment, which the shop records. @returns its id */
export async function payTogether(
  shop: TestShop,
  customer: Person,
  orders: readonly Order[],
): Promise<string> {
  const { clientSecret, id } = await anOpenPaymentTogether(customer, orders);
  await confirmCard(shop, clientSecret);
  const { status, body } = await customer.records(orders[0] as Order, id);
  if (status !== 200) throw new Error(`The payment was refused: ${JSON.stringify(body)}`);
  return id;
}

/** Of one payment. @param order `aPurchase`: they share a paper */
export async function pendingTogether(shop: TestShop, count: number, order = dueOrders) {
  const due = await order(shop, count);
  return { ...due, id: await payTogether(shop, due.customer, due.orders) };
}
