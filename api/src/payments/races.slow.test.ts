import { beforeEach, expect, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { aDueOrder, anOpenPayment, confirmCard, controlSandbox, paymentRows } from '#test/paying.ts';
import { personAt } from '#test/person.ts';
import { useShop } from '#test/use-shop.ts';
import { reconcile } from './events/reconcile.ts';

const shop = useShop();
/** A second process on the same database. */
const other = useShop({ shareDatabaseWith: shop });
beforeEach(() => controlSandbox(shop, { webhooks: 'drop' }));

/** Either the order is paid and keeps its money, or it is cancelled and never charged. */
async function expectOneWinner(
  { customer, product, order }: Awaited<ReturnType<typeof aDueOrder>>,
  id: string,
) {
  const payment = await shop.services.payments.findPayment(id);
  const seen = await customer.reads(order);
  // Reads of other processes may be stale for a moment.
  const { rows } = await shop.pool.query('select quantity from products where id = $1', [product._id]);
  const stock = rows[0].quantity;
  if (payment?.status === 'succeeded') {
    expect(payment.refundedCents).toBe(0);
    expect(seen).toMatchObject({ status: 'pending', transactionId: id });
    expect(stock).toBe(943);
    return 'paid';
  }
  expect(payment).toMatchObject({ status: 'canceled', receivedCents: 0 });
  expect(seen).toBeNull();
  expect(stock).toBe(1000);
  return 'cancelled';
}

const LAST_ROUND = 15;

/** In the first and the last round one side ends before the other begins. */
const inTurn = async <First, Second>(first: () => Promise<First>, second: () => Promise<Second>) =>
  [await first(), await second()] as const;

test('cancelling against paying never yields both, from one process or from two', async () => {
  const winners: string[] = [];
  for (let round = 0; round <= LAST_ROUND; round += 1) {
    const due = await aDueOrder(shop);
    const { clientSecret, id } = await due.customer.opensPayment(due.order);
    const cancel = () => personAt(round % 2 ? other : shop, due.customer).cancels(due.order);
    const payAndTell = async () => {
      // Begins later in each round: from before the cancel to after its end.
      for (let turns = 0; turns < round; turns += 1) await shop.request('/healthz');
      const confirmed = await confirmCard(shop, clientSecret);
      return confirmed.status === 200 ? personAt(other, due.customer).records(due.order, id) : confirmed;
    };
    const [cancelled, paid] = await (round === 0
      ? inTurn(cancel, payAndTell)
      : round === LAST_ROUND
        ? inTurn(payAndTell, cancel).then(([second, first]) => [first, second] as const)
        : Promise.all([cancel(), payAndTell()]));
    const winner = await expectOneWinner(due, id);
    expect([cancelled.status, paid.status]).toEqual(winner === 'paid' ? [409, 200] : [200, 400]);
    winners.push(winner);
  }
  expect(new Set(winners).size).toBe(2);
});

test('page, webhook, job and reload together give one answer', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { customer, order } = await aDueOrder(shop);
    await controlSandbox(shop, { webhooks: 'twice' });
    const { clientSecret, id } = await customer.opensPayment(order);
    await confirmCard(shop, clientSecret);
    const answers = await Promise.all([
      customer.records(order, id),
      personAt(other, customer).records(order, id),
      personAt(other, customer).asksToPay(order),
      reconcile(shop.services),
      customer.records(order, id),
    ]);
    expect([answers[0].body, answers[1].body, answers[4].body]).toEqual(
      Array(3).fill({ acknowledged: true, status: 'pending', transactionId: id }),
    );
    expect(answers[2].status).toBe(409);
    expect((await paymentRows(shop, order)).map(({ state }) => state)).toEqual(['applied']);
  }
});

test('cancelling against opening a payment leaves no payment that could be paid', async () => {
  for (let round = 0; round < 12; round += 1) {
    const { customer, order } = await aDueOrder(shop);
    const [opened, cancelled] = await Promise.all([
      customer.asksToPay(order),
      personAt(other, customer).cancels(order),
    ]);
    expect(cancelled.status).toBe(200);
    expect([200, 404]).toContain(opened.status);
    if (opened.status === 200) {
      expect((await confirmCard(shop, opened.body.clientSecret)).body.error.payment_intent.status).toBe(
        'canceled',
      );
    }
    expect((await paymentRows(shop, order)).filter(({ state }) => state === 'open')).toEqual([]);
  }
});

test('many pages opened at once from two processes make one payment', async () => {
  const { customer, order } = await aDueOrder(shop);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => personAt(index % 2 ? other : shop, customer).asksToPay(order)),
  );
  expect(new Set(answers.map(({ body }) => body.clientSecret)).size).toBe(1);
});

test('three tabs that confirm together pay once', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { clientSecret, id } = await anOpenPayment(shop);
    const answers = await Promise.all(
      [1, 2, 3].map((tab) => confirmCard(tab === 2 ? other : shop, clientSecret)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    for (const { body } of answers.filter(({ status }) => status === 400)) {
      expect(body.error).toMatchObject({
        code: 'payment_intent_unexpected_state',
        payment_intent: { id, status: 'succeeded' },
      });
    }
  }
});

test("a stranger's record and an administrator's cancel change no payer", async () => {
  const { customer, order, clientSecret, id } = await anOpenPayment(shop);
  const thief = await aDueOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  await confirmCard(shop, clientSecret);
  const [stolen, cancelled] = await Promise.all([
    thief.customer.records(thief.order, id),
    admin.cancels(order),
  ]);
  expect([stolen.status, cancelled.status]).toEqual([409, 409]);
  expect(await thief.customer.reads(thief.order)).toMatchObject({ status: 'due' });
  expect(await customer.reads(order)).toMatchObject({ status: 'pending', transactionId: id });
  expect(await shop.services.payments.findPayment(id)).toMatchObject({ refundedCents: 0 });
});
