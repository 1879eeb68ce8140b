import { DECLINE_PAUSE_MINUTES, MAX_DECLINES } from '@parts-forge/contract/calls/bounds';
import type { Order } from '@parts-forge/contract/orders/orders';
import { beforeEach, expect, test } from 'vitest';
import { aProduct, type Person, signedInAgain, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aDueOrder, anOpenPayment, confirmCard, expectRefusal, sendEvent } from '#test/paying.ts';
import { loseEvents } from '#test/payment-provider.ts';
import { readTrail } from '#test/trail.ts';
import { useShop } from '#test/use-shop.ts';

const clock = createMovableClock();

const shop = useShop({ clock, env: { METRICS_TOKEN: 'a-long-token-for-the-metrics' } });
beforeEach(() => loseEvents(shop));

let number = 0;
const aboutDecline = (id: string) => {
  number += 1;
  const object = { object: 'payment_intent', id };
  const type = 'payment_intent.payment_failed';
  return { id: `evt_declined_${number}`, object: 'event', type, data: { object }, created: 1 };
};

/** The shop hears of each. */
async function decline(customer: Person, order: Order, times: number): Promise<string> {
  const { clientSecret, id } = await customer.opensPayment(order);
  for (let tries = 0; tries < times; tries += 1) {
    expect((await confirmCard(shop, clientSecret, 'pm_card_chargeDeclined')).status).toBe(402);
    expect((await sendEvent(shop, aboutDecline(id))).status).toBe(200);
  }
  return clientSecret;
}

const anotherOrder = async (customer: Person) =>
  customer.orders(await aProduct(shop, { quantity: 1000 }), 50);

test('after five declined cards the next try has to wait', async () => {
  const { customer, order } = await aDueOrder(shop);
  await decline(customer, order, MAX_DECLINES - 1);
  const secret = await decline(customer, order, 1);
  const refused = await customer.asksToPay(order);
  expectRefusal(refused, 429, 'cards-declined');
  expect(refused.body.detail).toBe(
    '5 tries to pay were declined. Try another card in 15 minutes. Nothing was charged.',
  );
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
  // A good card, with the secret of before.
  expect((await confirmCard(shop, secret)).status).toBe(400);
  const admin = await signedInAs(shop, 'admin');
  expect(await readTrail(admin, order._id)).toContainEqual(
    expect.objectContaining({ event: 'cards-declined', by: { kind: 'provider' } }),
  );
  const metrics = await shop.request('/metrics', { token: 'a-long-token-for-the-metrics' });
  expect(metrics.body).toMatch(/^shop_declined_cards [5-9]/m);

  clock.aheadMs += DECLINE_PAUSE_MINUTES * 60_000;
  const later = await signedInAgain(shop, customer);
  await later.pays(order);
  expect(await later.reads(order)).toMatchObject({ status: 'pending' });
});

test('cards tried at one order after the other count together', async () => {
  const { customer, order } = await aDueOrder(shop);
  const second = await anotherOrder(customer);
  const third = await customer.opensPayment(await anotherOrder(customer));
  await decline(customer, order, 3);
  await decline(customer, second, 2);
  expect(await shop.services.payments.findPayment(third.id)).toMatchObject({ status: 'canceled' });
  expect((await customer.asksToPay(order)).status).toBe(429);
  const other = await aDueOrder(shop);
  expect((await other.customer.asksToPay(other.order)).status).toBe(200);
});

test('a repeated event counts once', async () => {
  const { customer, order, id } = await anOpenPayment(shop);
  const event = aboutDecline(id);
  for (let times = 0; times < MAX_DECLINES; times += 1) await sendEvent(shop, event);
  expect((await customer.asksToPay(order)).status).toBe(200);
});

test('a payment that succeeded meanwhile pays its order', async () => {
  const { customer, order } = await aDueOrder(shop);
  await decline(customer, order, MAX_DECLINES - 1);
  const { clientSecret, id } = await customer.opensPayment(order);
  await confirmCard(shop, clientSecret);
  await sendEvent(shop, aboutDecline(id));
  expect(await customer.reads(order)).toMatchObject({ status: 'pending' });
});
