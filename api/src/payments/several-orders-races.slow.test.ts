import type { Order } from '@parts-forge/contract/orders/orders';
import { and, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { orders as orderTable } from '#src/orders/schema.ts';
import { type Person, readProduct, signedInAs } from '#test/builders.ts';
import { atFullSize } from '#test/full-size.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { askProvider, confirmCard, controlSandbox, paymentRows, readCode } from '#test/paying.ts';
import {
  anOpenPaymentTogether,
  dueOrders,
  openTogether,
  paidUnnoticedTogether,
  paymentsAtProvider,
  pendingTogether,
} from '#test/paying-several.ts';
import { listRefunds, loseEvents, reconcileLater } from '#test/payment-provider.ts';
import { personAt } from '#test/person.ts';
import { useShop } from '#test/use-shop.ts';
import { reconcile } from './events/reconcile.ts';

const clock = createMovableClock();
let admin: Person;
const shop = useShop({ clock });
/** A second process on the same database. */
const other = useShop({ shareDatabaseWith: shop, clock });
beforeAll(async () => {
  admin = await signedInAs(shop, 'admin');
});
beforeEach(() => loseEvents(shop));

const find = (id: string) => shop.services.payments.findPayment(id);
const readAll = (customer: Person, orders: readonly Order[]) =>
  Promise.all(orders.map((order) => customer.reads(order)));
const three = async () => {
  const { customer, orders } = await dueOrders(shop, 3);
  return { customer, orders, middle: orders[1] as Order };
};
const closeUnlessPaid = ({ _id }: Order) =>
  shop.db
    .update(orderTable)
    .set({ closed: 'cancelled', closedAt: new Date() })
    .where(and(eq(orderTable.id, _id), eq(orderTable.status, 'due')));
const LAST_ROUND = 11;

/** Runs the two sides in turn, without overlap; for the first and the last round. */
const inTurn = async <First, Second>(first: () => Promise<First>, second: () => Promise<Second>) =>
  [await first(), await second()] as const;

test('cancelling one against paying all charges all or nothing', async () => {
  const winners = new Set<string>();
  for (let round = 0; round <= LAST_ROUND; round += 1) {
    const { customer, orders, middle } = await three();
    const { clientSecret, id } = await anOpenPaymentTogether(customer, orders);
    const cancel = () => personAt(round % 2 ? other : shop, customer).cancels(middle);
    const pay = async () => {
      // Later in every round, from well before the cancel to well after it.
      for (let turns = 0; turns < round; turns += 1) await shop.request('/healthz');
      const confirmed = await confirmCard(shop, clientSecret);
      return confirmed.status === 200 ? personAt(other, customer).records(orders[0] as Order, id) : confirmed;
    };
    const [cancelled, paid] = await (round === 0
      ? inTurn(cancel, pay)
      : round === LAST_ROUND
        ? inTurn(pay, cancel).then(([second, first]) => [first, second] as const)
        : Promise.all([cancel(), pay()]));
    const payment = await find(id);
    const seen = (await readAll(customer, orders)).map((order) => order?.status ?? 'gone');
    const stock = (await readProduct(shop, middle.productId)).quantity;
    if (payment?.status === 'succeeded') {
      winners.add('paid');
      expect([seen, stock, payment.refundedCents]).toEqual([['pending', 'pending', 'pending'], 950, 0]);
      expect([cancelled.status, paid.status]).toEqual([409, 200]);
    } else {
      winners.add('cancelled');
      expect([seen, stock, payment?.status]).toEqual([['due', 'gone', 'due'], 1000, 'canceled']);
      expect([cancelled.status, paid.status]).toEqual([200, 400]);
    }
  }
  expect(winners.size).toBe(2);
});

test('no order is ever payable by two payments', async () => {
  for (let round = 0; round < atFullSize(6, 3); round += 1) {
    const { customer, orders } = await three();
    const [a, b, c] = orders as [Order, Order, Order];
    const sets = [[a, b], [b, c], [a, b, c], [b], [c, a]];
    const answers = await Promise.all(
      sets.map((set, index) => openTogether(personAt(index % 2 ? other : shop, customer), set)),
    );
    const shares = (await Promise.all(orders.map((order) => paymentRows(shop, order)))).flat();
    const open = shares.filter(({ state }) => state === 'open');
    expect(new Set(open.map(({ orderId }) => orderId)).size).toBe(open.length);
    // A returned payment that is no longer open cannot be paid.
    const openIds = new Set(open.map(({ id }) => id));
    for (const { status, body } of answers) {
      expect([200, 503]).toContain(status);
      if (status !== 200) continue;
      const id = String(body.clientSecret).replace(/_secret_.*$/, '');
      if (!openIds.has(id)) expect((await find(id))?.status).toBe('canceled');
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    const refused = answers.flatMap(({ status }, index) => (status === 503 ? [index % 2] : []));
    shop.expectErrors(refused.filter((at) => at === 0).length);
    other.expectErrors(refused.filter((at) => at === 1).length);
    // No payment stays open that was created and not returned.
    const made = await paymentsAtProvider(shop, orders);
    expect(made.filter(({ id, status }) => status !== 'canceled' && !openIds.has(id))).toEqual([]);
  }
});

test('opening another set while paying the first charges one', async () => {
  for (let round = 0; round < atFullSize(8, 4); round += 1) {
    const { customer, orders } = await three();
    const [a, b, c] = orders as [Order, Order, Order];
    const first = await anOpenPaymentTogether(customer, [a, b]);
    const pay = async () => {
      for (let turns = 0; turns < round; turns += 1) await shop.request('/healthz');
      return confirmCard(shop, first.clientSecret);
    };
    const [paid, opened] = await Promise.all([pay(), openTogether(personAt(other, customer), [b, c])]);
    if (paid.status === 200) {
      expect(readCode(opened)).toBe('already-paid');
      expect(await readAll(customer, orders)).toMatchObject([
        { status: 'pending', transactionId: first.id },
        { status: 'pending', transactionId: first.id },
        { status: 'due' },
      ]);
    } else {
      expect([opened.status, (await find(first.id))?.status]).toEqual([200, 'canceled']);
      const { clientSecret } = opened.body;
      expect((await confirmCard(shop, clientSecret)).status).toBe(200);
      const id = clientSecret.replace(/_secret_.*$/, '');
      expect((await customer.records(c, id)).status).toBe(200);
      expect((await readAll(customer, orders)).map((order) => order?.status)).toEqual([
        'due',
        'pending',
        'pending',
      ]);
    }
  }
});

test('simultaneous pages, webhook and job give one answer', async () => {
  for (let round = 0; round < atFullSize(4, 2); round += 1) {
    await controlSandbox(shop, { webhooks: 'twice' });
    const { customer, orders, id } = await paidUnnoticedTogether(shop, 3);
    const [answers, reopened] = await Promise.all([
      Promise.all(
        orders.flatMap((order) => [shop, other].map((at) => personAt(at, customer).records(order, id))),
      ),
      openTogether(personAt(other, customer), orders),
      reconcile(other.services),
      reconcile(shop.services),
    ]);
    expect(answers.map(({ body }) => body)).toEqual(
      answers.map(() => ({ acknowledged: true, status: 'pending', transactionId: id })),
    );
    expect(reopened.status).toBe(409);
    expect(await readAll(customer, orders)).toMatchObject(orders.map(() => ({ transactionId: id })));
    expect(await listRefunds(shop, id)).toEqual([]);
  }
});

test('a share is refunded once if its order ends during payment', async () => {
  for (let round = 0; round < atFullSize(4, 2); round += 1) {
    const { customer, orders, id } = await paidUnnoticedTogether(shop, 3);
    await Promise.all([
      // As if the provider had not known the payment for a moment, which lets the order close.
      closeUnlessPaid(orders[1] as Order),
      ...orders.map((order, index) => personAt(index % 2 ? other : shop, customer).records(order, id)),
      reconcile(other.services),
    ]);
    const [first, middle, last] = await readAll(customer, orders);
    expect([first?.status, last?.status]).toEqual(['pending', 'pending']);
    const refunds = await listRefunds(shop, id);
    expect(refunds.map(({ amount }) => amount)).toEqual(middle === null ? [10_000] : []);
  }
});

test('simultaneous refunds here and at the provider stay within the payment', async () => {
  for (let round = 0; round < atFullSize(4, 2); round += 1) {
    const { orders, id } = await pendingTogether(shop, 3);
    admin = await signedInAs(shop, 'admin');
    await Promise.all([
      ...orders.map((order, index) => personAt(index % 2 ? other : shop, admin).refunds(order)),
      // Refused when too little is left.
      askProvider(shop, '/v1/refunds', { payment_intent: id, amount: '12000' }),
      reconcile(shop.services),
    ]);
    // A refund that exceeded the rest is retried with the rest.
    for (let look = 0; look < 4; look += 1) await reconcileLater(shop, clock);
    expect((await find(id))?.refundedCents).toBe(30_000);
    const seen = await Promise.all(orders.map((order) => admin.readsClosed(order)));
    expect(
      seen.map(({ closed, refund, totalPrice }) => [closed, refund?.state, refund?.amount === totalPrice]),
    ).toEqual(orders.map(() => ['refunded', 'succeeded', true]));
  }
});
