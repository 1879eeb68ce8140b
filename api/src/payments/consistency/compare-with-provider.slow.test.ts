import { afterEach, beforeEach, expect, test } from 'vitest';
import { payments } from '#src/payments/schema.ts';
import { findPaymentsChangedSince } from '#src/payments/store.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { paymentRows } from '#test/paying.ts';
import { pendingTogether } from '#test/paying-several.ts';
import { beginWithoutEvents } from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { compareWithProvider } from './compare-with-provider.ts';

const clock = createMovableClock();
let shop: TestShop;
beforeEach(async () => {
  shop = await startShop({ clock });
  await beginWithoutEvents(shop);
});
afterEach(() => shop.close());

/** Payments canceled at the same time, whose orders another payment paid together. */
async function canceledAtOnce(count: number) {
  const { db } = shop.services.database;
  const { id, orders } = await pendingTogether(shop, 3);
  const rows = (await Promise.all(orders.map((order) => paymentRows(shop, order)))).flat();
  clock.aheadMs += 3_600_000;
  const changedAt = clock.now();
  const dates = { createdAt: changedAt, updatedAt: changedAt };
  const ids = Array.from({ length: count }, (_, index) => `${id}_${String(index).padStart(3, '0')}`);
  await db
    .insert(payments)
    .values(
      ids.flatMap((each) => rows.map((row) => ({ ...row, ...dates, id: each, state: 'canceled' as const }))),
    );
  return { id, ids, changedAt };
}

/** The payments that the next rounds read from the provider. */
async function askedInRounds(rounds: number, known: string) {
  const asked = new Set<string>();
  const provider = shop.services.payments;
  const payment = await provider.findPayment(known);
  const findPayment = async (id: string) => {
    asked.add(id);
    return payment && { ...payment, id, status: id === known ? payment.status : ('canceled' as const) };
  };
  const services = { ...shop.services, payments: { ...provider, findPayment } };
  for (let round = 0; round < rounds; round += 1) {
    clock.aheadMs += 3_600_000;
    expect(await compareWithProvider(services)).toEqual([]);
  }
  return asked;
}

test('payments changed at the same time are listed once, page by page', async () => {
  const { ids, changedAt } = await canceledAtOnce(5);
  const list = (id: string) =>
    findPaymentsChangedSince(shop.services.database.db, { at: changedAt, id }, 2).then((found) =>
      found.map((payment) => payment.id),
    );
  expect(await list('')).toEqual([ids[0], ids[1]]);
  expect(await list(ids[1] ?? '')).toEqual([ids[2], ids[3]]);
  expect(await list(ids[3] ?? '')).toEqual([ids[4]]);
  expect(await list(ids[4] ?? '')).toEqual([]);
});

test('any number of payments changed together are compared within rounds', async () => {
  const { id, ids } = await canceledAtOnce(450);
  const asked = await askedInRounds(3, id);
  expect(ids.filter((each) => !asked.has(each))).toEqual([]);
  // Compared payments are not read again, apart from the sample of fifty.
  expect((await askedInRounds(1, id)).size).toBeLessThan(60);
});
