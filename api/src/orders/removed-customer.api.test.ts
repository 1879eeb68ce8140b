import type { Product } from '@parts-forge/contract/products';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '#src/platform/core/problem.ts';
import { withOwnConnection } from '#src/platform/database/connection.ts';
import type { Customer } from '#src/platform/http/calls/access.ts';
import { findStock } from '#src/products/store.ts';
import { aProduct, orderBody, type Person, placeBatch, signedInAs } from '#test/builders.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { awaitWaiting } from '#test/waiting-statements.ts';
import { openOrderQueue } from './order-queue.ts';
import { placeOrder } from './place-order.ts';

// Nothing here is about how long it takes.
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

/** By itself, as one that waits with others is tried again after a moment, behind whoever asked meanwhile. */
async function placeAlone(shop: TestShop, person: Person, product: Product) {
  const { placeAlone: place } = openOrderQueue(shop.services.database, shop.services.config);
  try {
    const customer = { ...person, role: 'user' } as unknown as Customer;
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
    placeBatch(shop, customer, [[product, product.minimumOrder]]),
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

/** Holds something in a transaction of its own until `work` is done. */
const whileHeld = (
  shop: TestShop,
  statement: string,
  id: string,
  work: (client: pg.Client) => Promise<void>,
) =>
  withOwnConnection(shop.services.database, async (client) => {
    await client.query('begin');
    await client.query(statement, [id]);
    await work(client);
    await client.query('commit');
  });
const holdPart = 'select from products where id = $1 for update';
/** The list of parts that an account has saved: the last that its removal takes from it. */
const holdSavedBatch = "select pg_advisory_xact_lock(hashtextextended('batch ' || $1::text, 0))";

/** Orders of the customer and mails that wait to be sent to them. */
async function countWritten(shop: TestShop, { userId }: Person) {
  const { rows } = await shop.services.database.pool.query<{ orders: number; mails: number }>(
    `select (select count(*) from orders where user_id = $1) as orders,
      (select count(*) from mail_outbox where user_id = $1 and state = 'waiting') as mails`,
    [userId],
  );
  return rows[0];
}

describe.each(cases)('$what of who is removed by $by, with orders $limit', (given) => {
  test('and comes while they are being removed is refused, and nothing of it is left behind', async () => {
    const { shop, customer, product, place, remove } = await prepare(given);
    let sent: [ReturnType<typeof remove>, ReturnType<typeof place>] | undefined;
    await whileHeld(shop, holdSavedBatch, customer.userId, async (client) => {
      const removal = remove();
      await awaitWaiting(client, 1);
      sent = [removal, place()];
      await awaitWaiting(client, 2);
    });
    const [removal, placing] = await Promise.all(sent ?? []);
    expect([removal?.status, placing?.status]).toEqual([200, 401]);
    expect(await countWritten(shop, customer)).toEqual({ orders: 0, mails: 0 });
    expect(await findStock(shop.services.database.db, product._id)).toBe(1000);
  });

  test('and was on its way before is placed first', async () => {
    const { shop, customer, product, place, remove } = await prepare(given);
    let sent: [ReturnType<typeof place>, ReturnType<typeof remove>] | undefined;
    await whileHeld(shop, holdPart, product._id, async (client) => {
      const placing = place();
      await awaitWaiting(client, 1);
      sent = [placing, remove()];
      await awaitWaiting(client, 2);
    });
    const [placing, removal] = await Promise.all(sent ?? []);
    // Unpaid orders keep people from removing themselves, and nobody else.
    const isRemoved = given.by === 'an administrator';
    expect([placing?.status, removal?.status]).toEqual([200, isRemoved ? 200 : 409]);
    expect(await countWritten(shop, customer)).toEqual({ orders: 1, mails: isRemoved ? 0 : 1 });
  });
});
