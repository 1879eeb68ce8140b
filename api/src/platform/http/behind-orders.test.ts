import type { CacheTag } from '@parts-forge/contract/call';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RequestContext, requestContext } from '#src/platform/core/request-context.ts';
import { cacheWithChanges, plain } from '#test/response-cache.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

const ofList: CacheTag[] = ['catalogue', 'product:x'];
const order = ['product:x', 'products', 'mail'] as const;

/** A list that was made so many milliseconds ago, and a part by itself. */
async function aList({ madeMsAgo = 1000 } = {}) {
  const all = cacheWithChanges();
  const read = () => all.text('/product', ofList);
  expect(await read()).toBe('answer 1');
  pass(madeMsAgo);
  const as = (context: Partial<RequestContext>) => requestContext.run({ requestId: 'one', ...context }, read);
  return { ...all, read, as, ordered: () => all.order(...order) };
}

/** A making of the list that goes on until it is ended. */
function begin({ cache }: Pick<Awaited<ReturnType<typeof aList>>, 'cache'>, body: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const make = async () => {
    await promise;
    return plain(body);
  };
  const making = cache.get('/product', make, ofList);
  return {
    end: async () => {
      resolve();
      return String((await making).body);
    },
  };
}

describe('a list of which a part was ordered', () => {
  test('is made anew by the next request, and shown to others as it was meanwhile', async () => {
    const list = await aList();
    list.ordered();
    expect(list.cache.find('/product')).toBeNull();
    const making = begin(list, 'after the order');
    expect([await list.read(), String(list.cache.find('/product')?.body)]).toEqual(['answer 1', 'answer 1']);
    expect(await making.end()).toBe('after the order');
    expect([await list.read(), String(list.cache.find('/product')?.body)]).toEqual([
      'after the order',
      'after the order',
    ]);
  });

  test('is made anew for orders five times a second, not more often', async () => {
    const list = await aList({ madeMsAgo: 150 });
    list.ordered();
    expect(await list.read()).toBe('answer 1');
    pass(50);
    expect(await list.read()).toBe('answer 2');
    list.ordered();
    pass(199);
    expect(await list.read()).toBe('answer 2');
    pass(1);
    expect(await list.read()).toBe('answer 3');
  });

  test('is shown to nobody half a second after the order, however long making it takes', async () => {
    const list = await aList();
    list.ordered();
    begin(list, 'never');
    pass(400);
    list.ordered();
    pass(99);
    expect(await list.read()).toBe('answer 1');
    pass(1);
    expect(list.cache.find('/product')).toBeNull();
    expect(await list.read()).toBe('answer 2');
  });

  test('that was ordered again while it was made is kept as behind since then', async () => {
    const list = await aList();
    list.ordered();
    const making = begin(list, 'after the first');
    pass(100);
    list.ordered();
    expect(await making.end()).toBe('after the first');
    pass(199);
    expect(await list.read()).toBe('after the first');
    pass(1);
    expect(await list.read()).toBe('answer 2');
    pass(10_000);
    expect(await list.read()).toBe('answer 2');
  });

  test('is made for whoever has just written something, and for a page that shows it', async () => {
    const list = await aList({ madeMsAgo: 10 });
    list.ordered();
    expect(await list.as({})).toBe('answer 1');
    expect(await list.as({ hasJustWritten: true })).toBe('answer 2');
    list.ordered();
    expect(await list.as({ dependencies: new Set() })).toBe('answer 3');
    list.ordered();
    expect(await list.as({})).toBe('answer 3');
  });

  test('that comes out as it was is current again', async () => {
    const list = await aList();
    list.ordered();
    expect(await begin(list, 'answer 1').end()).toBe('answer 1');
    pass(10_000);
    expect(await list.read()).toBe('answer 1');
    list.ordered();
    expect(list.cache.find('/product')).toBeNull();
  });

  test('is made anew at once when its price changes, a part is added, or changes may have been missed', async () => {
    for (const tags of [['product:x', 'products'], ['catalogue'], ['all']] as const) {
      const list = await aList({ madeMsAgo: 10 });
      list.change(...(tags as ['all']));
      expect(await list.read()).toBe('answer 2');
    }
  });

  test('is not what is shown while the database is away', async () => {
    const list = await aList();
    list.ordered();
    Object.assign(list.feed, { isConnected: false, canReachDatabase: async () => false });
    list.change('all');
    const fail = () => Promise.reject(new Error('no connection'));
    await expect(list.cache.get('/product', fail, ofList)).rejects.toThrow('no connection');
  });

  test('is made anew after a failure by whoever comes next', async () => {
    const list = await aList();
    list.ordered();
    const fail = () => Promise.reject(new Error('no connection'));
    await expect(list.cache.get('/product', fail, ofList)).rejects.toThrow('no connection');
    expect(await list.read()).toBe('answer 2');
  });
});

test('a list of what is in stock is behind as any other, and is current for whoever has just written', async () => {
  const { text, order: publish, cache } = cacheWithChanges();
  const read = () => text('/product?available=true', ['products']);
  await read();
  pass(100);
  publish(...order);
  expect(await read()).toBe('answer 1');
  const readAsWriter = () => requestContext.run({ requestId: 'one', hasJustWritten: true }, read);
  expect([await readAsWriter(), await readAsWriter(), await read()]).toEqual(Array(3).fill('answer 2'));
  expect(cache.counts).toEqual({ cached: 3, stale: 0, made: 2 });
});

test('a part by itself that was ordered while it was made is made again', async () => {
  const { text, order: publish, cache } = cacheWithChanges();
  const { promise, resolve } = Promise.withResolvers<void>();
  const make = async () => {
    await promise;
    return plain('before the order');
  };
  const making = cache.get('/product/x', make, ['product:x']);
  publish(...order);
  resolve();
  expect(String((await making).body)).toBe('before the order');
  expect(cache.find('/product/x')).toBeNull();
  expect(await text('/product/x', ['product:x'])).toBe('answer 1');
});

test('a part by itself is made anew at once after an order', async () => {
  const { text, order: publish } = cacheWithChanges();
  const read = () => text('/product/x', ['product:x']);
  await read();
  publish(...order);
  expect(await read()).toBe('answer 2');
});
