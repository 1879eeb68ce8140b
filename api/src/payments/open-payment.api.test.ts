import { MAX_TOTAL_CENTS } from '@parts-forge/contract/calls/bounds';
import { messages } from '@parts-forge/contract/calls/messages';
import type { Order } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { markClosed, markPaid } from '#src/orders/move-order.ts';
import { raisePayAttempt } from '#src/orders/order-money.ts';
import { orders } from '#src/orders/schema.ts';
import {
  aDueOrder,
  anOpenPayment,
  askProvider,
  expectRefusal,
  paymentRows,
  readCode,
  readIntentId,
} from '#test/paying.ts';
import { createPayment, loseEvents, withProvider } from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';
import { type PaymentProvider, ProviderError, type ProviderPayment } from './provider/provider.ts';
import { writeShare } from './store.ts';

/** The system's time, unless stopped. */
const clock = { stoppedAt: null as Date | null, now: () => clock.stoppedAt ?? new Date() };
// Orders are held for less time than a token lives.
const shop = useShop({ clock, env: { PAYMENT_HOURS: '0.1' } });
beforeEach(async () => {
  clock.stoppedAt = null;
  await loseEvents(shop);
});

const readAttempt = async ({ _id }: Order) =>
  (await shop.db.select().from(orders).where(eq(orders.id, _id)))[0]?.payAttempt;

/** A provider that runs `work` between creating a payment and answering. */
function afterCreating(work: (made: ProviderPayment) => Promise<unknown>): Partial<PaymentProvider> {
  const { payments } = shop.services;
  let times = 0;
  return {
    createPayment: async (payment) => {
      const made = await payments.createPayment(payment);
      times += 1;
      if (times === 1) await work(made);
      return made;
    },
  };
}
/** A provider that finds the payment in another state. */
function findAs(status: ProviderPayment['status']): Partial<PaymentProvider> {
  const { payments } = shop.services;
  return {
    findPayment: async (id) => {
      const payment = await payments.findPayment(id);
      return payment && { ...payment, status };
    },
  };
}

describe('openPayment', () => {
  test('accepts a price up to the highest total', async () => {
    const { customer } = await aDueOrder(shop);
    const ask = (price: number) => customer.post('/create-payment-intent', { price });
    const none = await ask(MAX_TOTAL_CENTS / 100);
    expectRefusal(none, 404, 'not-found');
    expect(none.body.detail).toBe('You have no unpaid order with this total.');
    const above = await ask((MAX_TOTAL_CENTS + 1) / 100);
    expect(above.status).toBe(422);
    expect(above.body.errors).toMatchObject([{ path: 'price', message: messages.amountTooLarge }]);
  });

  test.each([
    [0, 409],
    [-1, 200],
  ])('accepts an order only before its reservation ends (%i ms)', async (ms, status) => {
    const { customer, order } = await aDueOrder(shop);
    clock.stoppedAt = new Date(Date.parse(String(order.heldUntil)) + ms);
    const answer = await customer.asksToPay(order);
    expect(answer.status).toBe(status);
    if (status === 409) expect(readCode(answer)).toBe('expired');
  });

  test('accepts an order whose reservation never ends', async () => {
    const { customer, order } = await aDueOrder(shop);
    await shop.db.update(orders).set({ heldUntil: null }).where(eq(orders.id, order._id));
    expect((await customer.asksToPay(order)).status).toBe(200);
  });

  test.each([
    ['expire', 409, 'expired'],
    ['cancel', 404, 'not-found'],
  ] as const)('refuses an order that has ended (%s)', async (move, status, code) => {
    const { customer, order } = await aDueOrder(shop);
    await markClosed(shop.db, order._id, move, clock.now());
    const answer = await customer.asksToPay(order);
    expect([answer.status, readCode(answer)]).toEqual([status, code]);
  });
});

describe('the open payment of an order', () => {
  test.each(['requires_payment_method', 'requires_confirmation', 'requires_action'] as const)(
    'is returned while it is payable (%s)',
    async (state) => {
      const { customer, order, clientSecret } = await anOpenPayment(shop);
      await withProvider(shop, findAs(state), async () => {
        expect((await customer.asksToPay(order)).body).toEqual({ clientSecret });
      });
    },
  );

  test.each(['processing', 'requires_capture'] as const)(
    'blocks any other payment while it is processing (%s)',
    async (state) => {
      const { customer, order } = await aDueOrder(shop);
      await customer.opensPayment(order);
      await withProvider(shop, findAs(state), async () => {
        expectRefusal(await customer.asksToPay(order), 409, 'payment-processing');
      });
      expect(await paymentRows(shop, order)).toHaveLength(1);
    },
  );

  test('is replaced when the provider does not know it', async () => {
    const { customer, order } = await aDueOrder(shop);
    const first = await customer.opensPayment(order);
    await withProvider(shop, { findPayment: async () => null }, async () => {
      const { body } = await customer.asksToPay(order);
      expect(readIntentId(body.clientSecret)).not.toBe(first.id);
    });
    expect(await paymentRows(shop, order)).toMatchObject([
      { id: first.id, state: 'missing', note: 'unknown to the provider' },
      { state: 'open', attempt: 2 },
    ]);
  });
});

describe("an event during the payment's creation", () => {
  /** Pays the order as another process would. */
  async function payBy(order: Order, id: string): Promise<void> {
    const share = { id, orderId: order._id, attempt: 1, amountCents: 113943, paymentCents: 113943 };
    await writeShare(shop.db, { ...share, currency: 'usd', state: 'applied' }, clock.now());
    await markPaid(shop.db, order._id, id, clock.now());
  }

  test('a cancelled order cancels the payment and hides its secret', async () => {
    const { customer, order } = await aDueOrder(shop);
    let id = '';
    const differences = afterCreating(async (made) => {
      id = made.id;
      await markClosed(shop.db, order._id, 'cancel', clock.now());
    });
    await withProvider(shop, differences, async () => {
      expect((await customer.asksToPay(order)).status).toBe(404);
    });
    expect(await shop.services.payments.findPayment(id)).toMatchObject({ status: 'canceled' });
    expect(await paymentRows(shop, order)).toEqual([]);
  });

  test('an order paid by another payment cancels this one, unrecorded', async () => {
    const { customer, order } = await aDueOrder(shop);
    const other = await createPayment(shop, { orderId: order._id });
    let superfluous = '';
    const differences = afterCreating(async (made) => {
      superfluous = made.id;
      await payBy(order, other.id);
    });
    const cancelPayment = vi.fn(shop.services.payments.cancelPayment);
    await withProvider(shop, { ...differences, cancelPayment }, async () => {
      expect(readCode(await customer.asksToPay(order))).toBe('already-paid');
    });
    expect((await paymentRows(shop, order)).map(({ id }) => id)).toEqual([other.id]);
    expect(cancelPayment.mock.calls).toEqual([[superfluous]]);
  });

  test('an order paid by this payment keeps it', async () => {
    const { customer, order } = await aDueOrder(shop);
    const differences = afterCreating((made) => payBy(order, made.id));
    const cancelPayment = vi.fn(shop.services.payments.cancelPayment);
    await withProvider(shop, { ...differences, cancelPayment }, async () => {
      expect(readCode(await customer.asksToPay(order))).toBe('already-paid');
    });
    expect(cancelPayment).not.toHaveBeenCalled();
  });

  test('a failed cancel leaves the answer `already-paid`', async () => {
    const { customer, order } = await aDueOrder(shop);
    const other = await createPayment(shop, { orderId: order._id });
    const differences = afterCreating(() => payBy(order, other.id));
    const cancelPayment = () => Promise.reject(new ProviderError('unreachable', 'no answer'));
    await withProvider(shop, { ...differences, cancelPayment }, async () => {
      expect(readCode(await customer.asksToPay(order))).toBe('already-paid');
    });
  });

  test('a new attempt gets its own payment in the next round', async () => {
    const { customer, order } = await aDueOrder(shop);
    let first = '';
    const differences = afterCreating(async (made) => {
      first = made.id;
      await raisePayAttempt(shop.db, order._id, 1);
    });
    await withProvider(shop, differences, async () => {
      const { body } = await customer.asksToPay(order);
      expect(readIntentId(body.clientSecret)).not.toBe(first);
    });
    expect(await paymentRows(shop, order)).toMatchObject([{ state: 'open', attempt: 2 }]);
  });

  test('a faster page returns the same secret', async () => {
    const { customer, order } = await aDueOrder(shop);
    let faster: unknown;
    const differences = afterCreating(async () => {
      faster = (await customer.asksToPay(order)).body;
    });
    await withProvider(shop, differences, async () => {
      expect((await customer.asksToPay(order)).body).toEqual(faster);
    });
    expect(await paymentRows(shop, order)).toMatchObject([{ state: 'open', attempt: 1 }]);
    expect(await readAttempt(order)).toBe(1);
  });

  test('another open payment is returned', async () => {
    const { customer, order } = await aDueOrder(shop);
    const other = await createPayment(shop, { orderId: order._id });
    const differences = afterCreating(async () => {
      const row = {
        id: other.id,
        orderId: order._id,
        attempt: 1,
        amountCents: 113943,
        paymentCents: 113943,
        currency: 'usd',
      };
      await writeShare(shop.db, { ...row, state: 'open' }, clock.now());
    });
    await withProvider(shop, differences, async () => {
      const answer = await customer.asksToPay(order);
      expect([answer.status, readIntentId(String(answer.body.clientSecret))]).toEqual([200, other.id]);
    });
    expect((await paymentRows(shop, order)).map(({ id }) => id)).toEqual([other.id]);
  });
});

describe('a provider that returns a finished payment', () => {
  async function anOldPayment(order: Order) {
    const old = await createPayment(shop, { orderId: order._id });
    const row = {
      id: old.id,
      orderId: order._id,
      attempt: 1,
      amountCents: 113943,
      paymentCents: 113943,
      currency: 'usd',
    };
    await writeShare(shop.db, { ...row, state: 'canceled' }, clock.now());
    return old;
  }

  test('gets the next attempt and leaves the finished payment alone', async () => {
    const { customer, order } = await aDueOrder(shop);
    const old = await anOldPayment(order);
    const { payments } = shop.services;
    const createNext: PaymentProvider['createPayment'] = async (payment) =>
      payment.orders[0]?.attempt === 1 ? old : payments.createPayment(payment);
    await withProvider(shop, { createPayment: createNext }, async () => {
      const { body } = await customer.asksToPay(order);
      expect(readIntentId(body.clientSecret)).not.toBe(old.id);
    });
    expect(await paymentRows(shop, order)).toMatchObject([
      { id: old.id, state: 'canceled' },
      { state: 'open', attempt: 2 },
    ]);
  });

  test('is asked five times before the answer `unavailable`', async () => {
    const { customer, order } = await aDueOrder(shop);
    const old = await anOldPayment(order);
    const createOld = vi.fn(async () => old);
    await withProvider(shop, { createPayment: createOld }, async () => {
      const answer = await customer.asksToPay(order);
      expectRefusal(answer, 503, 'unavailable');
      expect(answer.headers.get('retry-after')).toBe('2');
    });
    expect(createOld).toHaveBeenCalledTimes(5);
    shop.expectErrors([{ code: 'unavailable' }]);
  });
});

describe('a payment that the provider failed to create', () => {
  test.each([
    ['a definite failure', new ProviderError('refused', 'no'), 2, 0],
    ['a breakdown', new ProviderError('broken', 'no'), 2, 1],
    ['no answer', new ProviderError('unreachable', 'no'), 1, 1],
    ['a mistake of ours', Object.assign(new Error('no'), { kind: 'refused' }), 1, 1],
  ])('after %s the order has the right next attempt', async (_, error, attempt, logged) => {
    const { customer, order } = await aDueOrder(shop);
    await withProvider(shop, { createPayment: () => Promise.reject(error) }, async () => {
      expect((await customer.asksToPay(order)).status).toBeGreaterThanOrEqual(400);
    });
    expect(await readAttempt(order)).toBe(attempt);
    shop.expectErrors(logged);
  });
});

test('the provider gets a description', async () => {
  const { order, id } = await anOpenPayment(shop);
  const { body } = await askProvider(shop, `/v1/payment_intents/${id}`);
  expect(body.description).toBe(`Order ${order.number}: 57 × ${order.productName}`);
});

test('an internal error while cancelling answers 500', async () => {
  const { customer, order } = await aDueOrder(shop);
  const differences = afterCreating(() => markClosed(shop.db, order._id, 'cancel', clock.now()));
  const cancelPayment = () => Promise.reject(new Error('a mistake'));
  await withProvider(shop, { ...differences, cancelPayment }, async () => {
    expect((await customer.asksToPay(order)).status).toBe(500);
  });
  shop.expectErrors(1);
});
