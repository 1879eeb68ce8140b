import type { CacheTag } from '@parts-forge/contract/call';
import { describe, expect, test } from 'vitest';
import { requestContext } from '#src/platform/core/request-context.ts';
import { cacheWithChanges, plain } from '#test/response-cache.ts';

test('looking for a response finds what is valid, makes nothing and keeps it from being forgotten', async () => {
  const { cache, text, change } = cacheWithChanges();
  expect(cache.find('first')).toBeNull();
  await text('first', ['products']);
  for (let count = 0; count < 999; count += 1) await text(`other ${count}`, ['products']);
  expect(String(cache.find('first')?.body)).toBe('answer 1');
  await text('one more', ['products']);
  expect(String(cache.find('first')?.body)).toBe('answer 1');
  change('all');
  expect(cache.find('first')).toBeNull();
});

test('responses are counted as they are answered: made, from memory, or stale', async () => {
  const { cache, text, change, feed } = cacheWithChanges();
  await text('x', ['products']);
  await text('x', ['products']);
  await requestContext.run({ requestId: 'own', readsOwnWrites: true }, () => text('x', ['products']));
  expect(cache.counts).toEqual({ made: 2, cached: 1, stale: 0 });
  change('all');
  Object.assign(feed, { isConnected: false, canReachDatabase: async () => false });
  await text('x', ['products']);
  expect(cache.counts).toEqual({ made: 2, cached: 1, stale: 1 });
});

test('a response with an older part in it is as old as that, and not shown while the database is there', async () => {
  const { cache } = cacheWithChanges();
  const before = Date.now();
  const response = await cache.get('page /', async () => plain('half old', { ageSeconds: 60 }), ['products']);
  expect(response.isStale).toBe(true);
  expect(response.madeAtMs - before).toBeGreaterThanOrEqual(-60_000);
  expect(response.madeAtMs - Date.now()).toBeLessThanOrEqual(-60_000);
  expect(cache.find('page /')).toBeNull();
  const young = await cache.get('/', async () => plain('now'));
  expect(young.isStale).toBe(false);
});

describe('whoever has just written', () => {
  const writing = <T>(work: () => Promise<T>, dependencies?: Set<CacheTag>) =>
    requestContext.run(
      { requestId: 'own', readsOwnWrites: true, ...(dependencies && { dependencies }) },
      work,
    );

  test('gets what is made now, past what is in memory, and leaves that to the others', async () => {
    const { text } = cacheWithChanges();
    await text('x', ['products']);
    expect(await writing(() => text('x', ['products']))).toBe('answer 2');
    expect(await text('x', ['products'])).toBe('answer 1');
  });

  test('gets it with what it depends on, as known before or as making it tells', async () => {
    const { text } = cacheWithChanges();
    const dependencies = new Set<CacheTag>();
    await writing(() => text('x', ['products']), dependencies);
    await writing(() => text('y', undefined, { dependencies: new Set<CacheTag>(['reviews']) }), dependencies);
    await writing(() => text('z'), dependencies);
    expect([...dependencies]).toEqual(['products', 'reviews']);
  });

  test('hears of a failure, or gets what is in memory when the database is away', async () => {
    const { cache, text, feed } = cacheWithChanges();
    await text('x', ['products']);
    const failing = () =>
      writing(() => cache.get('x', () => Promise.reject(new Error('lost')), ['products']));
    await expect(failing()).rejects.toThrow('lost');
    Object.assign(feed, { canReachDatabase: async () => false });
    expect(String((await failing()).body)).toBe('answer 1');
  });
});

describe('what a page depends on', () => {
  test('holds what a part that failed may have depended on', async () => {
    const { cache } = cacheWithChanges();
    const dependencies = new Set<CacheTag>();
    await requestContext.run({ requestId: 'x', dependencies }, async () => {
      const fail = () => Promise.reject(new Error('lost'));
      await expect(cache.get('/product', fail, ['products'])).rejects.toThrow('lost');
      await expect(cache.get('page /', fail)).rejects.toThrow('lost');
    });
    expect([...dependencies]).toEqual(['products']);
  });

  test('is collected from all that it asks for, made now or cached', async () => {
    const { text } = cacheWithChanges();
    await text('/product', ['products']);
    const dependencies = new Set<CacheTag>();
    await requestContext.run({ requestId: 'x', dependencies }, async () => {
      await text('/product', ['products']);
      await text('/review', ['reviews']);
      await text('page /');
    });
    expect([...dependencies]).toEqual(['products', 'reviews']);
  });
});
