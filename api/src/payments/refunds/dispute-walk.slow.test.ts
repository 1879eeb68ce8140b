import type { Order } from '@parts-forge/contract/orders/orders';
import { expect, test } from 'vitest';
import { checkConsistency } from '#src/consistency/check-consistency.ts';
import { findNotes, sumCredited } from '#src/invoices/store.ts';
import { atFullSize } from '#test/full-size.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { controlSandbox } from '#test/paying.ts';
import { pendingTogether } from '#test/paying-several.ts';
import { beginWithoutEvents, refreshPayment } from '#test/payment-provider.ts';
import { prepared, useShop } from '#test/use-shop.ts';
import { summarizeMoney } from './refund-rules.ts';

const shop = useShop();
const admin = prepared(() => beginWithoutEvents(shop));

/** Who has the money: the shop, too, while the bank only asks; `nobody` while it decides. */
const meanings = {
  warning_needs_response: 'asked',
  warning_under_review: 'asked',
  warning_closed: 'shop',
  needs_response: 'nobody',
  under_review: 'nobody',
  won: 'shop',
  lost: 'customer',
  appeal_needs_response: 'customer',
  appeal_under_review: 'customer',
  prevented: 'customer',
  something_new: 'nobody',
} as const;
type Status = keyof typeof meanings;
const statuses = Object.keys(meanings) as Status[];

/** Each status follows each other one. */
const walk = statuses.flatMap((from, index) => [
  ...statuses.slice(index + 1).flatMap((to) => [from, to]),
  from,
]);

async function moveTo(intent: string, status: Status): Promise<void> {
  await controlSandbox(shop, { dispute: { intent, status } });
  await refreshPayment(shop, intent);
}

async function readMoney(order: Order) {
  const { closed, refund, returned, disputed, inquiry } = await admin.readsClosed(order);
  const credited = sumCredited(await findNotes(shop.db, order._id)) / 100;
  return { closed, refunded: refund?.amount ?? 0, returned, disputed, inquiry, credited };
}

function expectAfter(walked: readonly Status[], { totalPrice }: Order, isAccepted: boolean) {
  const meant = walked.map((status) => meanings[status]);
  const decided = meant.findLast((who) => who !== 'nobody');
  const last = meant.at(-1);
  const isClosed = !isAccepted && meant.includes('customer');
  const isHeld = last === 'nobody' || last === 'asked';
  const refunded = decided === 'customer' ? totalPrice : 0;
  return {
    closed: isClosed ? 'refunded' : undefined,
    refunded,
    returned: isClosed && (last === 'shop' || last === 'asked') ? totalPrice : undefined,
    disputed: isHeld || undefined,
    inquiry: last === 'asked' || undefined,
    credited: refunded,
  };
}

const readRevenue = async () => {
  const { body } = await admin.get('/overview');
  return Math.round(
    100 * body.revenue.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0),
  );
};

const lost = {
  refundCents: 500,
  unassignedCents: 0,
  refundState: 'succeeded',
  failedCents: 0,
  settledCents: 500,
  lostCents: 500,
  disputed: false,
  inquiry: false,
} as const;

test('each state of a dispute may follow each other state', async () => {
  const { id, order } = await aPendingOrder(shop);
  const before = await readRevenue();
  for (const [step, status] of walk.entries()) {
    await moveTo(id, status);
    const walked = walk.slice(0, step + 1);
    const expected = expectAfter(walked, order, false);
    expect(await readMoney(order), walked.slice(-2).join(' to ')).toEqual(expected);
    expect(before - (await readRevenue())).toBe(Math.round(100 * expected.refunded));
  }
  expect(await checkConsistency(shop.services)).toMatchObject({ payments: 0, provider: 0 });
});

test('an undecided dispute keeps the money of its order alone', () => {
  const order = { id: 'A', totalCents: 500, closed: 'refunded', address: 'Ring Road 4', ...lost } as const;
  const claims = { refunds: [], disputes: [{ id: 'dp', amountCents: 500, state: 'open' } as const] };
  const payment = { amountCents: 500, refundedCents: 0, disputed: true };
  expect(summarizeMoney(payment, [], claims, [order])(order)).toEqual({
    ...lost,
    disputed: true,
    isGone: false,
  });
});

test('each state of a dispute moves both of two orders', async () => {
  const { id, orders } = await pendingTogether(shop, 2);
  const [accepted, pending] = orders;
  if (!accepted || !pending) throw new Error('Two orders are needed.');
  await admin.accepts(accepted);
  const steps = atFullSize(walk, [...statuses, ...statuses.toReversed()]);
  for (const [step, status] of steps.entries()) {
    await moveTo(id, status);
    const walked = steps.slice(0, step + 1);
    const seen = await Promise.all([readMoney(accepted), readMoney(pending)]);
    const expected = [expectAfter(walked, accepted, true), expectAfter(walked, pending, false)];
    expect(seen, walked.slice(-2).join(' to ')).toEqual(expected);
  }
  await moveTo(id, 'won');
  for (const order of orders) {
    expect((await admin.refunds(order)).body.refund).toEqual({
      amount: order.totalPrice,
      state: 'succeeded',
    });
    expect(await readMoney(order)).toMatchObject({ refunded: order.totalPrice, credited: order.totalPrice });
  }
  expect(await checkConsistency(shop.services)).toMatchObject({ payments: 0, provider: 0 });
});
