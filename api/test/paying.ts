import { createCardSandbox } from '@parts-forge/card-sandbox';
import { signEvent } from '@parts-forge/card-sandbox/webhook-signature';
import type { Order } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import { ensureSandboxSecrets } from '#src/payments/provider/create-provider.ts';
import { payments } from '#src/payments/schema.ts';
import type { Answer } from './answer.ts';
import { anOrder, aProduct, type Person, signedInAs } from './builders.ts';
import type { TestShop } from './start-shop.ts';

export const readIntentId = (clientSecret: string) => clientSecret.replace(/_secret_.*$/, '');

/** As the page does when it opens. */
export const openPayment = (shop: TestShop, customer: Person, order: Order): Promise<Answer> =>
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
  customer: Person,
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
  customer: Person,
  order: Order,
): Promise<{ clientSecret: string; id: string }> {
  const { status, body } = await openPayment(shop, customer, order);
  if (status !== 200) throw new Error(`The payment was refused: ${JSON.stringify(body)}`);
  return { clientSecret: body.clientSecret, id: readIntentId(body.clientSecret) };
}

/** With the test card that succeeds: the order becomes pending. */
export async function pay(shop: TestShop, customer: Person, order: Order): Promise<string> {
  const { clientSecret, id } = await anOpenPayment(shop, customer, order);
  await confirmCard(shop, clientSecret);
  const recorded = await recordPayment(shop, customer, order, id);
  if (recorded.status !== 200) throw new Error(`The payment was refused: ${JSON.stringify(recorded.body)}`);
  return id;
}

export async function controlSandbox(shop: TestShop, change: object): Promise<void> {
  const { status, body } = await shop.request('/sandbox/stripe/control', { method: 'POST', body: change });
  if (status !== 200) throw new Error(`The sandbox refused: ${JSON.stringify(body)}`);
}

export const readSandbox = async (shop: TestShop) => (await shop.request('/sandbox/stripe/control')).body;

/** Polls. */
export async function orderBecomes(
  shop: TestShop,
  reader: Person,
  order: Order,
  status: Order['status'],
): Promise<Order> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { body } = await shop.request(`/order/${order._id}`, { token: reader.token });
    if (body.status === status) return body;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`The order did not become ${status}.`);
}

/** 57 of 1000 pieces at $19.99. */
export async function aDueOrder(shop: TestShop) {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop, { price: 19.99, quantity: 1000 });
  return { customer, product, order: await anOrder(shop, customer, product, 57) };
}

/** Null when not found. */
export async function readOrder(shop: TestShop, reader: Person, order: Order): Promise<Order | null> {
  const { status, body } = await shop.request(`/order/${order._id}`, { token: reader.token });
  return status === 404 ? null : body;
}

export const cancelOrder = (shop: TestShop, actor: Person, order: Order): Promise<Answer> =>
  shop.request(`/order/${order._id}`, { method: 'DELETE', token: actor.token });

export const acceptPayment = (
  shop: TestShop,
  actor: Person,
  order: Order,
  more: object = {},
): Promise<Answer> =>
  shop.request(`/order/accept/${order._id}`, {
    method: 'PUT',
    token: actor.token,
    body: { status: 'paid', ...more },
  });

/** From its type. */
export const readCode = (answer: Pick<Answer, 'body'> & Partial<Answer>): string =>
  String(answer.body?.type).replace('urn:parts-forge:problem:', '');

/** Oldest first. */
export const paymentRows = (shop: TestShop, order: Order) =>
  shop.services.database.db
    .select()
    .from(payments)
    .where(eq(payments.orderId, order._id))
    .orderBy(payments.createdAt);

/** Through another instance of the card sandbox on the shop's database. */
export async function askProvider(
  shop: TestShop,
  path: string,
  form?: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { database, clock, log } = shop.services;
  const secrets = await ensureSandboxSecrets(database);
  const sandbox = createCardSandbox({
    pool: database.pool,
    clock,
    log,
    ...secrets,
    withControl: true,
    // Only the registered instance delivers.
    deliverEvent: async () => 500,
  });
  const response = await sandbox.fetch(`https://api.stripe.com${path}`, {
    method: form ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${secrets.secretKey}`, ...headers },
    ...(form && { body: new URLSearchParams(form).toString() }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Correctly signed by default. */
export async function sendEvent(
  shop: TestShop,
  event: object,
  { secret, tampered = false }: { secret?: string; tampered?: boolean } = {},
): Promise<Answer> {
  const { webhookSecret } = await ensureSandboxSecrets(shop.services.database);
  const body = JSON.stringify(event);
  const signature = signEvent(body, secret ?? webhookSecret, new Date());
  return shop.request('/webhooks/stripe', {
    method: 'POST',
    body: tampered ? body.replace('{', '{ ') : body,
    headers: { 'stripe-signature': signature },
  });
}

export const refundOrder = (
  shop: TestShop,
  admin: Person,
  order: Order,
  body: object = { returnStock: true },
): Promise<Answer> =>
  shop.request(`/order/${order._id}/refund`, { method: 'POST', token: admin.token, body });

/** Closed or not. */
export const readClosedOrder = async (shop: TestShop, reader: Person, order: Order): Promise<Order> =>
  (await shop.request(`/order/${order._id}?closed=true`, { token: reader.token })).body;

/** Not by the shop. */
export async function refundAtProvider(shop: TestShop, id: string, amountCents?: number): Promise<string> {
  const form = { payment_intent: id, ...(amountCents && { amount: String(amountCents) }) };
  const { status, body } = await askProvider(shop, '/v1/refunds', form);
  if (status !== 200) throw new Error(`The sandbox refused: ${JSON.stringify(body)}`);
  return body.id;
}
