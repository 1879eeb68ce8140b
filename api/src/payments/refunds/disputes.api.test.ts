import type { Order } from '@parts-forge/contract/orders/orders';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findNotes } from '#src/invoices/store.ts';
import { fetchEvents } from '#src/payments/events/fetch-events.ts';
import type { Person } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aPendingOrder, readStock } from '#test/paid-orders.ts';
import {
  acceptPayment,
  controlSandbox,
  readClosedOrder,
  readCode,
  readOrder,
  refundAtProvider,
  refundOrder,
} from '#test/paying.ts';
import { beginWithoutEvents, reconcileLater } from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { refreshMoney } from './refresh-money.ts';

const clock = createMovableClock();
let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startShop({ clock });
});
beforeEach(async () => {
  admin = await beginWithoutEvents(shop);
});
afterAll(() => shop.close());

const nextRound = () => reconcileLater(shop, clock);

describe('a disputed payment', () => {
  const dispute = (intent: string, status: string, moved = true) =>
    controlSandbox(shop, { dispute: { intent, status, moved } });

  test('blocks acceptance and refund until the shop wins the dispute', async () => {
    const pending = await aPendingOrder(shop);
    await dispute(pending.id, 'needs_response');
    await nextRound();
    expect(await readOrder(shop, pending.customer, pending.order)).toMatchObject({ disputed: true });
    const refusals = [
      await acceptPayment(shop, admin, pending.order),
      await refundOrder(shop, admin, pending.order),
    ];
    expect(refusals.map((refusal) => [refusal.status, readCode(refusal)])).toEqual(
      Array(2).fill([409, 'disputed']),
    );
    await dispute(pending.id, 'won');
    await nextRound();
    expect(await readOrder(shop, admin, pending.order)).not.toHaveProperty('disputed');
    expect((await acceptPayment(shop, admin, pending.order)).status).toBe(200);
  });

  test('shows a deadline for evidence only until evidence is sent', async () => {
    const pending = await aPendingOrder(shop);
    const read = async () =>
      (await shop.request(`/order/${pending.order._id}/payment`, { token: admin.token })).body;
    expect(await read()).not.toHaveProperty('answerBy');
    await dispute(pending.id, 'needs_response');
    const { disputed, answerBy } = await read();
    const days = (Date.parse(answerBy) - clock.now().getTime()) / (24 * 3600 * 1000);
    expect([disputed, Math.round(days)]).toEqual([true, 12]);
    await dispute(pending.id, 'under_review');
    expect(await read()).toMatchObject({ disputed: true });
    expect(await read()).not.toHaveProperty('answerBy');
  });

  test('losing the dispute closes the order and returns its pieces', async () => {
    const pending = await aPendingOrder(shop);
    await dispute(pending.id, 'under_review');
    await dispute(pending.id, 'lost');
    await fetchEvents(shop.services);
    expect(await readOrder(shop, pending.customer, pending.order)).toBeNull();
    const closed = await readClosedOrder(shop, pending.customer, pending.order);
    expect(closed).toMatchObject({ closed: 'refunded', refund: { amount: 1139.43 } });
    expect(closed).not.toHaveProperty('disputed');
    expect(await readStock(shop, pending)).toBe(1000);
  });

  test('the acceptance finds a dispute of which no event arrived', async () => {
    const pending = await aPendingOrder(shop);
    await dispute(pending.id, 'warning_needs_response');
    expect(readCode(await acceptPayment(shop, admin, pending.order))).toBe('disputed');
    expect(await readOrder(shop, admin, pending.order)).toMatchObject({ status: 'pending', disputed: true });
  });

  test('an inquiry blocks the acceptance, and a refund settles it', async () => {
    const pending = await aPendingOrder(shop);
    await dispute(pending.id, 'warning_under_review');
    await nextRound();
    expect(await readOrder(shop, admin, pending.order)).toMatchObject({ disputed: true, inquiry: true });
    expect(readCode(await acceptPayment(shop, admin, pending.order))).toBe('disputed');
    expect((await refundOrder(shop, admin, pending.order)).body.refund).toEqual({
      amount: 1139.43,
      state: 'succeeded',
    });
    expect(await readStock(shop, pending)).toBe(1000);
  });

  test('a prevented one closes the order if its money went back', async () => {
    const pending = await aPendingOrder(shop);
    await dispute(pending.id, 'prevented', false);
    expect(readCode(await acceptPayment(shop, admin, pending.order))).toBe('disputed');
    await dispute(pending.id, 'prevented');
    expect(readCode(await acceptPayment(shop, admin, pending.order))).toBe('payment-refunded');
    expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({ closed: 'refunded' });
  });

  test('a won one holds the order until its money is back', async () => {
    const pending = await aPendingOrder(shop);
    await dispute(pending.id, 'needs_response');
    await dispute(pending.id, 'won', false);
    expect(readCode(await acceptPayment(shop, admin, pending.order))).toBe('disputed');
    await dispute(pending.id, 'won');
    expect((await acceptPayment(shop, admin, pending.order)).status).toBe(200);
  });

  test('an unknown status holds the order and is logged', async () => {
    const lines: string[] = [];
    const log = { ...shop.services.log, warn: (facts: object) => lines.push(JSON.stringify(facts)) };
    const pending = await aPendingOrder(shop);
    await dispute(pending.id, 'something_new');
    const payment = await shop.services.payments.findPayment(pending.id);
    if (!payment) throw new Error('The payment is unknown.');
    const services = { ...shop.services, log: log as unknown as typeof shop.services.log };
    await refreshMoney(services, payment, { asksForDisputes: true });
    expect(await readOrder(shop, admin, pending.order)).toMatchObject({ disputed: true });
    expect(lines.join()).toContain('"status":"something_new"');
  });
});

describe('money that comes back for a refunded order', () => {
  const dispute = (intent: string, status: string) => controlSandbox(shop, { dispute: { intent, status } });
  const readReturned = async () => (await shop.request('/overview', { token: admin.token })).body.returned;
  const readSeries = async (order: Order) =>
    (await findNotes(shop.services.database.db, order._id)).map(({ series, totalCents }) => [
      series,
      totalCents,
    ]);

  test('a won appeal is shown, refunded again and on paper', async () => {
    const pending = await aPendingOrder(shop);
    for (const status of ['lost', 'appeal_under_review']) {
      await dispute(pending.id, status);
      await fetchEvents(shop.services);
      expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({
        refund: { amount: 1139.43 },
      });
      expect(await readReturned()).toEqual([]);
    }
    await dispute(pending.id, 'won');
    await fetchEvents(shop.services);
    const { _id, number } = pending.order;
    expect(await readReturned()).toEqual([{ _id, number, amount: 1139.43 }]);
    const back = await readClosedOrder(shop, pending.customer, pending.order);
    expect(back).toMatchObject({ closed: 'refunded', returned: 1139.43 });
    expect(back).not.toHaveProperty('refund');
    expect((await refundOrder(shop, admin, pending.order)).body.refund).toEqual({
      amount: 1139.43,
      state: 'succeeded',
    });
    expect(await readReturned()).toEqual([]);
    expect(await readSeries(pending.order)).toEqual([
      ['credit-note', 113_943],
      ['debit-note', 113_943],
      ['credit-note', 113_943],
    ]);
    expect(await readStock(shop, pending)).toBe(1000);
    expect(readCode(await refundOrder(shop, admin, pending.order))).toBe('already-refunded');
  });

  test('a lost dispute that replaces a failed refund has one note', async () => {
    const pending = await aPendingOrder(shop);
    await controlSandbox(shop, { newRefunds: 'failed' });
    await refundOrder(shop, admin, pending.order);
    await dispute(pending.id, 'lost');
    await fetchEvents(shop.services);
    expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({
      refund: { amount: 1139.43, state: 'succeeded' },
    });
    const notes = await findNotes(shop.services.database.db, pending.order._id);
    expect(notes.map(({ series, totalCents, lost }) => [series, totalCents, lost])).toEqual([
      ['credit-note', 113_943, true],
    ]);
  });

  test('the shop refunds what the provider could not refund', async () => {
    const pending = await aPendingOrder(shop);
    const refund = await refundAtProvider(shop, pending.id);
    await fetchEvents(shop.services);
    expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({ closed: 'refunded' });
    await controlSandbox(shop, { finishRefund: { refund, status: 'failed' } });
    await fetchEvents(shop.services);
    expect(await readReturned()).toMatchObject([{ amount: 1139.43 }]);
    expect((await refundOrder(shop, admin, pending.order)).status).toBe(200);
    expect(await readReturned()).toEqual([]);
    expect((await readSeries(pending.order)).map(([series]) => series)).toEqual([
      'credit-note',
      'debit-note',
      'credit-note',
    ]);
  });

  test('a part that comes back is refunded alone', async () => {
    const pending = await aPendingOrder(shop);
    const first = await refundAtProvider(shop, pending.id, 20_000);
    await refundAtProvider(shop, pending.id);
    await fetchEvents(shop.services);
    await controlSandbox(shop, { finishRefund: { refund: first, status: 'failed' } });
    await fetchEvents(shop.services);
    expect(await readReturned()).toMatchObject([{ amount: 200 }]);
    expect((await refundOrder(shop, admin, pending.order)).body.refund).toMatchObject({ amount: 200 });
    expect(await readClosedOrder(shop, admin, pending.order)).toMatchObject({
      refund: { amount: 1139.43, state: 'succeeded' },
    });
  });
});
