import { randomUUID } from 'node:crypto';
import { placeOrder as placeOrderCall } from '@parts-forge/contract/orders/orders';
import type { Product } from '@parts-forge/contract/products/products';
import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hashToken } from '#src/platform/core/hash-token.ts';
import { findPartFacts } from '#src/products/store.ts';
import { actorOf, aProduct, orderBody, type Person, signedInAs } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { countWaiting, whileLocked } from '#test/waiting-statements.ts';
import { type OrderQueue, openOrderQueue } from './order-queue.ts';
import { placeOrder } from './place-order.ts';
import { orders } from './schema.ts';
import type { OrderPlacement } from './take-stock.ts';

// Slow machines must not fail these tests.
const shop = useShop({ env: { STATEMENT_TIMEOUT_MS: '60000' } });
const customer = usePerson(shop, 'user');

/** By `customer` at the present price unless given otherwise. */
function aPlacement(product: Product, quantity: number, given: Partial<OrderPlacement> = {}): OrderPlacement {
  return {
    id: shop.services.ids.next(),
    userId: customer.userId,
    tokenHash: hashToken(customer.token),
    name: customer.name,
    email: customer.email,
    address: '12 Oxford Street, "Osu"\nAccra {NULL,\\}',
    phone: '233302771204',
    productId: product._id,
    quantity,
    seenCents: quantity * Math.round(product.price * 100),
    reference: null,
    batch: null,
    keyId: null,
    heldUntil: null,
    mailId: shop.services.ids.next(),
    now: shop.services.clock.now(),
    today: '2026-11-29',
    key: null,
    ...given,
  };
}

const aKey = (text: string) => ({ text, bodyHash: Buffer.from(text) });

/** Includes deadlocks, which callers do not notice. */
const countRepeated = () => shop.services.database.counts.repeated;

interface QueueOptions {
  maxUnpaidOrders?: number | null;
  /** Runs after each successful statement. */
  afterStatement?: () => void;
}

/** Records the orders of each statement and the codes of failed ones. */
function openCountedQueue({ maxUnpaidOrders = null, afterStatement }: QueueOptions = {}) {
  const { database } = shop.services;
  const statements: number[] = [];
  const failures: unknown[] = [];
  const counted: typeof database = {
    ...database,
    async runPrepared(statement) {
      const [, , ids] = statement.values ?? [];
      statements.push((ids as string[]).length);
      const run: ReturnType<typeof database.runPrepared> = database.runPrepared(statement);
      const result = await run.catch((error: unknown) => {
        failures.push((error as { code?: unknown }).code);
        throw error;
      });
      afterStatement?.();
      return result as never;
    },
  };
  const queue = openOrderQueue(counted, { maxUnpaidOrders, connectionTimeoutMs: 60_000, tax: null });
  /** Places simultaneous orders. @returns which of them were placed */
  const placeTogether = async (placements: readonly OrderPlacement[]) => {
    const changes = await Promise.all(placements.map((placement) => queue.place(placement)));
    return changes.map((change) => change !== null);
  };
  return { queue, statements, failures, placeTogether };
}

/** From the database, as placements without a request do not reach the cache. */
const readStock = async ({ _id }: Product) => (await findPartFacts(shop.db, [_id])).get(_id)?.quantity;
const countOrders = (product: Product) =>
  shop.db.$count(orders, and(eq(orders.productId, product._id), eq(orders.userId, customer.userId)));

describe('simultaneous orders', () => {
  test('share statements of at most 32 orders', async () => {
    const { statements, placeTogether } = openCountedQueue();
    const product = await aProduct(shop, { quantity: 1000, minimumOrder: 1 });
    const others = [await aProduct(shop), await aProduct(shop)];
    expect(await placeTogether([aPlacement(product, 1)])).toEqual([true]);
    // No statement waits for another one's product.
    const many = [product, ...others].flatMap((part) =>
      Array.from({ length: part === product ? 32 : 19 }, () => aPlacement(part, part.minimumOrder)),
    );
    expect(await placeTogether(many)).toEqual(Array(70).fill(true));
    expect(statements).toEqual([1, 32, 32, 6]);
    expect(await countOrders(product)).toBe(33);
  });

  test('take stock in order of arrival; a skipped one fits alone', async () => {
    const { queue, statements, placeTogether } = openCountedQueue();
    const product = await aProduct(shop, { quantity: 100, minimumOrder: 1 });
    const other = await aProduct(shop, { quantity: 50, minimumOrder: 50 });
    const behind = aPlacement(product, 30);
    const placed = await placeTogether([
      aPlacement(product, 60),
      aPlacement(other, 50),
      aPlacement(product, 10),
      aPlacement(product, 50),
      aPlacement(other, 50),
      behind,
    ]);
    expect(placed).toEqual([true, true, true, false, false, false]);
    expect(statements).toEqual([6]);
    expect(await queue.placeAlone(behind)).not.toBeNull();
    expect(await queue.placeAlone(aPlacement(product, 1))).toBeNull();
  });

  test('each keep every condition', async () => {
    const { statements, placeTogether } = openCountedQueue();
    const product = await aProduct(shop, { price: 20, quantity: 1000, minimumOrder: 50 });
    const deleted = await aProduct(shop);
    const { token } = await signedInAs(shop, 'admin');
    await shop.request(`/product/${deleted._id}`, { method: 'DELETE', token });
    const placed = await placeTogether([
      aPlacement(product, 50),
      aPlacement(product, 49),
      aPlacement(product, 50, { seenCents: 50 * 1999 }),
      aPlacement(deleted, 50),
      aPlacement(product, 50, { productId: randomUUID() }),
      aPlacement(product, 950),
    ]);
    expect(placed).toEqual([true, false, false, false, false, true]);
    expect(statements).toEqual([6]);
    const { rows } = await shop.pool.query(
      'select count(*) from mail_outbox join orders on orders.id = order_id where orders.product_id = $1',
      [product._id],
    );
    expect(rows).toEqual([{ count: 2 }]);
    expect(await readStock(product)).toBe(0);
  });

  test('are placed once per key without blocking others', async () => {
    const { statements, placeTogether } = openCountedQueue();
    const product = await aProduct(shop, { quantity: 1000, minimumOrder: 1 });
    const other = await signedInAs(shop, 'user');
    const first = aPlacement(product, 2, { key: aKey('one') });
    expect(
      await placeTogether([
        first,
        aPlacement(product, 3, { key: aKey('one') }),
        aPlacement(product, 4, { key: aKey('one'), userId: other.userId }),
        aPlacement(product, 5),
      ]),
    ).toEqual([true, false, true, true]);
    expect(
      await placeTogether([
        aPlacement(product, 6, { key: aKey('one') }),
        aPlacement(product, 7, { key: aKey('two') }),
      ]),
    ).toEqual([false, true]);
    expect(statements).toEqual([4, 2]);
    const { rows } = await shop.pool.query(
      "select order_id from order_keys where user_id = $1 and key = 'one'",
      [customer.userId],
    );
    expect(rows).toEqual([{ order_id: first.id }]);
    expect(await readStock(product)).toBe(1000 - 2 - 4 - 5 - 7);
  });

  test("stay within the customer's limit of unpaid orders", async () => {
    const { placeTogether } = openCountedQueue({ maxUnpaidOrders: 3 });
    const [buyer, other] = [await signedInAs(shop, 'user'), await signedInAs(shop, 'user')];
    const product = await aProduct(shop, { quantity: 1000, minimumOrder: 1 });
    const by = ({ userId }: Person) => aPlacement(product, 1, { userId });
    expect(await placeTogether([by(buyer)])).toEqual([true]);
    expect(await placeTogether([by(buyer), by(other), by(buyer), by(buyer), by(other)])).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
  });

  test('are retried alone after one fails the statement', async () => {
    const { statements, placeTogether } = openCountedQueue();
    const product = await aProduct(shop, { quantity: 5, minimumOrder: 1 });
    const [earlier, good, another] = [aPlacement(product, 1), aPlacement(product, 1), aPlacement(product, 2)];
    await placeTogether([earlier]);
    const bad = aPlacement(product, 1, { id: earlier.id });
    const settled = await Promise.allSettled([good, bad, another].map((each) => placeTogether([each])));
    expect(settled).toMatchObject([
      { value: [true] },
      { status: 'rejected', reason: { code: '23505' } },
      { value: [true] },
    ]);
    expect(statements).toEqual([1, 3, 1, 1, 1]);
  });
});

const lockPart = 'select from products where id = $1 for update';

describe('orders of several products', () => {
  test('do not deadlock in opposite order between two processes', async () => {
    const parts = [await aProduct(shop), await aProduct(shop), await aProduct(shop)];
    const [first, second] = [openCountedQueue(), openCountedQueue()];
    const placements = () => parts.map((part) => aPlacement(part, 50));
    const { answers } = await whileLocked(shop, [lockPart, parts[1]?._id], async (client) => {
      const answers = [first.placeTogether(placements()), second.placeTogether(placements().reverse())];
      await expect.poll(() => countWaiting(client), { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
      return { answers };
    });
    expect((await Promise.all(answers)).flat()).toEqual(Array(6).fill(true));
    expect(countRepeated()).toBe(0);
  });

  test('do not deadlock for several customers in opposite order', async () => {
    const part = await aProduct(shop, { quantity: 10_000, minimumOrder: 1 });
    const buyers = await Promise.all(Array.from({ length: 16 }, () => signedInAs(shop, 'user')));
    const queues = Array.from({ length: 4 }, () => openCountedQueue({ maxUnpaidOrders: 1000 }));
    for (let round = 0; round < 20; round += 1) {
      const sent = queues.map(({ placeTogether }, index) => {
        const placements = buyers.map(({ userId }) => aPlacement(part, 1, { userId }));
        return placeTogether(index % 2 === 0 ? placements : placements.reverse());
      });
      expect((await Promise.all(sent)).flat()).not.toContain(false);
    }
    expect(countRepeated()).toBe(0);
    expect(await readStock(part)).toBe(10_000 - 20 * 4 * 16);
  });

  test('wait behind their own product and pass other products', async () => {
    const { statements, placeTogether } = openCountedQueue();
    const [held, free] = [await aProduct(shop), await aProduct(shop)];
    const { sent } = await whileLocked(shop, [lockPart, held._id], async (client) => {
      const first = placeTogether([aPlacement(held, 50)]);
      await expect.poll(() => countWaiting(client), { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
      const further = [placeTogether([aPlacement(held, 50)]), placeTogether([aPlacement(held, 50)])];
      expect(await placeTogether([aPlacement(free, 50)])).toEqual([true]);
      expect(statements).toEqual([1, 1]);
      return { sent: [first, ...further] };
    });
    expect((await Promise.all(sent)).flat()).toEqual([true, true, true]);
  });

  test('are delayed only briefly by a locked product', async () => {
    const { failures, placeTogether } = openCountedQueue();
    const [held, free] = [await aProduct(shop), await aProduct(shop)];
    const { sent } = await whileLocked(shop, [lockPart, held._id], async () => {
      const waiting = placeTogether([aPlacement(held, 50)]);
      const blocked = placeTogether([aPlacement(held, 50)]);
      expect(await placeTogether([aPlacement(free, 50)])).toEqual([true]);
      return { sent: [waiting, blocked] };
    });
    expect(await Promise.all(sent)).toEqual([[true], [true]]);
    const LOCK_NOT_AVAILABLE = '55P03';
    expect(failures).toEqual([LOCK_NOT_AVAILABLE]);
    expect(await readStock(held)).toBe(900);
  });
});

test('an order skipped in its group is retried alone', async () => {
  const product = await aProduct(shop);
  const { queue, statements } = openCountedQueue();
  const tries: string[] = [];
  const leavingOut: OrderQueue = {
    async place() {
      tries.push('together');
      return null;
    },
    placeAlone(order) {
      tries.push('alone');
      return queue.placeAlone(order);
    },
  };
  const buyer = await actorOf(shop, customer, placeOrderCall);
  await placeOrder(shop.services, leavingOut, buyer, orderBody(customer, product), undefined);
  expect(tries).toEqual(['together', 'alone']);
  expect(statements).toEqual([1]);
  expect(await countOrders(product)).toBe(1);
});

test('a key that ended while its order waited places nothing', async () => {
  const product = await aProduct(shop);
  const keyBody = { name: 'ERP', scopes: ['orders:place'] };
  const { body } = await customer.post('/key', keyBody);
  const waiting = aPlacement(product, 50, { tokenHash: hashToken(body.key) });
  const { queue } = openCountedQueue();
  await customer.delete(`/key/${body.data._id}`);
  expect([await queue.place(waiting), await queue.placeAlone(waiting)]).toEqual([null, null]);
  expect(await countOrders(product)).toBe(0);
});

test('orders with an unknown outcome are not retried', async () => {
  const { statements, placeTogether } = openCountedQueue({
    afterStatement() {
      throw new Error('Connection terminated unexpectedly');
    },
  });
  const product = await aProduct(shop, { quantity: 1000, minimumOrder: 1 });
  const sent = Array.from({ length: 12 }, () => placeTogether([aPlacement(product, 1)]));
  for (const { status } of await Promise.allSettled(sent)) expect(status).toBe('rejected');
  expect(statements).toEqual([12]);
  expect(await countOrders(product)).toBe(12);
});

test('300 buyers of 100 pieces place exactly 100 orders', async () => {
  const product = await aProduct(shop, { quantity: 100, minimumOrder: 1 });
  const buyers = await Promise.all(Array.from({ length: 10 }, () => signedInAs(shop, 'user')));
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => {
      const { token, email } = buyers[index % buyers.length] as Person;
      return shop.request('/order', {
        method: 'POST',
        token,
        headers: { 'idempotency-key': randomUUID() },
        body: {
          email,
          address: '12 Oxford Street',
          phone: '233302771204',
          productId: product._id,
          quantity: 1,
          totalPrice: product.price,
        },
      });
    }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status, body }) => `${status} ${body.detail}`))).toEqual(
    new Set(['409 maximum order range 0']),
  );
  expect(await readStock(product)).toBe(0);
});
