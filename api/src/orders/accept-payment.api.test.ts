import { sandboxObjects } from '@parts-forge/card-sandbox/schema';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { acceptPayment, aDueOrder, askProvider, controlSandbox, readCode } from '#test/paying.ts';
import { useShop } from '#test/use-shop.ts';

const shop = useShop();
beforeEach(() => controlSandbox(shop, { webhooks: 'drop', faults: [] }));

test('accepting a pending order makes it paid', async () => {
  const { customer, order } = await aDueOrder(shop);
  await customer.pays(order);
  const answer = await acceptPayment(shop, await signedInAs(shop, 'admin'), order);
  expect([answer.status, answer.body]).toEqual([200, { acknowledged: true }]);
  expect(await customer.reads(order)).toMatchObject({ status: 'paid' });
});

test('a due and a paid order cannot be accepted', async () => {
  const { customer, order } = await aDueOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  const due = await admin.accepts(order);
  expect([due.status, readCode(due)]).toEqual([409, 'not-pending']);
  await customer.pays(order);
  await admin.accepts(order);
  expect(readCode(await admin.accepts(order))).toBe('not-pending');
});

test('exactly one of several concurrent acceptances succeeds', async () => {
  const { customer, order } = await aDueOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  await customer.pays(order);
  const answers = await Promise.all(Array.from({ length: 5 }, () => admin.accepts(order)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
});

test('customers and visitors cannot accept orders, not even their own', async () => {
  const { customer, order } = await aDueOrder(shop);
  await customer.pays(order);
  const answer = await customer.accepts(order);
  expect([answer.status, readCode(answer)]).toEqual([403, 'admin-needed']);
  const path = `/order/accept/${order._id}`;
  expect((await shop.request(path, { method: 'PUT', body: { status: 'paid' } })).status).toBe(401);
  expect(await customer.reads(order)).toMatchObject({ status: 'pending' });
});

test('unknown and cancelled orders are not found', async () => {
  const { customer, order } = await aDueOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  const unknown = { ...order, _id: '019a0000-0000-7000-8000-000000000000' };
  expect((await admin.accepts(unknown)).status).toBe(404);
  await customer.cancels(order);
  expect((await admin.accepts(order)).status).toBe(404);
});

test("the body must say status 'paid'", async () => {
  const { customer, order } = await aDueOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  await customer.pays(order);
  for (const body of [{}, { status: 'pending' }, { status: true }]) {
    const answer = await admin.put(`/order/accept/${order._id}`, body);
    expect(answer.status).toBe(422);
  }
});

test('an order refunded at the provider is not accepted', async () => {
  const { customer, order } = await aDueOrder(shop);
  const id = await customer.pays(order);
  await askProvider(shop, '/v1/refunds', { payment_intent: id, amount: '100' });
  const answer = await acceptPayment(shop, await signedInAs(shop, 'admin'), order);
  expect([answer.status, readCode(answer)]).toEqual([409, 'partly-refunded']);
  expect(await customer.reads(order)).toMatchObject({ status: 'pending' });
});

test('an order with an unknown payment is not accepted', async () => {
  const { customer, order } = await aDueOrder(shop);
  const id = await customer.pays(order);
  const { db } = shop.services.database;
  await db.delete(sandboxObjects).where(eq(sandboxObjects.id, id));
  const answer = await acceptPayment(shop, await signedInAs(shop, 'admin'), order);
  expect([answer.status, readCode(answer)]).toEqual([422, 'unknown-payment']);
  expect(await customer.reads(order)).toMatchObject({ status: 'pending' });
});

test('an unanswered provider request accepts nothing', async () => {
  const { customer, order } = await aDueOrder(shop);
  await customer.pays(order);
  await controlSandbox(shop, { faults: [{ fault: '429' }] });
  const answer = await acceptPayment(shop, await signedInAs(shop, 'admin'), order);
  expect([answer.status, readCode(answer)]).toEqual([503, 'unavailable']);
  await controlSandbox(shop, { faults: [{ fault: '500', times: 9 }] });
  const broken = await acceptPayment(shop, await signedInAs(shop, 'admin'), order);
  expect([broken.status, readCode(broken)]).toEqual([503, 'provider-broken']);
  expect(await customer.reads(order)).toMatchObject({ status: 'pending' });
  shop.expectErrors();
});
