import { createCardSandbox } from '@parts-forge/card-sandbox';
import { signEvent } from '@parts-forge/card-sandbox/webhook-signature';
import type { ProblemCode } from '@parts-forge/contract/calls/problems';
import type { Order } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { ensureSandboxSecrets } from '#src/payments/provider/create-provider.ts';
import { payments } from '#src/payments/schema.ts';
import type { Answer } from './answer.ts';
import { aProduct, signedInAs } from './builders.ts';
import { confirmCard, type Person } from './person.ts';
import type { TestShop } from './start-shop.ts';

export { confirmCard, readIntentId } from './person.ts';

export async function controlSandbox(shop: TestShop, change: object): Promise<void> {
  const { status, body } = await shop.request('/sandbox/stripe/control', { method: 'POST', body: change });
  if (status !== 200) throw new Error(`The sandbox refused: ${JSON.stringify(body)}`);
}

export const readSandbox = async (shop: TestShop) => (await shop.request('/sandbox/stripe/control')).body;

/** Polls. */
export async function orderBecomes(reader: Person, order: Order, status: Order['status']): Promise<Order> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { body } = await reader.get(`/order/${order._id}`);
    if (body.status === status) return body;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`The order did not become ${status}.`);
}

/** 57 of 1000 pieces at $19.99. */
export async function aDueOrder(shop: TestShop) {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop, { price: 19.99, quantity: 1000 });
  return { customer, product, order: await customer.orders(product, 57) };
}

/** A due order whose customer has opened the page of its payment. */
export async function anOpenPayment(shop: TestShop) {
  const due = await aDueOrder(shop);
  return { ...due, ...(await due.customer.opensPayment(due.order)) };
}

/** Its payment has succeeded without the shop noticing. */
export async function paidUnnoticed(shop: TestShop) {
  const { clientSecret, ...open } = await anOpenPayment(shop);
  await confirmCard(shop, clientSecret);
  return open;
}

/** From its type. */
export const readCode = (answer: Pick<Answer, 'body'> & Partial<Answer>): string =>
  String(answer.body?.type).replace('urn:parts-forge:problem:', '');

/** With the status and the code of a problem. */
export function expectRefusal(answer: Answer, status: number, code: ProblemCode): void {
  expect([answer.status, readCode(answer)]).toEqual([status, code]);
}

/** Oldest first. */
export const paymentRows = (shop: TestShop, order: Order) =>
  shop.db.select().from(payments).where(eq(payments.orderId, order._id)).orderBy(payments.createdAt);

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
    money: { currency: shop.config.currency.toLowerCase(), format: String },
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

/** Not by the shop. */
export async function refundAtProvider(shop: TestShop, id: string, amountCents?: number): Promise<string> {
  const form = { payment_intent: id, ...(amountCents && { amount: String(amountCents) }) };
  const { status, body } = await askProvider(shop, '/v1/refunds', form);
  if (status !== 200) throw new Error(`The sandbox refused: ${JSON.stringify(body)}`);
  return body.id;
}
