import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
  refundOrder,
} from '#test/paying.ts';
import { beginWithoutEvents, reconcileLater } from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

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
  const dispute = (intent: string, status: string) => controlSandbox(shop, { dispute: { intent, status } });

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
});
