import { placeOrder as placeOrderCall } from '@parts-forge/contract/orders/orders';
import type { Product } from '@parts-forge/contract/products/products';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '#src/platform/core/problem.ts';
import { findPartFacts } from '#src/products/store.ts';
import { actorOf, aProduct, orderBody, type Person, signedInAs } from '#test/builders.ts';
import { personAt } from '#test/person.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { queueBehind } from '#test/waiting-statements.ts';
import { openOrderQueue } from './order-queue.ts';
import { placeOrder } from './place-order.ts';

// Slow machines must not fail these tests.
const patient = { STATEMENT_TIMEOUT_MS: '60000', CONNECTION_TIMEOUT_MS: '60000' };
const shops: Partial<Record<string, TestShop>> = {};
let admin: Person;
beforeAll(async () => {
  const limited = await startShop({ env: { ...patient, RATE_LIMITS: 'on', UNPAID_ORDERS: '50' } });
  shops.limited = limited;
  shops.unlimited = await startShop({
    env: { ...patient, UNPAID_ORDERS: '0' },
    shareDatabaseWith: limited,
  });
  admin = await signedInAs(limited, 'admin');
});
afterEach(() => {
  for (const shop of Object.values(shops)) {
    expect(shop?.errors).toEqual([]);
    expect(shop?.services.database.counts.repeated).toBe(0);
  }
});
afterAll(async () => {
  await shops.unlimited?.close();
  await shops.limited?.close();
});

/** Places alone: a grouped order could be retried behind later requests. */
async function placeAlone(shop: TestShop, person: Person, product: Product) {
  const { placeAlone: place } = openOrderQueue(shop.services.database, shop.services.config);
  try {
    const customer = await actorOf(shop, person, placeOrderCall);
    const body = orderBody(person, product);
    await placeOrder(shop.services, { place, placeAlone: place }, customer, body, undefined);
    return { status: 200 };
  } catch (error) {
    if (error instanceof Problem) return { status: error.status };
    throw error;
  }
}

const ways = {
  'an order': placeAlone,
  'a batch': (shop: TestShop, customer: Person, product: Product) =>
    personAt(shop, customer).placesBatch([[product, product.minimumOrder]]),
};
const cases = (['limited', 'unlimited'] as const).flatMap((limit) =>
  (['an order', 'a batch'] as const).flatMap((what) =>
    (['an administrator', 'themselves'] as const).map((by) => ({ limit, what, by })),
  ),
);

async function prepare({ limit, what, by }: (typeof cases)[number]) {
  const shop = shops[limit] as TestShop;
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop);
  return {
    shop,
    customer,
    product,
    place: () => ways[what](shop, customer, product),
    remove: () =>
      shop.request(`/user/${encodeURIComponent(customer.email)}`, {
        method: 'DELETE',
        token: (by === 'themselves' ? customer : admin).token,
      }),
  };
}

const holdPart = 'select from products where id = $1 for update';
/** The saved batch, the last lock that an account deletion takes. */
const holdSavedBatch = "select pg_advisory_xact_lock(hashtextextended('batch ' || $1::text, 0))";

/** The customer's orders and waiting mails. */
async function countWritten(shop: TestShop, { userId }: Person) {
  const { rows } = await shop.pool.query<{ orders: number; mails: number }>(
    `select (select count(*) from orders where user_id = $1) as orders,
      (select count(*) from mail_outbox where user_id = $1 and state = 'waiting') as mails`,
    [userId],
  );
  return rows[0];
}

describe.each(cases)('$what during an account deletion by $by, with orders $limit', (given) => {
  test('is refused after the deletion began and leaves no rows', async () => {
    const { shop, customer, product, place, remove } = await prepare(given);
    const [removal, placing] = await queueBehind(shop, [holdSavedBatch, customer.userId], remove, place);
    expect([removal.status, placing.status]).toEqual([200, 401]);
    expect(await countWritten(shop, customer)).toEqual({ orders: 0, mails: 0 });
    expect((await findPartFacts(shop.db, [product._id])).get(product._id)?.quantity).toBe(1000);
  });

  test('is placed first if it began before the deletion', async () => {
    const { shop, customer, product, place, remove } = await prepare(given);
    const [placing, removal] = await queueBehind(shop, [holdPart, product._id], place, remove);
    // Unpaid orders only block customers from deleting their own account.
    const isRemoved = given.by === 'an administrator';
    expect([placing.status, removal.status]).toEqual([200, isRemoved ? 200 : 409]);
    expect(await countWritten(shop, customer)).toEqual({ orders: 1, mails: isRemoved ? 0 : 1 });
  });
});
