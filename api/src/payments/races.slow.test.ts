import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import {
  aDueOrder,
  anOpenPayment,
  cancelOrder,
  confirmCard,
  controlSandbox,
  openPayment,
  paymentRows,
  readOrder,
  recordPayment,
} from '#test/paying.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

let shop: TestShop;
/** A second process on the same database. */
let other: TestShop;
beforeAll(async () => {
  shop = await startShop();
  other = await startShop({ shareDatabaseWith: shop });
});
beforeEach(() => controlSandbox(shop, { webhooks: 'drop' }));
afterAll(async () => {
  await other.close();
  await shop.close();
});

test('three tabs that confirm together pay once', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { customer, order } = await aDueOrder(shop);
    const { clientSecret, id } = await anOpenPayment(shop, customer, order);
    const answers = await Promise.all(
      [1, 2, 3].map((tab) => confirmCard(tab === 2 ? other : shop, clientSecret)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    for (const { body } of answers.filter(({ status }) => status === 400)) {
      expect(body.error).toMatchObject({
        code: 'payment_intent_unexpected_state',
        payment_intent: { id, status: 'succeeded' },
      });
    }
  }
});

test('a cancel beside an opening leaves no payable payment', async () => {
  for (let round = 0; round < 12; round += 1) {
    const { customer, order } = await aDueOrder(shop);
    const [opened, cancelled] = await Promise.all([
      openPayment(shop, customer, order),
      cancelOrder(other, customer, order),
    ]);
    expect(cancelled.status).toBe(200);
    expect([200, 404]).toContain(opened.status);
    if (opened.status === 200) {
      expect((await confirmCard(shop, opened.body.clientSecret)).body.error.payment_intent.status).toBe(
        'canceled',
      );
    }
    expect((await paymentRows(shop, order)).filter(({ state }) => state === 'open')).toEqual([]);
  }
});

test("a stranger's record and an administrator's cancel change no payer", async () => {
  const { customer, order } = await aDueOrder(shop);
  const { clientSecret, id } = await anOpenPayment(shop, customer, order);
  const thief = await aDueOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  await confirmCard(shop, clientSecret);
  const [stolen, cancelled] = await Promise.all([
    recordPayment(shop, thief.customer, thief.order, id),
    cancelOrder(shop, admin, order),
  ]);
  expect([stolen.status, cancelled.status]).toEqual([409, 409]);
  expect(await readOrder(shop, thief.customer, thief.order)).toMatchObject({ status: 'due' });
  expect(await readOrder(shop, customer, order)).toMatchObject({ status: 'pending', transactionId: id });
  expect(await shop.services.payments.findPayment(id)).toMatchObject({ refundedCents: 0 });
});
