import { expect, test } from 'vitest';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import { createResponseCache } from './response-cache.ts';

/** Reads of whoever has just written; each making ends when the test says so. */
function createOwnReads() {
  const changes: Pick<ChangeFeed, 'isConnected' | 'canReachDatabase' | 'subscribe'> = {
    isConnected: true,
    canReachDatabase: async () => true,
    subscribe: () => {},
  };
  const cache = createResponseCache(changes);
  const makings: PromiseWithResolvers<void>[] = [];
  const read = async (key: string) => {
    const making = async () => {
      const end = Promise.withResolvers<void>();
      const number = makings.push(end);
      await end.promise;
      return { headers: {}, body: `making ${number}` };
    };
    const { body } = await requestContext.run({ requestId: 'one', readsOwnWrites: true }, () =>
      cache.get(key, making, ['products']),
    );
    return String(body);
  };
  return { read, makings, counts: cache.counts };
}

/** Until everything that can go on has gone on. */
const settle = () => new Promise(setImmediate);

test('many who have just written and ask for one address meanwhile share one making, begun after they asked', async () => {
  const { read, makings, counts } = createOwnReads();
  const first = read('/product');
  const others = Array.from({ length: 50 }, () => read('/product'));
  await settle();
  expect(makings).toHaveLength(1);
  makings[0]?.resolve();
  expect(await first).toBe('making 1');
  await settle();
  makings[1]?.resolve();
  expect(new Set(await Promise.all(others))).toEqual(new Set(['making 2']));
  expect(counts).toEqual({ cached: 0, stale: 0, made: 2 });
});

test('other addresses are not waited for, and nothing is kept for a later read', async () => {
  const { read, makings } = createOwnReads();
  const reads = [read('/product'), read('/review')];
  await settle();
  expect(makings).toHaveLength(2);
  for (const { resolve } of makings) resolve();
  expect(await Promise.all(reads)).toEqual(['making 1', 'making 2']);
  const later = read('/product');
  await settle();
  makings[2]?.resolve();
  expect(await later).toBe('making 3');
});

test('a making that fails fails for those alone who share it', async () => {
  const { read, makings } = createOwnReads();
  const [first, second] = [read('/product'), read('/product')];
  makings[0]?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await settle();
  makings[1]?.resolve();
  expect(await second).toBe('making 2');
});
