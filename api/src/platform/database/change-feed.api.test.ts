import { readFileSync } from 'node:fs';
import { COUNTED_TO } from '@parts-forge/contract/calls/bounds';
import { sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { useShop } from '#test/use-shop.ts';
import { type ChangeTag, openChangeFeed } from './change-feed.ts';
import { type Database, withOwnConnection } from './connection.ts';
import { findMetadata } from './metadata.ts';
import { migrate, withSetupLock } from './migrate.ts';
import { metadata } from './schema.ts';

const shop = useShop();

/** A feed like another process's, and everything it received: the tags of each change, or `all`. */
async function aFeed(database: Database = shop.services.database) {
  const errors: Error[] = [];
  const feed = await openChangeFeed(database, (error) => void errors.push(error));
  const received: (string[] | 'all')[] = [];
  feed.subscribe((changed) => void received.push(changed === 'all' ? 'all' : [...changed].sort()));
  onTestFinished(() => feed.close());
  return { feed, received, errors };
}

/** An order of a product with this change number. */
const anOrder = (number: number, product = 1) => ({ number, productId: String(product) });

const query = async (statement: ReturnType<typeof sql>) => (await shop.db.execute(statement)).rows;
const listeners = async () =>
  (
    await query(
      sql`select pid from pg_stat_activity where datname = current_database() and application_name = 'parts-forge listener'`,
    )
  ).map(({ pid }) => Number(pid));

describe('write', () => {
  test('a write notifies its own process before it resolves, then others', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    const result = await own.feed.write(async (_tx, changed) => {
      changed('products', 'product:x');
      changed('reviews', 'products');
      expect(own.received).toEqual([]);
      return 'written';
    });
    expect(result).toBe('written');
    expect(own.received[0]).toEqual(['product:x', 'products', 'reviews']);
    await expect.poll(() => other.received).toEqual([['product:x', 'products', 'reviews']]);
  });

  test('a write and its notification succeed or fail together', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    const failing = own.feed.write(async (tx, changed) => {
      changed('products');
      await tx.insert(metadata).values({ name: 'of a failed write', value: 'x' });
      throw new Error('lost');
    });
    await expect(failing).rejects.toThrow('lost');
    expect(await findMetadata(shop.db, 'of a failed write')).toBeNull();
    // A later change proves that all earlier ones have arrived.
    await own.feed.write(async (_tx, changed) => changed('users'));
    await expect.poll(() => other.received).toEqual([['users']]);
    expect(own.received[0]).toEqual(['users']);
  });

  test('every process distinguishes orders from other changes', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    const [here, elsewhere] = [own, other].map(({ feed }) => {
      const received: boolean[] = [];
      feed.subscribe((changed, isOrder) => void (changed !== 'all' && received.push(isOrder)));
      return received;
    });
    own.feed.publishOrder(anOrder(1));
    await expect.poll(() => elsewhere).toEqual([true]);
    await own.feed.write(async (_tx, changed) => changed('products'));
    await expect.poll(() => elsewhere).toEqual([true, false]);
    await own.feed.publish('config');
    await expect.poll(() => elsewhere).toEqual([true, false, false]);
    expect(here?.[0]).toBe(true);
  });

  test('a write without tags notifies nobody', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    expect(await own.feed.write(async () => 7)).toBe(7);
    expect(own.received).toEqual([]);
    await own.feed.write(async (_tx, changed) => changed('users'));
    await expect.poll(() => other.received).toEqual([['users']]);
  });

  test('a change with too many tags for one notification arrives complete', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    const tags = Array.from({ length: 301 }, (_, index): ChangeTag => `product:${'x'.repeat(32)}-${index}`);
    await own.feed.write(async (_tx, changed) => changed(...tags));
    expect(own.received).toContainEqual(tags.toSorted());
    await expect.poll(() => other.received.length).toBe(3);
    expect(other.received.flat().sort()).toEqual(tags.toSorted());
    expect(other.received.map(({ length }) => length)).toEqual([150, 150, 1]);
  });
});

describe('publish', () => {
  test('publishing notifies its own process at once, others before it resolves', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    const published = own.feed.publish('products', 'product:x');
    expect(own.received).toEqual([['product:x', 'products']]);
    await published;
    await expect.poll(() => other.received).toEqual([['product:x', 'products']]);
  });

  test('concurrent publications share a transaction', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    await Promise.all([1, 2, 3, 4].map((number) => own.feed.publish('products', `product:${number}`)));
    const all = ['product:1', 'product:2', 'product:3', 'product:4', 'products'];
    await expect.poll(() => [...new Set(other.received.flat())].sort()).toEqual(all);
    expect(other.received.length).toBeLessThan(4);
  });

  test('a publication notifies its own process only once', async () => {
    const own = await aFeed();
    await own.feed.publish('products');
    // A later change proves that all earlier ones have arrived.
    await (await aFeed()).feed.publish('users');
    await expect.poll(() => own.received).toEqual([['products'], ['users']]);
  });

  test('publishing does not wait for the disk', async () => {
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
    await expect.poll(() => other.received).toEqual([['products']]);
  });

  test('a failed publication is logged and does not reject', async () => {
    const { database } = shop.services;
    const away: Database = { ...database, runPrepared: () => Promise.reject(new Error('away')) };
    const { feed, received, errors } = await aFeed(away);
    await feed.publish('products');
    expect(received).toEqual([['products']]);
    expect(errors.map(({ message }) => message)).toEqual(['away']);
  });
});

describe('lost notification', () => {
  /** Generous, for busy machines; caches are dropped after thirty seconds anyway. */
  const soon = { interval: 10, timeout: 10_000 };

  test('a lost notification is noticed once', async () => {
    const { received } = await aFeed();
    // As left by a process that dies after its commit.
    await query(sql`select nextval('change_numbers')`);
    await expect.poll(() => received, soon).toEqual(['all']);
    const other = await aFeed();
    await other.feed.write(async (_tx, changed) => changed('reviews'));
    await expect.poll(() => received).toEqual(['all', ['reviews']]);
  });

  test('lost notifications are distinguished from those of writes and publications', async () => {
    const [own, other] = [await aFeed(), await aFeed()];
    await own.feed.write(async (_tx, changed) => changed('products'));
    const [{ nextval } = { nextval: 0 }] = await query(sql`select nextval('change_numbers')`);
    own.feed.publishOrder(anOrder(Number(nextval)));
    // Earlier numbers have been checked by the time the next one is missed.
    await query(sql`select nextval('change_numbers')`);
    await expect
      .poll(() => other.received, soon)
      .toEqual([['products'], ['mail', 'product:1', 'products'], 'all']);
  });
});

describe('close', () => {
  test('closing sends pending notifications first', async () => {
    const [{ feed }, other] = [await aFeed(), await aFeed()];
    for (const number of [1, 2, 3]) feed.publishOrder(anOrder(number, number));
    await feed.close();
    const products = () => other.received.flat().filter((tag) => tag.startsWith('product:'));
    await expect.poll(() => products().sort()).toEqual(['product:1', 'product:2', 'product:3']);
  });

  test('a closed feed disconnects, receives nothing and stays closed', async () => {
    const before = await listeners();
    const { feed, received, errors } = await aFeed();
    // Feeds of earlier tests may still be closing: this one's connection has to be gone.
    const [pid] = (await listeners()).filter((one) => !before.includes(one));
    expect(pid).toBeDefined();
    await feed.close();
    expect(feed.isConnected).toBe(false);
    await expect.poll(listeners).not.toContain(pid);
    expect([received, errors]).toEqual([[], []]);
    await shop.services.changes.write(async (_tx, changed) => changed('users'));
    expect(received).toEqual([]);
  });

  test('closing cancels a pending reconnect', async () => {
    const setTimer = vi.spyOn(globalThis, 'setTimeout');
    const clearTimer = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => void vi.restoreAllMocks());
    const { database } = shop.services;
    const connection = { ...database.connection, connectionString: undefined, host: '127.0.0.1', port: 1 };
    const { feed, errors } = await aFeed({ ...database, connection });
    // Other code sets timers too; the one for the next attempt has a quarter of a second.
    const attempts = setTimer.mock.calls.flatMap(([, delay], call) =>
      delay === 250 ? [setTimer.mock.results[call]?.value] : [],
    );
    expect(attempts).toHaveLength(1);
    await feed.close();
    expect(clearTimer).toHaveBeenCalledWith(attempts[0]);
    expect(errors).toHaveLength(1);
  });
});

test('a broken listening connection reopens, drops caches and receives changes again', async () => {
  const before = await listeners();
  const { feed, received, errors } = await aFeed();
  const [pid] = (await listeners()).filter((one) => !before.includes(one));
  await query(sql`select pg_terminate_backend(${pid})`);
  await expect.poll(() => errors.length).toBe(1);
  await expect.poll(() => feed.isConnected).toBe(true);
  // Once at the break, as the cache must not count as fresh, and once for the missed changes.
  expect(received).toEqual(['all', 'all']);
  const other = await aFeed();
  await other.feed.write(async (_tx, changed) => changed('reviews'));
  await expect.poll(() => received.at(-1)).toEqual(['reviews']);
});

test('caches are dropped every thirty seconds until the feed is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { feed, received } = await aFeed();
  vi.advanceTimersByTime(29_999);
  expect(received).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(received).toEqual(['all']);
  vi.advanceTimersByTime(30_000);
  expect(received).toEqual(['all', 'all']);
  await feed.close();
  expect(vi.getTimerCount()).toBe(0);
});

test('a migration reports that it waits for another process', async () => {
  const { database } = shop.services;
  const waits = Promise.withResolvers<string>();
  let waiting: Promise<void> | undefined;
  await withSetupLock(database, async () => {
    waiting = migrate(database, () => waits.resolve('said'));
    expect(await Promise.race([waits.promise, waiting])).toBe('said');
  });
  await waiting;
});

test('a lone migration reports no wait', async () => {
  await migrate(shop.services.database, () => expect.unreachable());
});

test('a list counts matches up to a limit, then says more', async () => {
  const { userId } = await signedInAs(shop, 'user');
  await shop.db.execute(sql`
    insert into reviews (id, user_id, name, rating_halves, description)
    select gen_random_uuid(), ${userId}, 'Amara Okafor', 10, 'As described.' from generate_series(1, ${COUNTED_TO}::int)`);
  const countAll = async () => (await shop.request('/review?limit=1')).headers.get('x-total-count');
  expect(await countAll()).toBe('1000');
  await shop.services.changes.write(async (tx, changed) => {
    await tx.execute(sql`
      insert into reviews (id, user_id, name, rating_halves, description)
      values (gen_random_uuid(), ${userId}, 'Amara Okafor', 10, 'As described.')`);
    changed('reviews');
  });
  expect(await countAll()).toBe('1000+');
});

const document = new URL('../../../../docs/guides/scaling.md', import.meta.url);

/** Schema objects beyond plain tables, columns, constraints and btree indexes on columns. */
const extras = `
  select case when tgconstraint = 0 then 'trigger' else 'constraint trigger' end as kind, tgname::text as name,
    tgrelid::regclass::text as "table"
  from pg_trigger where not tgisinternal
  union all select 'generated column', attname::text, attrelid::regclass::text from pg_attribute where attgenerated <> ''
  union all select access.amname || ' index' || case when indexprs is null then '' else ' on an expression' end,
    index.relname::text, indrelid::regclass::text
  from pg_index join pg_class as index on index.oid = indexrelid join pg_am as access on access.oid = index.relam
  where index.relnamespace = 'public'::regnamespace and (access.amname <> 'btree' or indexprs is not null)
  union all select 'function', proname::text, '' from pg_proc
  where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype and not exists (
    select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
  union all select 'sequence', relname::text, '' from pg_class
  where relkind = 'S' and relnamespace = 'public'::regnamespace
  union all select 'unlogged table', relname::text, '' from pg_class
  where relkind = 'r' and relpersistence = 'u' and relnamespace = 'public'::regnamespace
  union all select 'collation', collname::text, '' from pg_collation where collnamespace = 'public'::regnamespace
  union all select 'statistics', stxname::text, stxrelid::regclass::text from pg_statistic_ext
  union all select 'extension', extname::text, '' from pg_extension where extname <> 'plpgsql'`;

test('docs/guides/scaling.md lists the schema objects beyond plain tables', async () => {
  const text = readFileSync(document, 'utf8');
  const rows = [...text.matchAll(/^\| ([^|`]+) \| `([^|`]+)` \| (?:`([^|`]+)`)? ?\| (.+) \|$/gm)];
  const purposes = new Map(rows.map(([, , name = '', table = '', purpose]) => [`${table}.${name}`, purpose]));
  const { rows: found } = await shop.pool.query<Record<'kind' | 'name' | 'table', string>>(extras);
  const lines = found.map(({ kind, name, table }) => {
    const purpose = purposes.get(`${table}.${name}`) ?? '(what it does)';
    return `| ${kind} | \`${name}\` | ${table && `\`${table}\` `}| ${purpose} |`;
  });
  // Databases have collations of their own.
  expect(rows.map(([line]) => line).toSorted()).toEqual(lines.toSorted());
});
