import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { trail } from '#src/trail/schema.ts';
import { signedInAs } from '#test/builders.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, confirmCard, controlSandbox, refundOrder, sendEvent } from '#test/paying.ts';
import { createPayment, listRefunds, loseEvents, withProvider } from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';
import { findRefunds } from '../refunds/refund-store.ts';
import { findEventOutcome } from '../store.ts';
import { takeEvent } from './receive-event.ts';

const shop = useShop();
beforeEach(() => loseEvents(shop));

let number = 0;
const anEvent = (type: string, paymentId: string | null) => {
  number += 1;
  return { id: `evt_outcome_${number}`, type, paymentId, createdAt: null };
};
/** Takes the event. @returns its stored outcome and the payments that were read from the provider */
async function take(event: ReturnType<typeof anEvent>) {
  const findPayment = vi.fn(shop.services.payments.findPayment);
  const isNew = await withProvider(shop, { findPayment }, () => takeEvent(shop.services, event));
  const outcome = await findEventOutcome(shop.services.database.db, event.id);
  return { isNew, outcome, asked: findPayment.mock.calls.map(([id]) => id) };
}
async function paidUnnoticed() {
  const due = await aDueOrder(shop);
  const { clientSecret, id } = await due.customer.opensPayment(due.order);
  await confirmCard(shop, clientSecret);
  return { ...due, id };
}

describe('the outcome of an event', () => {
  test('is `applied` after a payment, and a repeat reads nothing', async () => {
    const { id } = await paidUnnoticed();
    const event = anEvent('payment_intent.succeeded', id);
    expect(await take(event)).toEqual({ isNew: true, outcome: 'applied', asked: [id] });
    expect(await take(event)).toEqual({ isNew: false, outcome: 'applied', asked: [] });
    expect(await take(anEvent('charge.refunded', id))).toMatchObject({ isNew: true, outcome: 'already' });
  });

  test('is `unknown` for a payment unknown to the provider', async () => {
    const event = anEvent('payment_intent.succeeded', 'pi_that_nobody_made');
    expect(await take(event)).toMatchObject({ outcome: 'unknown' });
  });

  test('is `ignored` for an irrelevant event, which reads nothing', async () => {
    const { id } = await paidUnnoticed();
    expect(await take(anEvent('payment_intent.created', id))).toEqual({
      isNew: true,
      outcome: 'ignored',
      asked: [],
    });
    expect(await take(anEvent('charge.refunded', null))).toEqual({
      isNew: true,
      outcome: 'ignored',
      asked: [],
    });
  });
});

test.each([
  ['charge.dispute.created', 1],
  ['charge.refunded', 0],
])("%s reads the payment's disputes %i times", async (type, times) => {
  const { id } = await aPendingOrder(shop);
  const listDisputes = vi.fn(shop.services.payments.listDisputes);
  await withProvider(shop, { listDisputes }, () => takeEvent(shop.services, anEvent(type, id)));
  expect(listDisputes).toHaveBeenCalledTimes(times);
});

describe('the refund of a payment that paid no order', () => {
  async function aRefundOnItsWay() {
    const { customer, order } = await aDueOrder(shop);
    const { id, clientSecret } = await createPayment(shop, { orderId: order._id });
    await customer.cancels(order);
    await confirmCard(shop, clientSecret);
    await controlSandbox(shop, { newRefunds: 'pending' });
    await customer.records(order, id);
    const readState = async () => (await findRefunds(shop.services.database.db, order._id))[0]?.state;
    expect(await readState()).toBe('pending');
    const finish = async (status: 'succeeded' | 'failed') => {
      const [made] = await listRefunds(shop, id);
      await controlSandbox(shop, { finishRefund: { refund: made?.id, status } });
    };
    return { id, readState, finish };
  }

  test('is read until it ends', async () => {
    const { id, readState, finish } = await aRefundOnItsWay();
    await finish('succeeded');
    await takeEvent(shop.services, anEvent('refund.updated', id));
    expect(await readState()).toBe('succeeded');
    // The payment is read once to settle it; the ended refund is not read again.
    expect((await take(anEvent('refund.updated', id))).asked).toEqual([id]);
  });

  test('stays pending after an event without news', async () => {
    const { id, readState } = await aRefundOnItsWay();
    await takeEvent(shop.services, anEvent('refund.updated', id));
    expect(await readState()).toBe('pending');
  });
});

test("an order's refund is read with its order, once", async () => {
  await controlSandbox(shop, { newRefunds: 'pending' });
  const { order, id } = await aPendingOrder(shop);
  await refundOrder(shop, await signedInAs(shop, 'admin'), order);
  expect(await take(anEvent('refund.updated', id))).toMatchObject({ outcome: 'already', asked: [id] });
});

test('the trail names the provider as actor of an event', async () => {
  const { id } = await paidUnnoticed();
  await sendEvent(shop, {
    id: 'evt_of_the_provider',
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { object: 'payment_intent', id } },
  });
  const entries = await shop.services.database.db.select().from(trail).where(eq(trail.paymentId, id));
  expect(entries).toMatchObject([{ event: 'paid', actor: 'provider', actorId: null }]);
});
