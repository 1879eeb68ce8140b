import type { Order } from '@parts-forge/contract/orders/orders';
import { describe, expect, test, vi } from 'vitest';
import { ProviderError, type ProviderRefund } from '#src/payments/provider/provider.ts';
import { writeShare } from '#src/payments/store.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, confirmCard, controlSandbox, refundAtProvider } from '#test/paying.ts';
import { createPayment, listRefunds, useShopWithoutEvents, withProvider } from '#test/payment-provider.ts';
import { followRefund } from './follow-refund.ts';
import { findRefunds, insertRefund, type RefundRow } from './refund-store.ts';

const { clock, shop, admin } = useShopWithoutEvents();

const minutes = (count: number) => count * 60_000;
const cents = 113943;

async function readRefund({ id, orderId }: RefundRow): Promise<RefundRow> {
  const row = (await findRefunds(shop.db, orderId)).find((refund) => refund.id === id);
  if (!row) throw new Error('The refund is gone.');
  return row;
}
const follow = async (row: RefundRow) => followRefund(shop.services, await readRefund(row));

/** Reserves a refund for the payment of a cancelled order, without requesting it. */
async function aReservedRefund({ amountCents = cents, elsewhereCents = 0 } = {}): Promise<RefundRow> {
  const { customer, order } = await aDueOrder(shop);
  const { id, clientSecret } = await createPayment(shop, { orderId: order._id });
  await customer.cancels(order);
  await confirmCard(shop, clientSecret);
  return reserve(id, order, { amountCents, elsewhereCents });
}

/** Records the payment as refundable and reserves its refund. */
async function reserve(
  paymentId: string,
  order: Order,
  { amountCents = cents, elsewhereCents = 0 } = {},
): Promise<RefundRow> {
  const { database, ids } = shop.services;
  const payment = {
    id: paymentId,
    orderId: order._id,
    attempt: 99,
    amountCents: cents,
    paymentCents: cents,
    currency: 'usd',
  };
  await writeShare(database.db, { ...payment, state: 'refund_due' }, clock.now());
  return insertRefund(
    database.db,
    { id: ids.next(), paymentId, orderId: order._id, amountCents, elsewhereCents },
    clock.now(),
  );
}

const refuse = (reason: string) => () =>
  Promise.reject(new ProviderError('refused', reason, 'charge_disputed'));

describe('followRefund', () => {
  test('refunds the reserved amount once, however often it runs', async () => {
    const row = await aReservedRefund({ amountCents: 5000 });
    expect([await follow(row), await follow(row)]).toEqual(['succeeded', 'succeeded']);
    expect(await listRefunds(shop, row.paymentId)).toMatchObject([{ amount: 5000 }]);
    expect(await readRefund(row)).toMatchObject({ note: null });
  });

  test('refunds only the rest after a part was refunded elsewhere', async () => {
    const row = await aReservedRefund();
    await refundAtProvider(shop, row.paymentId, 100);
    expect(await follow(row)).toBe('succeeded');
    const given = (await listRefunds(shop, row.paymentId)).map(({ amount }) => amount);
    expect(given.sort()).toEqual([100, cents - 100].sort());
  });

  test.each(['succeeded', 'pending'] as const)(
    'requests nothing after a full external refund (%s)',
    async (state) => {
      const row = await aReservedRefund();
      await controlSandbox(shop, { newRefunds: state });
      await refundAtProvider(shop, row.paymentId);
      const createRefund = vi.fn(shop.services.payments.createRefund);
      await withProvider(shop, { createRefund }, async () => {
        expect(await follow(row)).toBe(state);
      });
      expect(createRefund).not.toHaveBeenCalled();
      expect(await readRefund(row)).toMatchObject({ state, note: 'refunded at the provider' });
    },
  );

  test.each(['succeeded', 'pending'] as const)(
    'takes the state of the external refund that emptied the payment (%s)',
    async (state) => {
      const row = await aReservedRefund();
      await controlSandbox(shop, { newRefunds: state });
      const isEmpty = async () => {
        await refundAtProvider(shop, row.paymentId);
        return null;
      };
      await withProvider(shop, { createRefund: isEmpty }, async () => {
        expect(await follow(row)).toBe(state);
      });
      expect(await readRefund(row)).toMatchObject({ state, note: 'refunded at the provider' });
    },
  );
});

describe('a refused refund', () => {
  test('fails with its reason and is retried later as a new attempt', async () => {
    const row = await aReservedRefund();
    const at = clock.now();
    await withProvider(shop, { createRefund: refuse('the card was closed') }, async () => {
      await expect(follow(row)).rejects.toThrow(ProviderError);
    });
    const failed = await readRefund(row);
    expect(failed).toMatchObject({ state: 'failed', attempt: 2 });
    expect(failed.note).toContain('the card was closed');
    expect(failed.nextLookAt.getTime()).toBeGreaterThanOrEqual(at.getTime() + minutes(2));

    // Too early for the next request.
    expect(await follow(row)).toBe('failed');
    expect(await listRefunds(shop, row.paymentId)).toEqual([]);
    expect((await readRefund(row)).nextLookAt).toEqual(failed.nextLookAt);

    clock.aheadMs += minutes(3);
    expect(await follow(row)).toBe('succeeded');
    expect(await listRefunds(shop, row.paymentId)).toMatchObject([{ amount: cents }]);
  });

  test("leaves the first payment's money unchanged when it concerns a second one", async () => {
    const { order } = await aPendingOrder(shop);
    const second = await createPayment(shop, { orderId: order._id });
    await confirmCard(shop, second.clientSecret);
    const row = await reserve(second.id, order);
    await withProvider(shop, { createRefund: refuse('the card was closed') }, async () => {
      await expect(follow(row)).rejects.toThrow(ProviderError);
    });
    expect(await admin.readsClosed(order)).not.toHaveProperty('refund');
  });

  test('fails when the provider does not know its payment', async () => {
    const row = await aReservedRefund();
    await withProvider(shop, { findPayment: async () => null }, async () => {
      expect(await follow(row)).toBe('failed');
    });
    expect(await readRefund(row)).toMatchObject({
      state: 'failed',
      note: 'unknown to the provider',
      attempt: 2,
    });
  });
});

describe('a refund that failed at the provider', () => {
  /** Requests the refund, then lets it fail at the provider. */
  async function aRefundThatFailedThere() {
    await controlSandbox(shop, { newRefunds: 'pending' });
    const row = await aReservedRefund();
    expect(await follow(row)).toBe('pending');
    const [made] = await listRefunds(shop, row.paymentId);
    await controlSandbox(shop, { finishRefund: { refund: made?.id, status: 'failed' } });
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    return row;
  }

  test('is stored as failed before the shop requests it again', async () => {
    const row = await aRefundThatFailedThere();
    expect(await follow(row)).toBe('failed');
    expect(await listRefunds(shop, row.paymentId)).toHaveLength(1);
    expect(await readRefund(row)).toMatchObject({ attempt: 2 });
    clock.aheadMs += minutes(3);
    expect(await follow(row)).toBe('succeeded');
    expect(await listRefunds(shop, row.paymentId)).toHaveLength(2);
  });

  test('is not requested again while another attempt is pending', async () => {
    const row = await aRefundThatFailedThere();
    await follow(row);
    clock.aheadMs += minutes(3);
    await controlSandbox(shop, { newRefunds: 'pending' });
    expect(await follow(row)).toBe('pending');
    clock.aheadMs += minutes(10);
    expect(await follow(row)).toBe('pending');
    expect(await listRefunds(shop, row.paymentId)).toHaveLength(2);
  });
});

describe('a refund that the provider lists', () => {
  /** Follows the refund while the provider lists one for it in this state. */
  async function followWith(
    row: RefundRow,
    state: ProviderRefund['state'],
    { amountCents } = { amountCents: row.amountCents },
  ) {
    const { payments } = shop.services;
    const createRefund = vi.fn(payments.createRefund);
    const made = { id: 're_made_elsewhere', amountCents, state, refundId: row.id };
    const result = await withProvider(shop, { createRefund, listRefunds: async () => [made] }, () =>
      follow(row),
    );
    return { result, asked: createRefund.mock.calls.length };
  }

  test.each(['pending', 'succeeded', 'failed'] as const)('is not requested again (%s)', async (state) => {
    expect(await followWith(await aReservedRefund({ amountCents: 5000 }), state)).toEqual({
      result: state,
      asked: 0,
    });
  });

  test('is not requested while another process has a pending attempt', async () => {
    const row = await aReservedRefund({ amountCents: 5000 });
    await withProvider(shop, { createRefund: refuse('the card was closed') }, async () => {
      await expect(follow(row)).rejects.toThrow(ProviderError);
    });
    clock.aheadMs += minutes(3);
    // Also when the pending attempt is smaller: its end decides what is owed then.
    const less = { amountCents: 4000 };
    expect(await followWith(row, 'pending', less)).toEqual({ result: 'pending', asked: 0 });
  });
});

test('a failed look delays the next one, so that other refunds proceed', async () => {
  const row = await aReservedRefund();
  clock.aheadMs += minutes(5);
  const at = clock.now();
  const findPayment = () => Promise.reject(new ProviderError('unreachable', 'no answer'));
  await withProvider(shop, { findPayment }, async () => {
    await expect(follow(row)).rejects.toThrow(ProviderError);
  });
  expect((await readRefund(row)).nextLookAt.getTime()).toBeGreaterThanOrEqual(at.getTime() + minutes(1));
});

test('a new refund that is listed already counts once', async () => {
  const { order, id } = await aPendingOrder(shop);
  const { payments } = shop.services;
  const made: ProviderRefund[] = [];
  const differences: Parameters<typeof withProvider>[1] = {
    createRefund: async (refund) => {
      const created = await payments.createRefund({ ...refund, amountCents: 5000 });
      if (created) made.push(created);
      return created;
    },
    // The list is read after the request took effect.
    listRefunds: async (asked) => (made.length > 0 ? payments.listRefunds(asked) : []),
  };
  await withProvider(shop, differences, () => admin.refunds(order));
  expect(await listRefunds(shop, id)).toMatchObject([{ amount: 5000 }]);
  expect(made).toHaveLength(1);
});
