import type { Order } from '@parts-forge/contract/orders/orders';
import type { Answer } from './answer.ts';
import type { TestShop } from './start-shop.ts';

/** Has a valid access token. */
export interface SignedIn {
  userId: string;
  email: string;
  name: string;
  token: string;
}

export const readIntentId = (clientSecret: string) => clientSecret.replace(/_secret_.*$/, '');

/** As the page does when it opens. */
export const openPayment = (shop: TestShop, customer: SignedIn, order: Order): Promise<Answer> =>
  shop.request('/create-payment-intent', {
    method: 'POST',
    token: customer.token,
    body: { price: order.totalPrice, order: order._id },
  });

/** Like the card form, with a test token. */
export async function confirmCard(
  shop: TestShop,
  clientSecret: string,
  paymentMethod = 'pm_card_visa',
): Promise<Answer> {
  const response = await fetch(
    `${shop.url}/sandbox/stripe/v1/payment_intents/${readIntentId(clientSecret)}/confirm`,
    {
      method: 'POST',
      body: new URLSearchParams({
        key: 'pk_test_sandbox',
        client_secret: clientSecret,
        payment_method: paymentMethod,
      }),
    },
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** As the page does after the card form. */
export const recordPayment = (
  shop: TestShop,
  customer: SignedIn,
  order: Order,
  transactionId: string,
): Promise<Answer> =>
  shop.request(`/order/${order._id}`, {
    method: 'PUT',
    token: customer.token,
    body: { order: order._id, transactionId },
  });

export async function anOpenPayment(
  shop: TestShop,
  customer: SignedIn,
  order: Order,
): Promise<{ clientSecret: string; id: string }> {
  const { status, body } = await openPayment(shop, customer, order);
  if (status !== 200) throw new Error(`The payment was refused: ${JSON.stringify(body)}`);
  return { clientSecret: body.clientSecret, id: readIntentId(body.clientSecret) };
}

/** With the test card that succeeds: the order becomes pending. */
export async function pay(shop: TestShop, customer: SignedIn, order: Order): Promise<string> {
  const { clientSecret, id } = await anOpenPayment(shop, customer, order);
  await confirmCard(shop, clientSecret);
  const recorded = await recordPayment(shop, customer, order, id);
  if (recorded.status !== 200) throw new Error(`The payment was refused: ${JSON.stringify(recorded.body)}`);
  return id;
}

/** Null when not found. */
export async function readOrder(shop: TestShop, reader: SignedIn, order: Order): Promise<Order | null> {
  const { status, body } = await shop.request(`/order/${order._id}`, { token: reader.token });
  return status === 404 ? null : body;
}

export const cancelOrder = (shop: TestShop, actor: SignedIn, order: Order): Promise<Answer> =>
  shop.request(`/order/${order._id}`, { method: 'DELETE', token: actor.token });

export const acceptPayment = (
  shop: TestShop,
  actor: SignedIn,
  order: Order,
  more: object = {},
): Promise<Answer> =>
  shop.request(`/order/accept/${order._id}`, {
    method: 'PUT',
    token: actor.token,
    body: { status: 'paid', ...more },
  });

export const refundOrder = (
  shop: TestShop,
  admin: SignedIn,
  order: Order,
  body: object = { returnStock: true },
): Promise<Answer> =>
  shop.request(`/order/${order._id}/refund`, { method: 'POST', token: admin.token, body });

/** Closed or not. */
export const readClosedOrder = async (shop: TestShop, reader: SignedIn, order: Order): Promise<Order> =>
  (await shop.request(`/order/${order._id}?closed=true`, { token: reader.token })).body;
