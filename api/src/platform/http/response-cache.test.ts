import type { CacheTag } from '@parts-forge/contract/call';
import { describe, expect, test, vi } from 'vitest';
import type { ChangeListener, ChangeTag } from '#src/platform/database/change-feed.ts';
import { createResponseCache } from './response-cache.ts';

/** A cache, what it hears of changes by, and how often each key was made. */
function aCache() {
  let tell: ChangeListener = () => {};
  const feed = {
    isConnected: true,
    canReachDatabase: async () => feed.isReachable,
    isReachable: true,
    subscribe: (listener: ChangeListener) => {
      tell = listener;
    },
  };
  const cache = createResponseCache(feed);
  const made: string[] = [];
  const read = async (key: string, ...dependencies: CacheTag[]) => {
    const make = async () => {
      made.push(key);
      return { headers: {}, body: key };
    };
    return (await cache.get(key, make, dependencies)).body.toString();
  };
  const change = (...tags: ChangeTag[]) => tell(new Set(tags));
  return { cache, feed, made, read, change, missChanges: () => tell('all') };
}

test('an answer is made once and again when what it depends on has changed', async () => {
  const { made, read, change } = aCache();
  for (let count = 0; count < 3; count += 1) expect(await read('/product', 'products')).toBe('/product');
  expect(made).toEqual(['/product']);
  change('products');
  await read('/product', 'products');
  expect(made).toEqual(['/product', '/product']);
});

test('an order invalidates its product and the lists, and nothing else', async () => {
  const { made, read, change } = aCache();
  const readAll = async () => {
    await read('/product', 'products');
    await read('/product/1', 'product:1');
    await read('/product/2', 'product:2');
    await read('/review', 'reviews');
    await read('/blogs');
  };
  await readAll();
  made.length = 0;
  change('product:1', 'products');
  await readAll();
  expect(made).toEqual(['/product', '/product/1']);
});

test('when changes may have been missed everything that depends on one is made anew', async () => {
  const { made, read, missChanges } = aCache();
  const readAll = async () => {
    await read('/product/1', 'product:1');
    await read('/review', 'reviews');
    await read('/blogs');
  };
  await readAll();
  made.length = 0;
  missChanges();
  await readAll();
  expect(made).toEqual(['/product/1', '/review']);
});

test('simultaneous requests share one making', async () => {
  const { made, read } = aCache();
  await Promise.all(Array.from({ length: 5 }, () => read('/review', 'reviews')));
  expect(made).toEqual(['/review']);
});

test('what was being made while it changed is answered and not cached', async () => {
  const { cache, made, read, change } = aCache();
  const { promise: database, resolve: answerNow } = Promise.withResolvers<void>();
  const making = cache.get('/product/1', async () => {
    await database;
    return { headers: {}, body: 'old' };
  }, ['product:1']);
  change('product:2');
  const joining = cache.get('/product/1', async () => ({ headers: {}, body: 'never made' }), ['product:1']);
  change('product:1');
  answerNow();
  expect((await making).body.toString()).toBe('old');
  expect((await joining).body.toString()).toBe('old');
  expect(await read('/product/1', 'product:1')).toBe('/product/1');
  expect(made).toEqual(['/product/1']);
});

test('what tells only when it is made what it depends on is not cached when anything changed meanwhile', async () => {
  const { cache, change, made, read } = aCache();
  const { promise: rendering, resolve: finish } = Promise.withResolvers<void>();
  const page = cache.get('page /', async () => {
    await rendering;
    return { headers: {}, body: 'page', dependencies: new Set<CacheTag>(['reviews']) };
  });
  change('products');
  finish();
  await page;
  await read('page /');
  expect(made).toEqual(['page /']);
});

test('what failed, or must not be shown to the next one, is made again', async () => {
  const { cache, read, made } = aCache();
  await expect(cache.get('/review', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  await cache.get('/review', async () => ({ headers: {}, body: '', isCacheable: false }));
  await read('/review', 'reviews');
  expect(made).toEqual(['/review']);
});

test('while the listening connection is broken nothing is cached', async () => {
  const { feed, made, read } = aCache();
  feed.isConnected = false;
  await read('/review', 'reviews');
  await read('/review', 'reviews');
  expect(made).toHaveLength(2);
});

describe('while the database', () => {
  /** An answer in memory that may have missed a change. */
  async function withStale() {
    const all = aCache();
    await all.read('/review', 'reviews');
    all.feed.isConnected = false;
    all.missChanges();
    return all;
  }
  const never = () => new Promise<never>(() => {});
  const fail = () => Promise.reject(new Error('gone'));

  test('cannot be reached, what may have missed a change is shown as stale and nothing is made', async () => {
    const { cache, feed, made, read } = await withStale();
    feed.isReachable = false;
    const { isStale, madeAtMs, body } = await cache.get('/review', never, ['reviews']);
    expect([isStale, body.toString()]).toEqual([true, '/review']);
    expect(madeAtMs).toBeLessThanOrEqual(Date.now());
    feed.isConnected = true;
    feed.isReachable = true;
    await read('/review', 'reviews');
    expect(made).toHaveLength(2);
    expect((await cache.get('/review', never, ['reviews'])).isStale).toBe(false);
  });

  test('can be reached, everything is made anew, with the listening connection or without', async () => {
    const { made, read } = await withStale();
    await read('/review', 'reviews');
    await read('/review', 'reviews');
    expect(made).toHaveLength(3);
  });

  test('cannot be reached, what is known to have changed is not shown', async () => {
    const { cache, change, feed } = await withStale();
    feed.isReachable = false;
    change('reviews');
    await expect(cache.get('/review', fail, ['reviews'])).rejects.toThrow('gone');
  });

  test('goes away while an answer is made, the stale one takes its place', async () => {
    const { cache, feed } = await withStale();
    feed.isConnected = true;
    feed.isReachable = false;
    expect((await cache.get('/review', fail, ['reviews'])).isStale).toBe(true);
    const inParts = async () => ({ headers: {}, body: 'half a page', isCacheable: false });
    expect((await cache.get('/review', inParts, ['reviews'])).body.toString()).toBe('/review');
  });

  test('is there, a failure is a failure', async () => {
    const { cache } = await withStale();
    await expect(cache.get('/review', fail, ['reviews'])).rejects.toThrow('gone');
  });
});

test('a making that hangs is not shared for ever', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { cache, read } = aCache();
    cache.get('/review', () => new Promise(() => {}), ['reviews']).catch(() => {});
    vi.setSystemTime(Date.now() + 6_000);
    expect(await read('/review', 'reviews')).toBe('/review');
  } finally {
    vi.useRealTimers();
  }
});
