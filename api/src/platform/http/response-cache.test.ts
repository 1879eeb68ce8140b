import type { CacheTag } from '@parts-forge/contract/call';
import { describe, expect, test } from 'vitest';
import type { ChangeTag } from '#src/platform/database/change-feed.ts';
import { cacheWithChanges, plain } from '#test/response-cache.ts';
import type { FreshResponse } from './response-cache.ts';

/** Until everything that can go on has gone on. */
const settled = () => new Promise(setImmediate);

describe('a response', () => {
  test('is made once and cached under its key', async () => {
    const { text } = cacheWithChanges();
    expect(await text('/product', ['products'])).toBe('answer 1');
    expect(await text('/product', ['products'])).toBe('answer 1');
    expect(await text('/product?limit=3', ['products'])).toBe('answer 2');
  });

  test('is made anew after a change of what it depends on, and of nothing else', async () => {
    const { text, change } = cacheWithChanges();
    await text('/product', ['products']);
    await text('/product/x', ['product:x']);
    change('product:y', 'reviews', 'users');
    expect([await text('/product'), await text('/product/x')]).toEqual(['answer 1', 'answer 2']);
    change('products');
    expect([await text('/product', ['products']), await text('/product/x')]).toEqual([
      'answer 3',
      'answer 2',
    ]);
    change('reviews', 'product:x');
    expect([await text('/product'), await text('/product/x', ['product:x'])]).toEqual([
      'answer 3',
      'answer 4',
    ]);
  });

  test('of several tags hangs on each of them', async () => {
    const { text, change } = cacheWithChanges();
    for (const [count, tag] of (['products', 'reviews'] as const).entries()) {
      expect(await text('/', ['products', 'reviews'])).toBe(`answer ${count + 1}`);
      change(tag);
    }
    expect(await text('/', ['products', 'reviews'])).toBe('answer 3');
  });

  test('that goes takes no other one out of what its tags reach', async () => {
    const { text, change } = cacheWithChanges();
    await text('page /', ['products', 'reviews']);
    await text('/product', ['products']);
    change('reviews');
    change('products');
    expect(await text('/product', ['products'])).toBe('answer 3');
  });

  test('whatever it depends on is made anew when changes may have been missed', async () => {
    const { text, change } = cacheWithChanges();
    await text('/product', ['products']);
    await text('/review', ['reviews']);
    change('all');
    expect([await text('/product'), await text('/review')]).toEqual(['answer 3', 'answer 4']);
  });

  test('depends on what making it tells, in place of what it might have depended on', async () => {
    const { text, change } = cacheWithChanges();
    const told = { dependencies: new Set<CacheTag>(['reviews']) };
    await text('page /', undefined, told);
    change('products');
    expect(await text('page /')).toBe('answer 1');
    change('reviews');
    expect(await text('page /', ['products'], told)).toBe('answer 2');
    change('products');
    expect(await text('page /', ['products'], told)).toBe('answer 2');
    change('reviews');
    expect(await text('page /', ['products'], told)).toBe('answer 3');
  });

  test('is not cached while changes are not heard', async () => {
    const { text, feed } = cacheWithChanges();
    feed.isConnected = false;
    expect([await text('/product', ['products']), await text('/product', ['products'])]).toEqual([
      'answer 1',
      'answer 2',
    ]);
    feed.isConnected = true;
    expect(await text('/product', ['products'])).toBe('answer 3');
    expect(await text('/product', ['products'])).toBe('answer 3');
  });

  test('that must not be shown to the next one is not cached', async () => {
    const { text } = cacheWithChanges();
    await text('page /', [], { isCacheable: false });
    expect(await text('page /')).toBe('answer 2');
  });

  test('that could not be made is not cached, and whoever waits hears of it', async () => {
    const { cache, text } = cacheWithChanges();
    const failing = [1, 2].map(() => cache.get('/product', () => Promise.reject(new Error('lost'))));
    for (const failure of failing) await expect(failure).rejects.toThrow('lost');
    expect(await text('/product')).toBe('answer 1');
  });

  test('is status 200 and cacheable unless it says otherwise', async () => {
    const { cache } = cacheWithChanges();
    const response = await cache.get('x', async () => plain('body'));
    expect(response).toMatchObject({
      status: 200,
      isCacheable: true,
      headers: { 'content-type': 'text/plain' },
    });
    expect((await cache.get('y', async () => plain('body', { status: 404 }))).status).toBe(404);
  });

  test('has a weak tag of body and headers', async () => {
    const { cache } = cacheWithChanges();
    const readEtag = async (key: string, fresh: FreshResponse) =>
      (await cache.get(key, async () => fresh)).etag;
    const etag = await readEtag('a', plain('body'));
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    expect(await readEtag('b', plain('body'))).toBe(etag);
    expect(await readEtag('c', plain('other'))).not.toBe(etag);
    expect(await readEtag('d', { ...plain('body'), headers: { link: '<x>; rel="next"' } })).not.toBe(etag);
  });

  test('goes when there are a thousand others, the least recently used first', async () => {
    const { text } = cacheWithChanges();
    await text('first', ['products']);
    await text('second', ['products']);
    for (let count = 0; count < 998; count += 1) await text(`other ${count}`, ['products']);
    expect(await text('first')).toBe('answer 1');
    await text('one more', ['products']);
    expect(await text('first')).toBe('answer 1');
    expect(await text('second')).toBe('answer 1002');
  });

  test('goes when all together have more than 32 MiB, compressed forms included', async () => {
    const { cache } = cacheWithChanges();
    let made = 0;
    const megabytes = (count: number) => async () => {
      made += 1;
      return plain(Buffer.alloc(count * 1024 * 1024));
    };
    await cache.get('first', megabytes(7));
    await cache.get('second', megabytes(7));
    await cache.get('first', megabytes(7));
    expect(made).toBe(2);
    await cache.get('third', megabytes(7));
    await cache.get('third', megabytes(7));
    await cache.get('first', megabytes(7));
    expect(made).toBe(3);
    await cache.get('second', megabytes(7));
    expect(made).toBe(4);
  });

  test('may be empty', async () => {
    const { text } = cacheWithChanges();
    await text('x', [], { body: '' });
    expect(await text('x', [], { body: 'something' })).toBe('');
  });
});

describe('a response that is being made', () => {
  /** Two requests of one key, with something happening while the first one's response is made. */
  async function duringTheMaking(
    happening: (context: ReturnType<typeof cacheWithChanges>) => void,
    known?: CacheTag[],
  ) {
    const context = cacheWithChanges();
    const { cache, text } = context;
    const { promise, resolve } = Promise.withResolvers<FreshResponse>();
    const first = cache.get('x', () => promise, known);
    await settled();
    happening(context);
    const second = text('x', known);
    resolve({ headers: {}, body: 'before' });
    const seen = [String((await first).body), await second];
    return { ...context, seen, afterwards: await text('x', known) };
  }

  test('is shared by all who ask for its key meanwhile', async () => {
    const { seen, afterwards } = await duringTheMaking(() => {}, ['products']);
    expect([...seen, afterwards]).toEqual(['before', 'before', 'before']);
  });

  test('is given to those who wait and not cached when what it depends on changes meanwhile', async () => {
    for (const tag of ['products', 'all'] as const) {
      const { seen, afterwards } = await duringTheMaking(
        ({ change }) => change(tag as 'products'),
        ['products'],
      );
      expect([...seen, afterwards], tag).toEqual(['before', 'answer 1', 'answer 1']);
    }
  });

  test('is not for who asks after a change where nobody knows yet what it depends on', async () => {
    const { seen } = await duringTheMaking(({ change }) => change('reviews'));
    expect(seen).toEqual(['before', 'answer 1']);
  });

  test('is cached when it turns out to depend on nothing that has changed meanwhile', async () => {
    const { cache, change, text } = cacheWithChanges();
    const make = async (key: string, ...changed: ChangeTag[] | ['all']) => {
      const { promise, resolve } = Promise.withResolvers<FreshResponse>();
      const first = cache.get(key, () => promise, ['products']);
      change('products', 'product:other');
      change(...(changed as ChangeTag[]));
      resolve({ ...plain('before'), dependencies: new Set<CacheTag>(['catalogue', 'product:shown']) });
      await first;
      return text(key, ['products']);
    };
    expect(await make('one', 'reviews')).toBe('before');
    expect(await make('two', 'product:shown')).toBe('answer 1');
    expect(await make('three', 'catalogue')).toBe('answer 2');
    expect(await make('four', 'all')).toBe('answer 3');
  });

  test('is cached when something else changes meanwhile', async () => {
    const { seen, afterwards } = await duringTheMaking(
      ({ change }) => change('reviews', 'product:x'),
      ['products'],
    );
    expect([...seen, afterwards]).toEqual(['before', 'before', 'before']);
  });

  test('does not come into the place of one that was made after the change', async () => {
    const { cache, change, text } = cacheWithChanges();
    const { promise, resolve } = Promise.withResolvers<FreshResponse>();
    const late = cache.get('x', () => promise, ['products']);
    await settled();
    change('products');
    expect(await text('x', ['products'])).toBe('answer 1');
    resolve({ headers: {}, body: 'before' });
    expect(String((await late).body)).toBe('before');
    expect(await text('x', ['products'])).toBe('answer 1');
  });

  test('and comes out as another one that was cached meanwhile is that one, unless changes may have been missed since', async () => {
    const { cache, change } = cacheWithChanges();
    const begin = () => {
      const { promise, resolve } = Promise.withResolvers<FreshResponse>();
      const response = cache.get('x', () => promise);
      // Nobody who asks from now on shares it, as it may show this.
      change('product:other');
      const dependencies = new Set<CacheTag>(['product:shown']);
      return (body: string) => {
        resolve({ ...plain(body), dependencies });
        return response;
      };
    };
    const [end, endSame, endOther, endLate] = [begin(), begin(), begin(), begin()];
    const first = await end('as it is');
    expect(await endSame('as it is')).toBe(first);
    expect(cache.find('x')).toBe(first);
    const other = await endOther('otherwise');
    expect([String(other.body), cache.find('x')]).toEqual(['otherwise', other]);
    change('all');
    expect(await endLate('otherwise')).not.toBe(other);
  });

  test('that fails after the change does not take away the one that was begun after it', async () => {
    const { cache, change } = cacheWithChanges();
    const [old, young] = [Promise.withResolvers<FreshResponse>(), Promise.withResolvers<FreshResponse>()];
    const failing = cache.get('x', () => old.promise, ['products']);
    await settled();
    change('products');
    const second = cache.get('x', () => young.promise, ['products']);
    old.reject(new Error('lost'));
    await expect(failing).rejects.toThrow('lost');
    const third = cache.get('x', async () => plain('a third'), ['products']);
    young.resolve(plain('a second'));
    expect([String((await second).body), String((await third).body)]).toEqual(['a second', 'a second']);
  });
});
