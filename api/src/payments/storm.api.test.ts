import type { Order } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { orders } from '#src/orders/schema.ts';
import { aProduct, type Person, readProduct, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { confirmCard, controlSandbox, paymentRows, readIntentId, readSandbox } from '#test/paying.ts';
import { openTogether } from '#test/paying-several.ts';
import { personAt } from '#test/person.ts';
import { randomNumbers } from '#test/random-numbers.ts';
import { useShop } from '#test/use-shop.ts';
import { reconcile } from './events/reconcile.ts';

/** Repeats a failed run; any number starts another one. */
const SEED = 20261121;
const ORDERS = 48;

const clock = createMovableClock();
const shop = useShop({ clock });
const other = useShop({ shareDatabaseWith: shop, clock });

const cards = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_chargeDeclined',
  'pm_card_authenticationRequired',
];
const faults = ['timeout-before', 'timeout-after', '500', '429'];
const webhookWays = ['deliver', 'drop', 'twice', 'deliver'];

interface Story {
  customer: Person;
  /** The simultaneous acts on the orders. */
  acts: (() => Promise<unknown>)[];
}

/** Two orders of a customer, paid alone or together, cancelled and accepted. */
async function makeStory(
  random: () => number,
  people: { customers: Person[]; admin: Person },
  orders: Order[],
  customer: Person,
): Promise<Story> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const process = () => (random() < 0.5 ? shop : other);
  const payInATab = () => {
    const [at, card, tells, twice] = [process(), pick(cards), random() < 0.6, random() < 0.2];
    const [chosen, choice] = [random() < 0.5 ? orders : [pick(orders)], random()];
    return async () => {
      const { status, body } = await openTogether(personAt(at, customer), chosen);
      if (status !== 200) return;
      await Promise.all((twice ? [1, 2] : [1]).map(() => confirmCard(at, body.clientSecret, card)));
      const order = chosen[Math.floor(choice * chosen.length)] as Order;
      if (tells) await personAt(at, customer).records(order, readIntentId(body.clientSecret));
    };
  };
  const cancel = (who: Person) => {
    const [at, order] = [process(), pick(orders)];
    return () => personAt(at, who).cancels(order);
  };
  const steal = () => {
    const [thief, order] = [pick(people.customers), pick(orders)];
    return async () => {
      const { body } = await customer.asksToPay(order);
      if (body.clientSecret) await thief.records(order, readIntentId(body.clientSecret));
    };
  };
  const accept = () => {
    const order = pick(orders);
    return () => people.admin.accepts(order);
  };
  const refund = () => {
    const order = pick(orders);
    return () => personAt(other, people.admin).refunds(order);
  };
  const acts: Story['acts'] = [payInATab()];
  if (random() < 0.6) acts.push(payInATab());
  if (random() < 0.35) acts.push(cancel(customer));
  if (random() < 0.2) acts.push(cancel(people.admin));
  if (random() < 0.2) acts.push(steal());
  if (random() < 0.3) acts.push(accept());
  if (random() < 0.3) acts.push(refund());
  if (random() < 0.3) acts.push(() => reconcile(other.services));
  return { customer, acts: acts.sort(() => random() - 0.5) };
}

test('money and stock stay exact in a storm of simultaneous requests', async () => {
  const random = randomNumbers(SEED);
  const admin = await signedInAs(shop, 'admin');
  const customers = await Promise.all([1, 2, 3, 4].map(() => signedInAs(shop, 'user')));
  const product = await aProduct(shop, { price: 3.33, quantity: 100_000 });
  const placed: Order[] = [];

  for (let round = 0; round < ORDERS / 8; round += 1) {
    await controlSandbox(shop, {
      webhooks: webhookWays[round % webhookWays.length],
      faults:
        random() < 0.5
          ? [
              {
                fault: faults[Math.floor(random() * faults.length)],
                on: null,
                times: 1 + Math.floor(random() * 3),
              },
            ]
          : [],
    });
    const stories = await Promise.all(
      customers.map(async (customer) => {
        const two = [50 + Math.floor(random() * 50), 50 + Math.floor(random() * 50)];
        const orders: Order[] = [];
        for (const quantity of two) orders.push(await customer.orders(product, quantity));
        placed.push(...orders);
        return makeStory(random, { customers, admin }, orders, customer);
      }),
    );
    await Promise.all(stories.flatMap(({ acts }) => acts.map((act) => act())));
  }

  // Events are delivered, and the job runs.
  await controlSandbox(shop, { webhooks: 'drop', faults: [] });
  for (let round = 0; round < 3; round += 1) {
    clock.aheadMs += 120_000;
    await reconcile(shop.services);
  }
  await expectOrderInMoney(placed);
  await expectOrderInStock(placed, product._id);
  // A storm may log errors, or none.
  shop.errors.length = 0;
  other.errors.length = 0;
}, 120_000);

interface SandboxIntent {
  id: string;
  status: string;
  amount: number;
}

async function expectOrderInMoney(placed: Order[]): Promise<void> {
  const { intents, refunds } = await readSandbox(shop);
  const refunded = (id: string): number =>
    refunds
      .filter((refund: { payment_intent: string }) => refund.payment_intent === id)
      .reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
  const rows = await shop.db.select().from(orders);
  // The shop keeps the total of each standing order, and nothing of the others.
  for (const { id, status, amount } of intents as SandboxIntent[]) {
    const taken = status === 'succeeded' ? amount - refunded(id) : 0;
    const paid = rows.filter(({ transactionId }) => transactionId === id);
    const receivedCents = paid.reduce(
      (sum, { totalCents, refundCents }) => sum + totalCents - refundCents,
      0,
    );
    expect([id, taken]).toEqual([id, receivedCents]);
    if (paid.length > 0) expect(status).toBe('succeeded');
  }
  const known = new Set((intents as SandboxIntent[]).map(({ id }) => id));
  for (const order of rows) {
    if (order.transactionId !== null) expect(known).toContain(order.transactionId);
  }
  for (const { _id } of placed) {
    const order = rows.find(({ id }) => id === _id);
    const states = (await paymentRows(shop, { _id } as Order)).map(({ state }) => state);
    expect(states).not.toContain('refund_due');
    expect(states.filter((state) => state === 'applied')).toHaveLength(order?.status === 'due' ? 0 : 1);
    if (order?.closedAt || order?.status !== 'due') expect(states).not.toContain('open');
  }
}

async function expectOrderInStock(placed: Order[], productId: string): Promise<void> {
  const rows = await shop.db.select().from(orders).where(eq(orders.productId, productId));
  expect(rows).toHaveLength(placed.length);
  const held = rows
    .filter(({ closedAt }) => closedAt === null)
    .reduce((sum, { quantity }) => sum + quantity, 0);
  expect((await readProduct(shop, productId)).quantity).toBe(100_000 - held);
}
