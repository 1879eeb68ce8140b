import type { Order } from '@parts-forge/contract/orders/orders';
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkConsistency } from '#src/consistency/check-consistency.ts';
import { findNotes } from '#src/invoices/store.ts';
import { mailOutbox } from '#src/mail-outbox/schema.ts';
import { ProviderError } from '#src/payments/provider/provider.ts';
import { anOrder, aProduct, type Person, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aPaidOrder, aPendingOrder, readStock } from '#test/paid-orders.ts';
import {
  acceptPayment,
  cancelOrder,
  controlSandbox,
  openPayment,
  pay,
  readClosedOrder,
  readCode,
  readOrder,
  refundAtProvider,
  refundOrder,
} from '#test/paying.ts';
import { pendingTogether } from '#test/paying-several.ts';
import { beginWithoutEvents, listRefunds, reconcileLater, withProvider } from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { readTrail } from '#test/trail.ts';
import { awaitWaiting } from '#test/waiting-statements.ts';
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

const give = (order: Order, body: object) => refundOrder(shop, admin, order, { returnStock: false, ...body });
const read = (order: Order) => readClosedOrder(shop, admin, order);
/** In cents, debit notes negative, with the pieces of the line. */
const readNotes = async (order: Order) =>
  (await findNotes(shop.services.database.db, order._id)).map(({ series, totalCents, lines }) => [
    series === 'credit-note' ? totalCents : -totalCents,
    lines[0]?.quantity,
  ]);
const readMails = async (order: Order) => {
  const { db } = shop.services.database;
  const rows = await db
    .select()
    .from(mailOutbox)
    .where(eq(mailOutbox.orderId, order._id))
    .orderBy(asc(mailOutbox.id));
  return rows.flatMap(({ kind, amountCents }) => (kind === 'order-refunded' ? amountCents : []));
};
const atProvider = async (id: string) =>
  (await listRefunds(shop, id))
    .filter(({ status }) => status === 'succeeded')
    .map(({ amount }) => amount)
    .toSorted((a, b) => a - b);
const agrees = async () =>
  expect(await checkConsistency(shop.services)).toMatchObject({ stock: 0, payments: 0, provider: 0 });
const refuseAll = () => Promise.reject(new ProviderError('refused', 'The card was closed.', 'x'));

async function look(intent: string): Promise<void> {
  const payment = await shop.services.payments.findPayment(intent);
  if (!payment) throw new Error('The payment is unknown.');
  await refreshMoney(shop.services, payment, { asksForDisputes: true });
}

describe('a part of an order', () => {
  test('a part goes back in pieces, by amount and as the rest', async () => {
    const paid = await aPaidOrder(shop, admin);
    const { order, id } = paid;
    const pieces = await give(order, { quantity: 20, returnStock: true, reason: 'Damaged' });
    expect(pieces.body.refund).toEqual({ amount: 399.8, state: 'succeeded' });
    expect(await read(order)).toMatchObject({
      status: 'paid',
      refund: { amount: 399.8, state: 'succeeded', quantity: 20 },
    });
    expect(await readStock(shop, paid)).toBe(943 + 20);
    expect((await give(order, { amount: 0.01 })).body.refund.amount).toBe(0.01);
    expect(await readStock(shop, paid)).toBe(963);
    const rest = await give(order, { returnStock: true });
    expect(rest.body.refund).toEqual({ amount: 739.62, state: 'succeeded' });
    expect(await read(order)).toMatchObject({ status: 'paid', refund: { amount: 1139.43 } });
    expect(await read(order)).not.toHaveProperty('closed');
    expect(await readStock(shop, paid)).toBe(1000);
    expect(readCode(await give(order, { quantity: 1 }))).toBe('already-refunded');
    expect(await atProvider(id)).toEqual([1, 39_980, 73_962]);
    expect(await readNotes(order)).toEqual([
      [39_980, 20],
      [1, null],
      [73_962, 37],
    ]);
    expect(await readMails(order)).toEqual([39_980, 1, 73_962]);
    const trail = (await readTrail(shop, admin, order._id)).filter(({ event }) => event === 'refunded');
    expect(trail.map(({ after }) => [after?.amount, after?.quantity, after?.refund])).toEqual([
      [739.62, 37, 1139.43],
      [0.01, undefined, 399.81],
      [399.8, 20, 399.8],
    ]);
    expect(trail.at(-1)).toMatchObject({ after: { reason: 'Damaged' } });
    await agrees();
  });

  test('a part leaves a pending order open, which the rest closes', async () => {
    const pending = await aPendingOrder(shop);
    const { order } = pending;
    await give(order, { quantity: 7, returnStock: true });
    expect(await read(order)).toMatchObject({ status: 'pending', refund: { amount: 139.93 } });
    expect(await readStock(shop, pending)).toBe(950);
    await give(order, { quantity: 10 });
    expect(await readStock(shop, pending)).toBe(950);
    await give(order, { quantity: 40, returnStock: true });
    expect(await read(order)).toMatchObject({ closed: 'refunded', refund: { amount: 1139.43 } });
    // Ten pieces were written off.
    expect(await readStock(shop, pending)).toBe(990);
    await agrees();
  });

  test('amounts that sum to everything close a pending order with its pieces', async () => {
    const pending = await aPendingOrder(shop);
    await give(pending.order, { amount: 1000 });
    expect(await readStock(shop, pending)).toBe(943);
    await give(pending.order, { amount: 139.43, returnStock: true });
    expect(await read(pending.order)).toMatchObject({ closed: 'refunded', refund: { amount: 1139.43 } });
    expect(await readStock(shop, pending)).toBe(1000);
    await agrees();
  });

  test.each([
    ['pending', 1000],
    ['accepted', 963],
  ] as const)('the last pieces of a %s order leave a stock of %i', async (status, stock) => {
    const paid = await (status === 'pending' ? aPendingOrder(shop) : aPaidOrder(shop, admin));
    await give(paid.order, { amount: 739.63 });
    await give(paid.order, { quantity: 20, returnStock: true });
    expect(await readStock(shop, paid)).toBe(stock);
    await agrees();
  });

  test('the price of a part is the order’s, to the cent', async () => {
    const product = await aProduct(shop, { price: 10, priceBreaks: [{ quantity: 100, price: 9.37 }] });
    const customer = await signedInAs(shop, 'user');
    const order = await anOrder(shop, customer, product, 120);
    const id = await pay(shop, customer, order);
    expect((await give(order, { quantity: 7 })).body.refund.amount).toBe(65.59);
    for (const amount of [0.1, 0.2, 0.29, 1.1, 2.2, 4.35, 1.15, 64.51]) {
      expect((await give(order, { amount })).body.refund.amount).toBe(amount);
    }
    expect((await give(order, {})).body.refund.amount).toBe(984.91);
    expect((await atProvider(id)).reduce((sum, cents) => sum + cents, 0)).toBe(112_440);
    await agrees();
  });

  test('a partly refunded order can be neither cancelled nor paid again', async () => {
    const { order, customer } = await aPendingOrder(shop);
    await give(order, { quantity: 7 });
    expect(readCode(await cancelOrder(shop, admin, order))).toBe('not-due');
    expect(readCode(await openPayment(shop, customer, order))).toBe('already-paid');
  });

  test('a refund at the provider in between leaves less', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    await give(order, { quantity: 20 });
    await refundAtProvider(shop, id, 70_000);
    expect((await give(order, { quantity: 2 })).body.errors[0].message).toBe(
      'At most 1 piece ($39.63) is left.',
    );
    expect((await give(order, { quantity: 1 })).body.refund.amount).toBe(19.99);
    expect((await give(order, {})).body.refund.amount).toBe(19.64);
    expect(await readNotes(order)).toEqual([
      [39_980, 20],
      [70_000, null],
      [1999, 1],
      [1964, 36],
    ]);
    await agrees();
  });

  test('a pending order is accepted with what stays, and only knowingly', async () => {
    const { order, customer } = await aPendingOrder(shop);
    await give(order, { quantity: 7 });
    expect(readCode(await acceptPayment(shop, admin, order))).toBe('partly-refunded');
    const accept = (refunded: number) =>
      acceptPayment(shop, admin, order, { despite: 'partly-refunded', refunded });
    // Another administrator refunded more than the first one saw.
    expect(readCode(await accept(19.99))).toBe('partly-refunded');
    expect((await accept(139.93)).status).toBe(200);
    expect(await readOrder(shop, customer, order)).toMatchObject({
      status: 'paid',
      refund: { amount: 139.93, quantity: 7 },
    });
  });

  test('a failed part is promised, so the acceptance needs a word', async () => {
    const { order } = await aPendingOrder(shop);
    await withProvider(shop, { createRefund: refuseAll }, () => give(order, { quantity: 7 }));
    expect(await read(order)).toMatchObject({ refund: { amount: 139.93, state: 'failed', quantity: 7 } });
    expect(readCode(await acceptPayment(shop, admin, order))).toBe('partly-refunded');
  });

  test('no piece returns twice when the provider closes the order', async () => {
    const pending = await aPendingOrder(shop);
    await give(pending.order, { quantity: 20, returnStock: true });
    await refundAtProvider(shop, pending.id, 73_963);
    await look(pending.id);
    expect(await read(pending.order)).toMatchObject({ closed: 'refunded', refund: { amount: 1139.43 } });
    expect(await readStock(shop, pending)).toBe(1000);
    await agrees();
  });
});

describe('a refused part', () => {
  test.each([
    [{ quantity: 1, amount: 2 }, 'amount', 'Must not be given with quantity'],
    [{ quantity: 0 }, 'quantity', 'Must be at least 1'],
    [{ quantity: -3 }, 'quantity', 'Must be at least 1'],
    [{ quantity: 1.5 }, 'quantity', 'Must be a whole number'],
    [{ quantity: '20' }, 'quantity', 'Must be a whole number'],
    [{ quantity: null }, 'quantity', 'Must be a whole number'],
    [{ amount: 0 }, 'amount', 'Must be above 0'],
    [{ amount: 1.005 }, 'amount', 'Must have no more than two decimals'],
    [{ amount: 0.001 }, 'amount', 'Must have no more than two decimals'],
    [{ amount: 1e-9 }, 'amount', 'Must have no more than two decimals'],
    [{ quantity: 58 }, 'quantity', 'At most 57 pieces ($1,139.43) are left.'],
    [{ amount: 1139.44 }, 'amount', 'At most 57 pieces ($1,139.43) are left.'],
    [{ amount: 1e15 }, 'amount', 'At most 57 pieces ($1,139.43) are left.'],
    [{ amount: 5, returnStock: true }, 'returnStock', 'Must be false for an amount: name pieces by quantity'],
  ])('names the field of %j and changes nothing', async (body, path, message) => {
    const pending = await aPendingOrder(shop);
    const { status, body: problem } = await give(pending.order, body);
    expect([status, problem.errors]).toEqual([422, [{ path, message }]]);
    expect(await read(pending.order)).not.toHaveProperty('refund');
    expect(await listRefunds(shop, pending.id)).toEqual([]);
  });

  test.each(['quantiy', 'Quantity', 'pieces', 'amout', 'rest'])(
    'a misspelt field gives nothing back: %s',
    async (name) => {
      const pending = await aPendingOrder(shop);
      const { status, body } = await give(pending.order, { [name]: 20 });
      expect([status, body.errors[0].path]).toEqual([422, name]);
      expect(await listRefunds(shop, pending.id)).toEqual([]);
    },
  );

  test('a refusal says what is left after earlier parts', async () => {
    const { order } = await aPaidOrder(shop, admin);
    await give(order, { quantity: 17 });
    await give(order, { amount: 30 });
    const left = 'At most 38 pieces ($769.60) are left.';
    expect((await give(order, { quantity: 39 })).body.errors).toEqual([{ path: 'quantity', message: left }]);
    expect((await give(order, { amount: 769.61 })).body.errors).toEqual([{ path: 'amount', message: left }]);
    expect((await give(order, { quantity: 38 })).body.refund.amount).toBe(759.62);
    expect((await give(order, { quantity: 1 })).body.errors[0].message).toBe(
      'At most 0 pieces ($9.98) are left.',
    );
    expect((await give(order, {})).body.refund.amount).toBe(9.98);
  });
});

describe('parts at the same time', () => {
  test('two administrators never exceed what is left', async () => {
    const paid = await aPaidOrder(shop, admin);
    const other = await signedInAs(shop, 'admin');
    const asked = [admin, other, admin, other, admin].map((who) =>
      refundOrder(shop, who, paid.order, { quantity: 19, returnStock: true }),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409]);
    expect(await atProvider(paid.id)).toEqual([37_981, 37_981, 37_981]);
    expect(await readStock(shop, paid)).toBe(1000);
    await agrees();
  });

  test('a repeated key gives the same part once', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    const ask = (key: string, quantity: number, who = admin) =>
      shop.request(`/order/${order._id}/refund`, {
        method: 'POST',
        token: who.token,
        body: { quantity, returnStock: false },
        headers: { 'idempotency-key': key },
      });
    const answers = await Promise.all([ask('a', 5), ask('a', 5), ask('a', 5)]);
    expect(answers.map(({ status, body }) => [status, body.refund?.amount])).toEqual(
      Array(3).fill([200, 99.95]),
    );
    expect(readCode(await ask('a', 6))).toBe('key-reused');
    expect((await ask('b', 5)).status).toBe(200);
    expect((await ask('a', 5, await signedInAs(shop, 'admin'))).status).toBe(200);
    expect(await atProvider(id)).toEqual([9995, 9995, 9995]);
  });

  test('one key for two orders at once gives one refund', async () => {
    const orders = [(await aPaidOrder(shop, admin)).order, (await aPaidOrder(shop, admin)).order];
    const { pool } = shop.services.database;
    const [client, watcher] = [await pool.connect(), await pool.connect()];
    // So that both look for the key before either writes it.
    await client.query('begin');
    await client.query('lock table refunds in share mode');
    const asked = orders.map(({ _id }) =>
      shop.request(`/order/${_id}/refund`, {
        method: 'POST',
        token: admin.token,
        body: { quantity: 1, returnStock: false },
        headers: { 'idempotency-key': 'both' },
      }),
    );
    await awaitWaiting(watcher, 2);
    watcher.release();
    await client.query('commit');
    client.release();
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    expect(answers.filter(({ status }) => status === 422).map(readCode)).toEqual(['key-reused']);
  });
});

describe('the parts', () => {
  test('a succeeded part gets its note while others wait or fail', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    await controlSandbox(shop, { newRefunds: 'pending' });
    await give(order, { quantity: 10 });
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    await give(order, { quantity: 20 });
    await withProvider(shop, { createRefund: refuseAll }, () => give(order, { quantity: 5 }));
    expect(await readNotes(order)).toEqual([[39_980, 20]]);
    expect(await read(order)).toMatchObject({
      refund: { amount: 699.65, state: 'failed', failed: 99.95, quantity: 35 },
    });
    const [waiting] = (await listRefunds(shop, id)).filter(({ status }) => status === 'pending');
    await controlSandbox(shop, { finishRefund: { refund: waiting?.id, status: 'succeeded' } });
    await look(id);
    expect(await readNotes(order)).toEqual([
      [39_980, 20],
      [19_990, 10],
    ]);
    for (let round = 0; round < 4; round += 1) await reconcileLater(shop, clock);
    expect((await readNotes(order)).at(-1)).toEqual([9995, 5]);
    await agrees();
  });

  test('a part that fails as another succeeds gets a debit note', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    await give(order, { quantity: 1 });
    await controlSandbox(shop, { newRefunds: 'pending' });
    await give(order, { amount: 19.99 });
    const refunds = await listRefunds(shop, id);
    for (const { id: refund, status } of refunds) {
      await controlSandbox(shop, {
        finishRefund: { refund, status: status === 'pending' ? 'succeeded' : 'failed' },
      });
    }
    await controlSandbox(shop, { newRefunds: 'succeeded' });
    await look(id);
    const all = [
      [1999, 1],
      [1999, null],
      [-1999, 1],
    ];
    expect(await readNotes(order)).toEqual(all);
    for (let round = 0; round < 4; round += 1) await reconcileLater(shop, clock);
    expect(await readNotes(order)).toEqual([...all, [1999, 1]]);
    await agrees();
  });

  test('a part that came back gets a debit note until its retry', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    await give(order, { quantity: 10 });
    await give(order, { quantity: 20 });
    const first = (await listRefunds(shop, id)).find(({ amount }) => amount === 19_990);
    await controlSandbox(shop, { finishRefund: { refund: first?.id, status: 'failed' } });
    await look(id);
    expect(await readNotes(order)).toEqual([
      [19_990, 10],
      [39_980, 20],
      [-19_990, 10],
    ]);
    for (let round = 0; round < 4; round += 1) await reconcileLater(shop, clock);
    expect((await readNotes(order)).slice(3)).toEqual([[19_990, 10]]);
    expect(await atProvider(id)).toEqual([19_990, 39_980]);
    await agrees();
  });

  test('a part is mailed with its amount after a failed external refund', async () => {
    const { order, id } = await aPaidOrder(shop, admin);
    await controlSandbox(shop, { newRefunds: 'pending' });
    const external = await refundAtProvider(shop, id, 10_000);
    await look(id);
    await controlSandbox(shop, {
      newRefunds: 'succeeded',
      finishRefund: { refund: external, status: 'failed' },
    });
    await look(id);
    await give(order, { amount: 50 });
    await refundAtProvider(shop, id, 3000);
    await look(id);
    expect(await readMails(order)).toEqual([10_000, 5000, 3000]);
  });

  test('a part of one order leaves the shares paid with it', async () => {
    const { id, orders } = await pendingTogether(shop, 2);
    const [first, second] = orders;
    if (!first || !second) throw new Error('Two orders are needed.');
    await give(first, { quantity: 20, returnStock: true });
    await give(second, { amount: 33.33 });
    expect((await give(second, { amount: 66.68 })).body.errors[0].message).toBe(
      'At most 33 pieces ($66.67) are left.',
    );
    await give(second, {});
    expect(await read(second)).toMatchObject({ closed: 'refunded', refund: { amount: 100 } });
    expect(await read(first)).toMatchObject({ refund: { amount: 20 } });
    expect(await atProvider(id)).toEqual([2000, 3333, 6667]);
    await agrees();
  });

  test('money of no order moves to the note of another order', async () => {
    const { orders, id } = await pendingTogether(shop, 2);
    const [first, second] = orders;
    if (!first || !second) throw new Error('Two orders were expected.');
    await refundAtProvider(shop, id, 378);
    await look(id);
    await give(first, { quantity: 45 });
    await give(first, {});
    expect(await readNotes(first)).toEqual([
      [378, null],
      [4500, 45],
      [500, 5],
      [-378, null],
    ]);
    expect(await readNotes(second)).toEqual([[378, null]]);
    await agrees();
  });

  test('a failed part leaves the note of money of no order', async () => {
    const { orders, id } = await pendingTogether(shop, 2);
    const [first, second] = orders;
    if (!first || !second) throw new Error('Two orders were expected.');
    await refundAtProvider(shop, id, 378);
    await look(id);
    await withProvider(shop, { createRefund: refuseAll }, () => give(first, { quantity: 5 }));
    expect([await readNotes(first), await readNotes(second)]).toEqual([[[378, null]], []]);
  });

  test('a dispute takes the whole charge after a refund of a part', async () => {
    const pending = await aPendingOrder(shop);
    const { order, id } = pending;
    await give(order, { quantity: 20, returnStock: true });
    await controlSandbox(shop, { dispute: { intent: id, status: 'needs_response' } });
    await look(id);
    expect(readCode(await give(order, { quantity: 1 }))).toBe('disputed');
    await controlSandbox(shop, { dispute: { intent: id, status: 'lost' } });
    await look(id);
    expect(await read(order)).toMatchObject({
      closed: 'refunded',
      refund: { amount: 1539.23, lost: 1139.43 },
    });
    const readLost = async () =>
      (await findNotes(shop.services.database.db, order._id)).map((note) => [
        note.series === 'credit-note' ? note.totalCents : -note.totalCents,
        note.lost,
      ]);
    expect(await readLost()).toEqual([
      [39_980, false],
      [113_943, true],
    ]);
    expect(await readNotes(order)).toEqual([
      [39_980, 20],
      [113_943, 37],
    ]);
    expect(await readStock(shop, pending)).toBe(1000);
    await agrees();
    await controlSandbox(shop, { dispute: { intent: id, status: 'won' } });
    await look(id);
    expect((await readLost()).at(-1)).toEqual([-113_943, true]);
    expect(await read(order)).toMatchObject({ returned: 739.63 });
    expect((await give(order, { quantity: 1 })).body.errors[0].message).toBe(
      'At most 0 pieces ($739.63) are left.',
    );
    expect((await give(order, { amount: 39.63, returnStock: true })).body.refund.amount).toBe(39.63);
    expect((await give(order, {})).body.refund.amount).toBe(700);
    expect(await readStock(shop, pending)).toBe(1000);
    expect(await atProvider(id)).toEqual([3963, 39_980, 70_000]);
    await agrees();
  });

  test('a dispute lost after a whole refund counts on the last order', async () => {
    const { orders, id } = await pendingTogether(shop, 2);
    const [first, last] = orders.toSorted((a, b) => (a._id < b._id ? -1 : 1));
    if (!first || !last) throw new Error('Two orders were expected.');
    await give(first, {});
    await give(last, {});
    await controlSandbox(shop, { dispute: { intent: id, status: 'lost' } });
    await look(id);
    expect(await readNotes(first)).toEqual([[100 * first.totalPrice, 50]]);
    expect(await readNotes(last)).toEqual([
      [100 * last.totalPrice, 50],
      [15_000, null],
    ]);
    expect(await read(last)).toMatchObject({ refund: { amount: last.totalPrice + 150, lost: 150 } });
    expect(readCode(await give(last, {}))).toBe('already-refunded');
    await agrees();
  });

  test('lost money of no order is on a note as lost', async () => {
    const { orders, id } = await pendingTogether(shop, 2);
    await refundAtProvider(shop, id, 2000);
    await controlSandbox(shop, { dispute: { intent: id, status: 'lost' } });
    await look(id);
    const notes = await Promise.all(orders.map(({ _id }) => findNotes(shop.services.database.db, _id)));
    const sum = (isLost: boolean) =>
      notes.flat().reduce((cents, { lost, totalCents }) => cents + (lost === isLost ? totalCents : 0), 0);
    expect([sum(false), sum(true)]).toEqual([2000, 15_000]);
    await agrees();
  });
});
