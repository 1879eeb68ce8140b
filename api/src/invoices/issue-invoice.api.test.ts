import { formatNumber } from '@parts-forge/contract/money/papers';
import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { orders } from '#src/orders/schema.ts';
import { lockOrder } from '#src/orders/store.ts';
import { fetchEvents } from '#src/payments/events/fetch-events.ts';
import { issueNotes } from '#src/payments/refunds/issue-notes.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { askForDownload } from '#test/downloads.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { anOrderOfOldTimes, aPaidOrder, aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, controlSandbox, expectRefusal, refundAtProvider } from '#test/paying.ts';
import { beginWithoutEvents, reconcileLater } from '#test/payment-provider.ts';
import { useShop } from '#test/use-shop.ts';
import { issueInvoices } from './issue-invoice.ts';
import { invoices } from './schema.ts';
import { findInvoice, findNotes } from './store.ts';

const clock = createMovableClock();
let admin: Person;
const shop = useShop({
  clock,
  env: { SELLER_NAME: 'Fjord Parts AS', SELLER_ADDRESS: 'Havnegata 4, Oslo' },
});
beforeEach(async () => {
  admin = await beginWithoutEvents(shop);
});

const readSequences = async (series: 'invoice' | 'credit-note'): Promise<number[]> => {
  const { db } = shop.services.database;
  const isOfThisYear = eq(invoices.year, clock.now().getUTCFullYear());
  const rows = await db
    .select()
    .from(invoices)
    .where(and(eq(invoices.series, series), isOfThisYear));
  return rows.map(({ sequence }) => sequence).sort((a, b) => a - b);
};
const expectNoGap = (sequences: readonly number[]) =>
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));

/** Runs the job more than a minute later, which reads the provider. */
const hearOfIt = () => {
  clock.aheadMs += 61_000;
  return fetchEvents(shop.services);
};

/** An order paid before invoices existed. */
test('the page gets the seller for packing slips', async () => {
  const { body } = await shop.request('/config');
  expect(body.seller).toEqual({ name: 'Fjord Parts AS', address: ['Havnegata 4', 'Oslo'] });
});

describe('an invoice', () => {
  test('is issued at payment with copies of seller, buyer and part', async () => {
    const { order, id, customer, product } = await aPendingOrder(shop);
    const invoice = await findInvoice(shop.db, order._id);
    const year = new Date().getUTCFullYear();
    expect(invoice).toMatchObject({
      year,
      orderNumber: order.number,
      transactionId: id,
      totalCents: 113943,
      currency: 'usd',
      seller: { name: 'Fjord Parts AS', address: ['Havnegata 4', 'Oslo'], taxId: null, email: null },
      buyer: { name: customer.name, email: customer.email, address: '12 Oxford Street, Osu\nAccra' },
      lines: [
        {
          name: product.name,
          partNumber: product.number,
          quantity: 57,
          priceCents: 1999,
          fromQuantity: null,
          amountCents: 113943,
        },
      ],
    });
    expect(invoice && formatNumber(invoice)).toMatch(new RegExp(`^${year}-\\d{5}$`));
    expect(invoice?.paidAt?.getTime()).toBeLessThanOrEqual(invoice?.issuedAt.getTime() ?? 0);
  });

  test('has the next number during simultaneous payments', async () => {
    await Promise.all(Array.from({ length: 12 }, () => aPendingOrder(shop)));
    expectNoGap(await readSequences('invoice'));
  });

  test('takes no number when its transaction fails', async () => {
    const { order } = await aDueOrder(shop);
    const { database } = shop.services;
    const before = await readSequences('invoice');
    const failing = database.db.transaction(async (tx) => {
      const row = await lockOrder(tx, order._id);
      if (!row) throw new Error('No order');
      await issueInvoices(tx, shop.services, [row], { transactionId: 'pi_x', at: null });
      throw new Error('The power went out');
    });
    await expect(failing).rejects.toThrow('The power went out');
    expect(await readSequences('invoice')).toEqual(before);
    await aPendingOrder(shop);
    expectNoGap(await readSequences('invoice'));
  });

  test('starts at 1 each year, and dates never fall', async () => {
    const { database } = shop.services;
    const issueAt = async (moment: string, timeZone = 'UTC') => {
      const { order } = await aDueOrder(shop);
      const { config } = shop.services;
      const services = {
        ...shop.services,
        clock: { now: () => new Date(moment) },
        config: { ...config, timeZone },
      };
      return database.db.transaction(async (tx) => {
        const row = await lockOrder(tx, order._id);
        if (!row) throw new Error('No order');
        await issueInvoices(tx, services, [row], { transactionId: 'pi_x', at: null });
        const invoice = await findInvoice(tx, order._id);
        return invoice && [formatNumber(invoice), invoice.issuedAt.toISOString()];
      });
    };
    expect(await issueAt('2031-12-31T23:59:59.999Z')).toEqual(['2031-00001', '2031-12-31T23:59:59.999Z']);
    expect(await issueAt('2032-01-01T00:00:00.000Z')).toEqual(['2032-00001', '2032-01-01T00:00:00.000Z']);
    // Of a process whose clock is behind.
    expect(await issueAt('2031-12-31T23:59:59.000Z')).toEqual(['2032-00002', '2032-01-01T00:00:00.000Z']);
    // The year is the shop's.
    expect((await issueAt('2040-12-31T11:30:00Z', 'Pacific/Auckland'))?.[0]).toBe('2041-00001');
    // After a move west, the day of the newest paper goes on.
    expect(await issueAt('2041-01-01T04:00:00Z', 'America/Los_Angeles')).toEqual([
      '2041-00002',
      '2041-01-01T08:00:00.000Z',
    ]);
  });

  test('names the reached price break unless its price differs', async () => {
    const product = await aProduct(shop, { price: 10 });
    const { pool, db } = shop.services.database;
    const setBreak = (priceCents: number) =>
      pool.query('update products set price_breaks = $1 where id = $2', [
        JSON.stringify([{ quantity: 100, priceCents }]),
        product._id,
      ]);
    const customer = await signedInAs(shop, 'user');
    const issue = async (quantity: number) => {
      const order = await customer.orders(product, quantity);
      await customer.pays(order);
      return (await findInvoice(db, order._id))?.lines.map(({ fromQuantity }) => fromQuantity);
    };
    await setBreak(1000);
    expect([await issue(120), await issue(100), await issue(99)]).toEqual([[100], [100], [null]]);
    await setBreak(900);
    expect(await issue(60)).toEqual([null]);
  });

  test.each([
    "update invoices set total_cents = 1, reference = 'x'",
    'delete from invoices where false',
    'truncate invoices cascade',
    "set session_replication_role = 'replica'; delete from invoices",
  ])('cannot be changed in the database: %s', async (statement) => {
    await aPendingOrder(shop);
    const client = await shop.pool.connect();
    try {
      await expect(client.query(statement)).rejects.toMatchObject({
        code: '42501',
        message: 'entries of "invoices" are neither changed nor removed',
      });
    } finally {
      client.release(true);
    }
  });
});

describe('a credit note', () => {
  test('covers the whole refund, in its own series', async () => {
    const { order } = await aPaidOrder(shop, admin);
    await admin.refunds(order, { returnStock: false });
    const { db } = shop.services.database;
    const [note, ...more] = await findNotes(db, order._id);
    const invoice = await findInvoice(db, order._id);
    expect(more).toEqual([]);
    expect(note).toMatchObject({ totalCents: 113943, invoiceId: invoice?.id, lines: invoice?.lines });
    expect(note && formatNumber(note)).toMatch(/^CN-\d{4}-\d{5}$/);
    expectNoGap(await readSequences('credit-note'));
  });

  test('covers a partial refund, and another one covers the rest', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    await refundAtProvider(shop, id, 10000);
    await hearOfIt();
    const { db } = shop.services.database;
    const readAmounts = async () =>
      (await findNotes(db, order._id)).map(({ totalCents, lines }) => [totalCents, lines[0]?.quantity]);
    expect(await readAmounts()).toEqual([[10000, null]]);
    admin = await signedInAs(shop, 'admin');
    await admin.refunds(order, { returnStock: false });
    expect(await readAmounts()).toEqual([
      [10000, null],
      [103943, 57],
    ]);
    await reconcileLater(shop, clock);
    expect(await readAmounts()).toHaveLength(2);
  });

  test.each(['succeeded', 'failed'] as const)('waits for the end of the refund (%s)', async (status) => {
    const { order, id } = await aPaidOrder(shop, admin);
    const { db } = shop.services.database;
    const countNotes = async () => (await findNotes(db, order._id)).length;
    await controlSandbox(shop, { newRefunds: 'pending' });
    const refund = await refundAtProvider(shop, id, 10000);
    await hearOfIt();
    expect(await admin.readsClosed(order)).toMatchObject({ refund: { state: 'pending' } });
    expect(await countNotes()).toBe(0);
    await controlSandbox(shop, { finishRefund: { refund, status } });
    await hearOfIt();
    expect(await admin.readsClosed(order)).toMatchObject({ refund: { state: status } });
    expect(await countNotes()).toBe(status === 'succeeded' ? 1 : 0);
  });

  test('brings the missing invoice of an old order', async () => {
    const { order } = await aPendingOrder(shop);
    const old = await anOrderOfOldTimes(shop);
    await shop.db
      .update(orders)
      .set({ refundCents: 113943, refundState: 'succeeded', settledCents: 113943 })
      .where(eq(orders.id, old.order._id));
    const asked = await askForDownload(old.customer, { what: 'credit-note', order: old.order._id });
    expect(asked.status).toBe(200);
    const { db } = shop.services.database;
    const [note] = await findNotes(db, old.order._id);
    expect(note?.invoiceId).toBe((await findInvoice(db, old.order._id))?.id);
    expect(await findNotes(db, order._id)).toEqual([]);
  });
});

test('invoices of several old orders are numbered in order of the orders', async () => {
  const { db } = shop.services.database;
  const [first, second] = [await anOrderOfOldTimes(shop), await anOrderOfOldTimes(shop)];
  const refunded = { refundCents: 113943, refundState: 'succeeded', settledCents: 113943 } as const;
  await db.transaction(async (tx) => {
    const rows = [];
    for (const { order } of [second, first]) {
      const row = await lockOrder(tx, order._id);
      if (row) rows.push({ ...row, ...refunded });
    }
    await issueNotes(tx, shop.services, rows);
    // A repeat changes nothing.
    await issueNotes(tx, shop.services, rows);
  });
  const numbers = await Promise.all(
    [first, second].map(async ({ order }) => ({
      invoice: (await findInvoice(db, order._id))?.sequence ?? 0,
      notes: (await findNotes(db, order._id)).map(({ sequence }) => sequence),
    })),
  );
  const [before, after] = numbers;
  expect(after?.invoice).toBe((before?.invoice ?? 0) + 1);
  expect(after?.notes).toEqual([(before?.notes[0] ?? 0) + 1]);
  expectNoGap(await readSequences('invoice'));
});

describe('an order paid before invoices existed', () => {
  test('gets one invoice at the first request', async () => {
    const { order, customer } = await anOrderOfOldTimes(shop);
    const { db } = shop.services.database;
    expect(await findInvoice(db, order._id)).toBeNull();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => askForDownload(customer, { what: 'invoice', order: order._id })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const invoice = await findInvoice(db, order._id);
    // The payment's time is unknown.
    expect(invoice).toMatchObject({ transactionId: `pi_old_${order._id}`, paidAt: null });
    expectNoGap(await readSequences('invoice'));
  });
});

test('a restored copy issues no invoices', async () => {
  const { services } = shop;
  services.copiedAt = new Date();
  try {
    const before = await readSequences('invoice');
    const { order, customer } = await aPendingOrder(shop);
    const paidAt = clock.now();
    expect(await readSequences('invoice')).toEqual(before);
    const asked = await askForDownload(customer, { what: 'invoice', order: order._id });
    expectRefusal(asked, 409, 'no-invoice');
    expect(asked.body.detail).toContain('--take-over');
    services.copiedAt = null;
    clock.aheadMs += 61_000;
    await admin.accepts(order);
    expect((await askForDownload(customer, { what: 'invoice', order: order._id })).status).toBe(200);
    const invoice = await findInvoice(services.database.db, order._id);
    // The trail has the payment's time, not a later one.
    expect(invoice?.paidAt?.getTime()).toBeLessThanOrEqual(paidAt.getTime());
    expect(invoice?.issuedAt.getTime()).toBeGreaterThan(paidAt.getTime());
  } finally {
    services.copiedAt = null;
  }
});

test('a restored copy issues no credit notes', async () => {
  const { services } = shop;
  const { order, id, customer } = await aPaidOrder(shop, admin);
  const { db } = services.database;
  services.copiedAt = new Date();
  try {
    await refundAtProvider(shop, id);
    await hearOfIt();
    expect(await admin.readsClosed(order)).toMatchObject({ refund: { state: 'succeeded' } });
    expect(await findNotes(db, order._id)).toEqual([]);
    services.copiedAt = null;
    await askForDownload(customer, { what: 'credit-note', order: order._id });
    expect(await findNotes(db, order._id)).toMatchObject([{ totalCents: 113943 }]);
  } finally {
    services.copiedAt = null;
  }
});
