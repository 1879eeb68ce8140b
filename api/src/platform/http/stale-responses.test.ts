import { setImmediate as later } from 'node:timers/promises';
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
  const change = (...tags: ChangeTag[]) => tell(new Set(tags), false);
  return { cache, feed, made, read, change, missChanges: () => tell('all', false) };
}

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
    const startedAtMs = Date.now();
    vi.setSystemTime(startedAtMs + 5_000);
    const isShared = await Promise.race([
      read('/review', 'reviews').then(() => false),
      later().then(() => true),
    ]);
    expect(isShared).toBe(true);
    vi.setSystemTime(startedAtMs + 5_001);
    expect(await read('/review', 'reviews')).toBe('/review');
  } finally {
    vi.useRealTimers();
  }
});
