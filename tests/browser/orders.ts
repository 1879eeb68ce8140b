import { type APIRequestContext, expect } from '@playwright/test';
import { administrator, authorize, getAccessToken, type Person, register } from './people.ts';
import { addProduct, type Product } from './products.ts';

export interface PlacedOrder {
  id: string;
  token: string;
  totalPrice: number;
}

// Calls outside the page, as by another tab or person.

export async function placeOrder(
  request: APIRequestContext,
  person: Person,
  part: Product,
  quantity = part.minimumOrder,
): Promise<PlacedOrder> {
  const token = await getAccessToken(request, person);
  const totalPrice = quantity * part.price;
  const response = await request.post('/order', {
    headers: authorize(token),
    data: {
      email: person.email,
      name: person.name,
      address: '12 Oxford Street, Osu\nAccra, Ghana',
      phone: '233302771204',
      productId: part._id,
      productName: part.name,
      quantity,
      totalPrice,
      status: 'due',
      image: '',
    },
  });
  expect(response.status(), await response.text()).toBe(200);
  return { id: (await response.json()).insertedId, token, totalPrice };
}

/** Of a new product. */
export async function registerCustomerWithOrder(
  request: APIRequestContext,
): Promise<{ person: Person; part: Product; order: PlacedOrder }> {
  const person = await register(request);
  const part = await addProduct(request);
  return { person, part, order: await placeOrder(request, person, part) };
}

export async function cancelOrder(request: APIRequestContext, { id, token }: PlacedOrder): Promise<void> {
  const response = await request.delete(`/order/${id}`, {
    headers: authorize(token),
  });
  expect(response.status(), await response.text()).toBe(200);
}

/** As `payForOrders`. */
export const payForOrder = (request: APIRequestContext, order: PlacedOrder): Promise<string> =>
  payForOrders(request, [order]);

/** One customer's together, with a test token; then notifies the shop. */
export async function payForOrders(
  request: APIRequestContext,
  orders: readonly [PlacedOrder, ...PlacedOrder[]],
): Promise<string> {
  const [{ id, token }] = orders;
  const headers = authorize(token);
  const payment = await request.post('/create-payment-intent', {
    headers,
    data: {
      price: orders.reduce((sum, { totalPrice }) => sum + totalPrice, 0),
      orders: orders.map((order) => order.id),
    },
  });
  const { clientSecret } = await payment.json();
  const transactionId = await confirmPayment(request, clientSecret);
  const record = await request.put(`/order/${id}`, { headers, data: { order: id, transactionId } });
  expect(record.status(), await record.text()).toBe(200);
  return transactionId;
}

export async function acceptPayment(request: APIRequestContext, { id }: PlacedOrder): Promise<void> {
  const response = await request.put(`/order/accept/${id}`, {
    headers: authorize(await getAccessToken(request, administrator)),
    data: { status: 'paid' },
  });
  expect(response.status(), await response.text()).toBe(200);
}

export async function refundOrder(request: APIRequestContext, { id }: PlacedOrder): Promise<void> {
  const response = await request.post(`/order/${id}/refund`, {
    headers: authorize(await getAccessToken(request, administrator)),
    data: { returnStock: true },
  });
  expect(response.status(), await response.text()).toBe(200);
}

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
  const token = await getAccessToken(request, person);
  const response = await request.post('/order/batch', {
    headers: authorize(token),
    data: {
      email: person.email,
      address: '12 Oxford Street, Osu\nAccra, Ghana',
      phone: '233302771204',
      lines: parts.map(({ _id, price }) => ({ productId: _id, quantity: 50, totalPrice: 50 * price })),
    },
  });
  expect(response.status(), await response.text()).toBe(200);
  const { insertedIds } = await response.json();
  return parts.map(({ price }, line) => ({ id: insertedIds[line], token, totalPrice: 50 * price }));
}
