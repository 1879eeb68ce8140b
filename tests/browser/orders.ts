import { type APIRequestContext, expect } from '@playwright/test';
import { administrator, callAs, type Person, register } from './people.ts';
import { addProduct, type Product } from './products.ts';

export interface PlacedOrder {
  id: string;
  person: Person;
}

export async function placeOrder(
  request: APIRequestContext,
  person: Person,
  part: Product,
  quantity = part.minimumOrder,
): Promise<PlacedOrder> {
  const { insertedId: id } = await callAs(request, person, 'POST', '/order', {
    email: person.email,
    name: person.name,
    address: '12 Oxford Street, Osu\nAccra, Ghana',
    phone: '233302771204',
    productId: part._id,
    productName: part.name,
    quantity,
    totalPrice: quantity * part.price,
    status: 'due',
    image: '',
  });
  return { id, person };
}

/** Of a new product. */
export async function registerCustomerWithOrder(
  request: APIRequestContext,
): Promise<{ person: Person; part: Product; order: PlacedOrder }> {
  const person = await register(request);
  const part = await addProduct(request);
  return { person, part, order: await placeOrder(request, person, part) };
}

export const cancelOrder = (request: APIRequestContext, { id, person }: PlacedOrder): Promise<void> =>
  callAs(request, person, 'DELETE', `/order/${id}`);

/** As `payForOrders`. */
export const payForOrder = (request: APIRequestContext, order: PlacedOrder): Promise<string> =>
  payForOrders(request, [order]);

/** One customer's together, with a test token; then notifies the shop. */
export async function payForOrders(
  request: APIRequestContext,
  orders: readonly [PlacedOrder, ...PlacedOrder[]],
): Promise<string> {
  const [{ id, person }] = orders;
  // The list's breaks may have lowered what an order costs.
  const placed = await Promise.all(
    orders.map((order) => callAs(request, person, 'GET', `/order/${order.id}`)),
  );
  const { clientSecret } = await callAs(request, person, 'POST', '/create-payment-intent', {
    price: placed.reduce((sum, { totalPrice }) => sum + totalPrice, 0),
    orders: orders.map((order) => order.id),
  });
  const transactionId = await confirmPayment(request, clientSecret);
  await callAs(request, person, 'PUT', `/order/${id}`, { order: id, transactionId });
  return transactionId;
}

export const acceptPayment = (request: APIRequestContext, { id }: PlacedOrder): Promise<void> =>
  callAs(request, administrator, 'PUT', `/order/accept/${id}`, { status: 'paid' });

export const refundOrder = (request: APIRequestContext, { id }: PlacedOrder): Promise<void> =>
  callAs(request, administrator, 'POST', `/order/${id}/refund`, { returnStock: true });

/** @returns the payment's id */
async function confirmPayment(request: APIRequestContext, clientSecret: string): Promise<string> {
  const id = String(clientSecret.split('_secret_')[0]);
  const response = await request.post(`/sandbox/stripe/v1/payment_intents/${id}/confirm`, {
    headers: { authorization: 'Bearer pk_test_sandbox' },
    form: { client_secret: clientSecret, payment_method: 'pm_card_visa' },
  });
  expect(response.status(), await response.text()).toBe(200);
  return id;
}

/** 50 pieces of each part. */
export async function placePurchase(
  request: APIRequestContext,
  person: Person,
  parts: readonly Product[],
): Promise<PlacedOrder[]> {
  const { insertedIds } = await callAs(request, person, 'POST', '/order/batch', {
    email: person.email,
    address: '12 Oxford Street, Osu\nAccra, Ghana',
    phone: '233302771204',
    lines: parts.map(({ _id, price }) => ({ productId: _id, quantity: 50, totalPrice: 50 * price })),
  });
  return insertedIds.map((id: string) => ({ id, person }));
}
