import type { CacheTag } from '@parts-forge/contract/calls/call';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { requestContext } from '#src/platform/core/request-context.ts';
import { cacheWithChanges, plain } from '#test/response-cache.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

const asWriter = <T>(work: () => T) => requestContext.run({ requestId: 'one', hasJustWritten: true }, work);
const inPage = <T>(work: () => T, dependencies = new Set<CacheTag>()) =>
  requestContext.run({ requestId: 'one', dependencies }, work);
const fail = () => Promise.reject(new Error('lost'));

const ofList: CacheTag[] = ['catalogue', 'product:x'];
const ofPart: CacheTag[] = ['product:x'];
/** The tags that an order of the part publishes. */
const ordered = ['product:x', 'products', 'mail'] as const;

describe('a response', () => {
  test('a response is rendered once for each key', async () => {
    const { text, cache } = cacheWithChanges();
    expect([await text('/product', ofList), await text('/product', ofList)]).toEqual([
      'answer 1',
      'answer 1',
    ]);
    expect(await text('/product?limit=3', ofList)).toBe('answer 2');
    expect(cache.counts).toEqual({ made: 2, cached: 1, stale: 0 });
  });

  test('a change drops its dependents and nothing else', async () => {
    const { text, change, cache } = cacheWithChanges();
    await text('/product/x', ofPart);
    await text('/', ['products', 'reviews']);
    change('product:y', 'users');
    expect([await text('/product/x'), await text('/')]).toEqual(['answer 1', 'answer 2']);
    change('reviews');
    expect(cache.find('/')).toBeNull();
    expect(await text('/product/x')).toBe('answer 1');
    change('product:x');
    expect(await text('/product/x', ofPart)).toBe('answer 3');
  });

  test('the tags that a render returns replace the expected ones', async () => {
    const { text, change } = cacheWithChanges();
    await text('/', ['products'], { dependencies: new Set<CacheTag>(['reviews']) });
    change('products');
    expect(await text('/')).toBe('answer 1');
    change('reviews');
    expect(await text('/')).toBe('answer 2');
  });

  test('a failed or partly failed render is not cached', async () => {
    const { cache, text } = cacheWithChanges();
    const failing = [1, 2].map(() => cache.get('/', fail));
    for (const failure of failing) await expect(failure).rejects.toThrow('lost');
    expect(await text('/', [], { isCacheable: false })).toBe('answer 1');
    expect(await text('/')).toBe('answer 2');
  });

  test('a response has a weak tag of its body and headers', async () => {
    const { cache } = cacheWithChanges();
    const read = async (key: string, body: string, headers: Record<string, string> = {}) =>
      (await cache.get(key, async () => ({ headers, body }))).etag;
    const etag = await read('a', 'body');
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    expect(await read('b', 'body')).toBe(etag);
    expect(await read('c', 'other')).not.toBe(etag);
    expect(await read('d', 'body', { link: '<x>; rel="next"' })).not.toBe(etag);
  });

  test('the least recently used of more than a thousand is evicted', async () => {
    const { text, cache } = cacheWithChanges();
    for (const key of ['first', 'second']) await text(key, ofPart);
    for (let count = 0; count < 998; count += 1) await text(`other ${count}`, ofPart);
    expect(cache.find('first')).not.toBeNull();
    await text('one more', ofPart);
    expect([cache.find('first') === null, cache.find('second') === null]).toEqual([false, true]);
  });

  test('all responses together have at most 32 MiB with their compressed forms', async () => {
    const { cache } = cacheWithChanges();
    const read = (key: string) => cache.get(key, async () => plain(Buffer.alloc(7 * 1024 * 1024)));
    for (const key of ['first', 'second', 'first', 'third']) await read(key);
    expect(['first', 'second', 'third'].map((key) => cache.find(key) === null)).toEqual([false, true, false]);
  });

  test('a page depends on the tags of its parts, failed ones too', async () => {
    const { cache, text } = cacheWithChanges();
    await text('/review', ['reviews']);
    const dependencies = new Set<CacheTag>();
    await inPage(async () => {
      await text('/review', ['reviews']);
      await text('/product', undefined, { dependencies: new Set(ofPart) });
      await expect(cache.get('/', fail, ['config'])).rejects.toThrow('lost');
      await expect(cache.get('/', fail)).rejects.toThrow('lost');
    }, dependencies);
    expect([...dependencies]).toEqual(['reviews', 'product:x', 'config']);
  });
});

describe('single flight', () => {
  test.each([[ofPart], [undefined]])('simultaneous requests share one render: %j', async (known) => {
    const { begin, text } = cacheWithChanges();
    const first = begin('/', known);
    const second = text('/', known);
    expect([await first.end('first'), await second, await text('/')]).toEqual(Array(3).fill('first'));
  });

  test('a request never joins the render of another key', async () => {
    const { begin, text } = cacheWithChanges();
    const first = begin('/product/x', ofPart);
    const second = text('/product/y', ['product:y']);
    expect([await first.end('first'), await second]).toEqual(['first', 'answer 1']);
  });

  test.each([
    ['of the part', ofPart, ['product:x']],
    ['of anything while its dependencies are unknown', undefined, ['reviews']],
  ] as const)('a request after a change %s starts its own render', async (_what, known, changed) => {
    for (const kind of ['change', 'order'] as const) {
      const all = cacheWithChanges();
      const first = all.begin('/', known && [...known]);
      all[kind](...changed);
      const second = all.begin('/', known && [...known]);
      const change = { dependencies: new Set<CacheTag>(changed) };
      expect(await first.end('before', change)).toBe('before');
      expect(all.cache.find('/')).toBeNull();
      expect(await second.end('after', change)).toBe('after');
      expect(await all.text('/')).toBe('after');
    }
  });

  test('a render during which changes may have been missed is not cached', async () => {
    const { begin, missChanges, text } = cacheWithChanges();
    const first = begin('/', ofPart);
    missChanges();
    const second = text('/', ofPart);
    missChanges();
    expect([await first.end('before'), await second]).toEqual(['before', 'answer 1']);
    expect(await text('/', ofPart)).toBe('answer 2');
  });

  test('a render that does not show the change is cached', async () => {
    const { begin, change, text } = cacheWithChanges();
    const first = begin('/', ['products']);
    change('products', 'product:y');
    await first.end('as it is', { dependencies: new Set(ofList) });
    expect(await text('/')).toBe('as it is');
  });

  test.each([0, 1])('an outdated render does not replace one begun %i ms later', async (ms) => {
    const { begin, order, text } = cacheWithChanges();
    const late = begin('/', ofList);
    order(...ordered);
    pass(ms);
    await asWriter(() => text('/', ofList));
    expect(await late.end('before')).toBe('before');
    expect(await text('/', ofList)).toBe('answer 1');
  });

  test('an equal render keeps the entry with its compressed forms', async () => {
    const { cache, missChanges } = cacheWithChanges();
    const read = () => cache.get('/', async () => plain('as it is'), ofPart);
    const first = await read();
    missChanges();
    expect(cache.find('/')).toBeNull();
    expect(await read()).toBe(first);
    expect(cache.find('/')).toBe(first);
  });

  test('a render that hangs is joined for five seconds', async () => {
    const { begin, text } = cacheWithChanges();
    const hanging = begin('/', ofPart);
    pass(5_000);
    const joining = text('/', ofPart);
    pass(1);
    const own = text('/', ofPart);
    expect([await hanging.end('late'), await joining, await own]).toEqual(['late', 'late', 'answer 1']);
  });
});

describe('a list after an order', () => {
  /** A cached list that was just rendered. */
  async function aList() {
    const all = cacheWithChanges();
    const read = () => all.text('/product', ofList);
    expect(await read()).toBe('answer 1');
    return { ...all, read };
  }

  test('others get an ordered list until it is half a second old', async () => {
    const list = await aList();
    pass(200);
    list.order(...ordered);
    pass(300);
    expect(await list.read()).toBe('answer 1');
    pass(1);
    expect(list.cache.find('/product')).toBeNull();
    expect([await list.read(), await list.read()]).toEqual(['answer 2', 'answer 2']);
    pass(10_000);
    expect(await list.read()).toBe('answer 2');
  });

  test('a recent writer never gets an ordered list', async () => {
    const list = await aList();
    list.order(...ordered);
    expect(await asWriter(list.read)).toBe('answer 2');
    expect(await list.read()).toBe('answer 2');
  });

  test('an ordered list is never part of a page being rendered', async () => {
    const list = await aList();
    list.order(...ordered);
    expect(await inPage(list.read)).toBe('answer 2');
  });

  test("a page never joins a list's render from before an order", async () => {
    const { begin, order, text } = cacheWithChanges();
    const first = begin('/product', ofList);
    order(...ordered);
    const ofPage = inPage(() => text('/product', ofList));
    expect([await first.end('before'), await ofPage]).toEqual(['before', 'answer 1']);
  });

  test("others join a list's render until half a second after an order", async () => {
    const { begin, order, text, cache } = cacheWithChanges();
    const first = begin('/product', ofList);
    order(...ordered);
    pass(500);
    const second = text('/product', ofList);
    expect([await first.end('before'), await second]).toEqual(['before', 'before']);
    expect(String(cache.find('/product')?.body)).toBe('before');
    pass(1);
    expect(await text('/product', ofList)).toBe('answer 1');
  });

  test('a list ordered during its second render replaces the first', async () => {
    const list = await aList();
    list.order(...ordered);
    pass(501);
    const second = list.begin('/product', ofList);
    list.order(...ordered);
    expect([await second.end('second'), await list.read()]).toEqual(['second', 'second']);
  });

  test.each([[ofList], [['products'] as CacheTag[]]])('others get a list of %j', async (tags) => {
    const { text, order } = cacheWithChanges();
    await text('/product', tags);
    order(...ordered);
    expect(await text('/product', tags)).toBe('answer 1');
  });

  test('an ordered part is rendered again at once', async () => {
    const { text, order } = cacheWithChanges();
    await text('/product/x', ofPart);
    order(...ordered);
    expect(await text('/product/x', ofPart)).toBe('answer 2');
  });

  test("any change but an order is in the list's next read", async () => {
    for (const tags of [['product:x', 'products'], ['catalogue']] as const) {
      const list = await aList();
      list.change(...tags);
      expect(await list.read()).toBe('answer 2');
    }
  });
});

describe('a recent writer', () => {
  test('a recent writer gets a new render, which others then share', async () => {
    const { text, begin } = cacheWithChanges();
    await text('/', ofPart);
    expect(await asWriter(() => text('/', ofPart))).toBe('answer 2');
    expect(await text('/')).toBe('answer 2');
    const shared = begin('/review', ['reviews']);
    const own = asWriter(() => text('/review', ['reviews']));
    expect([await shared.end('before the write'), await own]).toEqual(['before the write', 'answer 3']);
  });
});

describe('outage', () => {
  /** A cached part, and a cached list with an ordered part. */
  async function afterTheLoss() {
    const all = cacheWithChanges();
    await all.text('/review', ['reviews']);
    await all.text('/product', ofList);
    all.order(...ordered);
    all.loseDatabase();
    all.missChanges();
    return all;
  }

  test('responses that may have missed changes are shown as stale', async () => {
    const { cache, text } = await afterTheLoss();
    const { isStale, body } = await cache.get('/review', fail, ['reviews']);
    expect([isStale, String(body)]).toEqual([true, 'answer 1']);
    expect(await asWriter(() => text('/review', ['reviews']))).toBe('answer 1');
    expect(cache.find('/review')).toBeNull();
    expect(cache.counts.stale).toBe(2);
  });

  test('a response that is known to have changed is not served', async () => {
    const { cache, change } = await afterTheLoss();
    await expect(cache.get('/product', fail, ofList)).rejects.toThrow('lost');
    change('reviews');
    await expect(cache.get('/review', fail, ['reviews'])).rejects.toThrow('lost');
  });

  test('a stale response replaces a failed render', async () => {
    const { cache, feed, text } = await afterTheLoss();
    feed.isConnected = true;
    expect((await cache.get('/review', fail, ['reviews'])).isStale).toBe(true);
    expect(await text('/review', ['reviews'], { isCacheable: false })).toBe('answer 1');
  });

  test('a page is as old as its stale part', async () => {
    const { cache } = cacheWithChanges();
    const { isStale, madeAtMs } = await cache.get('/', async () => plain('half old', { ageSeconds: 60 }));
    expect([isStale, madeAtMs]).toEqual([true, Date.now() - 60_000]);
    expect(cache.find('/')).toBeNull();
  });

  test('responses are rendered again when the database is reachable', async () => {
    const { feed, text, cache } = await afterTheLoss();
    feed.isReachable = true;
    await expect(cache.get('/review', fail, ['reviews'])).rejects.toThrow('lost');
    expect(await text('/review', ['reviews'])).toBe('answer 3');
    // Without the feed nothing is cached or shared.
    expect(await text('/review', ['reviews'])).toBe('answer 4');
    feed.isConnected = true;
    expect([await text('/review', ['reviews']), await text('/review')]).toEqual(['answer 5', 'answer 5']);
  });
});
