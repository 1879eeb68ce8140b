import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { type ChangeTag, openChangeFeed } from './change-feed.ts';
import { type Database, withOwnConnection } from './connection.ts';
import { findMetadata } from './metadata.ts';
import { metadata } from './schema.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(async () => {
  expect(shop.errors).toEqual([]);
  await shop.close();
});

/** A feed as a process of its own has it, and all that it heard: the tags of each change, or `all`. */
async function aFeed(database: Database = shop.services.database) {
  const errors: Error[] = [];
  const feed = await openChangeFeed(database, (error) => void errors.push(error));
  const heard: (string[] | 'all')[] = [];
  feed.subscribe((changed) => void heard.push(changed === 'all' ? 'all' : [...changed].sort()));
  onTestFinished(() => feed.close());
  return { feed, heard, errors };
}

/** What an order of a product has left of it, under a number of the changes. */
const anOrder = (number: number, product = 1) => ({ number, productId: String(product) });

const query = async (statement: ReturnType<typeof sql>) =>
  (await shop.services.database.db.execute(statement)).rows;
const listeners = async () =>
  (
    await query(
      sql`select pid from pg_stat_activity where datname = current_database() and application_name = 'parts-forge listener'`,
    )
  ).map(({ pid }) => Number(pid));

describe('a change', () => {
  test('is told to its own process before the writer goes on, and to the others', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    const result = await own.feed.write(async (_tx, changed) => {
      changed('products', 'product:x');
      changed('reviews', 'products');
      expect(own.heard).toEqual([]);
      return 'written';
    });
    expect(result).toBe('written');
    expect(own.heard[0]).toEqual(['product:x', 'products', 'reviews']);
    await expect.poll(() => other.heard).toEqual([['product:x', 'products', 'reviews']]);
  });

  test('is told with what it wrote: nothing of both when it fails', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    const failing = own.feed.write(async (tx, changed) => {
      changed('products');
      await tx.insert(metadata).values({ name: 'of a failed write', value: 'x' });
      throw new Error('lost');
    });
    await expect(failing).rejects.toThrow('lost');
    expect(await findMetadata(shop.services.database.db, 'of a failed write')).toBeNull();
    // A later change shows that everything before it has been heard.
    await own.feed.write(async (_tx, changed) => changed('users'));
    await expect.poll(() => other.heard).toEqual([['users']]);
    expect(own.heard[0]).toEqual(['users']);
  });

  test('orders are told apart from other changes in every process', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    const [here, elsewhere] = [own, other].map(({ feed }) => {
      const heard: boolean[] = [];
      feed.subscribe((changed, isOrder) => void (changed !== 'all' && heard.push(isOrder)));
      return heard;
    });
    own.feed.publishOrder(anOrder(1));
    await expect.poll(() => elsewhere).toEqual([true]);
    await own.feed.write(async (_tx, changed) => changed('products'));
    await expect.poll(() => elsewhere).toEqual([true, false]);
    await own.feed.publish('config');
    await expect.poll(() => elsewhere).toEqual([true, false, false]);
    expect(here?.[0]).toBe(true);
  });

  test('of nothing is told to nobody', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    expect(await own.feed.write(async () => 7)).toBe(7);
    expect(own.heard).toEqual([]);
    await own.feed.write(async (_tx, changed) => changed('users'));
    await expect.poll(() => other.heard).toEqual([['users']]);
  });

  test('of more things than one notification holds is told completely', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    const tags = Array.from({ length: 301 }, (_, index): ChangeTag => `product:${'x'.repeat(32)}-${index}`);
    await own.feed.write(async (_tx, changed) => changed(...tags));
    expect(own.heard).toContainEqual(tags.toSorted());
    await expect.poll(() => other.heard.length).toBe(3);
    expect(other.heard.flat().sort()).toEqual(tags.toSorted());
    expect(other.heard.map(({ length }) => length)).toEqual([150, 150, 1]);
  });
});

describe('a change that is told after its commit', () => {
  test('is told to its own process at once, and to the others before the teller goes on', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    const published = own.feed.publish('products', 'product:x');
    expect(own.heard).toEqual([['product:x', 'products']]);
    await published;
    await expect.poll(() => other.heard).toEqual([['product:x', 'products']]);
  });

  test('shares a transaction with others that come meanwhile', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    await Promise.all([1, 2, 3, 4].map((number) => own.feed.publish('products', `product:${number}`)));
    const all = ['product:1', 'product:2', 'product:3', 'product:4', 'products'];
    await expect.poll(() => [...new Set(other.heard.flat())].sort()).toEqual(all);
    expect(other.heard.length).toBeLessThan(4);
  });

  test('is told to its own process once, as whatever was made since shows it', async () => {
    const own = await aFeed();
    await own.feed.publish('products');
    // A later change shows that everything before it has been heard.
    await (await aFeed()).feed.publish('users');
    await expect.poll(() => own.heard).toEqual([['products'], ['users']]);
  });

  test('does not wait for the disk', async () => {
    const { database } = shop.services;
    const settings: unknown[] = [];
    const watching: Database = {
      ...database,
      runPrepared: ({ text, values }) =>
        withOwnConnection(database, async (client) => {
          await client.query('begin');
          const result = await client.query(text, values);
          const { rows } = await client.query('show synchronous_commit');
          settings.push(rows[0]?.synchronous_commit);
          await client.query('commit');
          return result;
        }),
    };
    const { feed } = await aFeed(watching);
    const other = await aFeed();
    await feed.publish('products');
    expect(settings).toEqual(['off']);
    await expect.poll(() => other.heard).toEqual([['products']]);
  });

  test('that cannot be told is an error for the log and none for the teller', async () => {
    const { database } = shop.services;
    const away: Database = { ...database, runPrepared: () => Promise.reject(new Error('away')) };
    const { feed, heard, errors } = await aFeed(away);
    await feed.publish('products');
    expect(heard).toEqual([['products']]);
    expect(errors.map(({ message }) => message)).toEqual(['away']);
  });
});

describe('a change that nobody is told of', () => {
  /** A busy machine must not decide; everything is forgotten after thirty seconds in any case. */
  const soon = { interval: 10, timeout: 10_000 };

  test('is noticed, once', async () => {
    const { heard } = await aFeed();
    // What a process leaves that dies after its commit.
    await query(sql`select nextval('change_numbers')`);
    await expect.poll(() => heard, soon).toEqual(['all']);
    const other = await aFeed();
    await other.feed.write(async (_tx, changed) => changed('reviews'));
    await expect.poll(() => heard).toEqual(['all', ['reviews']]);
  });

  test('is told apart from those that are told, with and after their commit', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    await own.feed.write(async (_tx, changed) => changed('products'));
    const [{ nextval } = { nextval: 0 }] = await query(sql`select nextval('change_numbers')`);
    own.feed.publishOrder(anOrder(Number(nextval)));
    // Those before it were looked for when the one that follows is missed.
    await query(sql`select nextval('change_numbers')`);
    await expect
      .poll(() => other.heard, soon)
      .toEqual([['products'], ['mail', 'product:1', 'products'], 'all']);
  });
});

describe('a feed that was closed', () => {
  test('has told the others of what nobody waited for', async () => {
    const [{ feed }, other] = [await aFeed(), await aFeed()];
    for (const number of [1, 2, 3]) feed.publishOrder(anOrder(number, number));
    await feed.close();
    const products = () => other.heard.flat().filter((tag) => tag.startsWith('product:'));
    await expect.poll(() => products().sort()).toEqual(['product:1', 'product:2', 'product:3']);
  });

  test('has no connection, hears nothing more and is not opened again', async () => {
    const before = await listeners();
    const { feed, heard, errors } = await aFeed();
    // Feeds of tests before may still be leaving: it is this one's connection that has to be gone.
    const [pid] = (await listeners()).filter((one) => !before.includes(one));
    expect(pid).toBeDefined();
    await feed.close();
    expect(feed.isConnected).toBe(false);
    await expect.poll(listeners).not.toContain(pid);
    expect([heard, errors]).toEqual([[], []]);
    await shop.services.changes.write(async (_tx, changed) => changed('users'));
    expect(heard).toEqual([]);
  });

  test('while it waited to be opened again stays closed', async () => {
    const setTimer = vi.spyOn(globalThis, 'setTimeout');
    const clearTimer = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => void vi.restoreAllMocks());
    const { database } = shop.services;
    const connection = { ...database.connection, connectionString: undefined, host: '127.0.0.1', port: 1 };
    const { feed, errors } = await aFeed({ ...database, connection });
    // Others set timers meanwhile, too: it is the one for the next attempt, a quarter of a second later.
    const attempts = setTimer.mock.calls.flatMap(([, delay], call) =>
      delay === 250 ? [setTimer.mock.results[call]?.value] : [],
    );
    expect(attempts).toHaveLength(1);
    await feed.close();
    expect(clearTimer).toHaveBeenCalledWith(attempts[0]);
    expect(errors).toHaveLength(1);
  });
});

test('a broken listening connection is opened again: all is forgotten, then changes are heard as before', async () => {
  const before = await listeners();
  const { feed, heard, errors } = await aFeed();
  const [pid] = (await listeners()).filter((one) => !before.includes(one));
  await query(sql`select pg_terminate_backend(${pid})`);
  await expect.poll(() => errors.length).toBe(1);
  await expect.poll(() => feed.isConnected).toBe(true);
  // Once when it broke, as what is cached must not be taken for fresh until it is back, and once for what it missed.
  expect(heard).toEqual(['all', 'all']);
  const other = await aFeed();
  await other.feed.write(async (_tx, changed) => changed('reviews'));
  await expect.poll(() => heard.at(-1)).toEqual(['reviews']);
});

test('all is forgotten every thirty seconds in any case, until the feed is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { feed, heard } = await aFeed();
  vi.advanceTimersByTime(29_999);
  expect(heard).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(heard).toEqual(['all']);
  vi.advanceTimersByTime(30_000);
  expect(heard).toEqual(['all', 'all']);
  await feed.close();
  expect(vi.getTimerCount()).toBe(0);
});
