import { expect, test } from 'vitest';
import { startShop } from '#test/start-shop.ts';
import { closeServer } from './close-server.ts';

test('a shop that drains serves on and is no longer ready', async () => {
  const shop = await startShop();
  const abandonment = new AbortController();
  const drain = { drainMs: 60_000, livePages: false };
  const closed = closeServer(shop.app, drain, { abandonment: abandonment.signal });
  expect((await shop.request('/readyz')).status).toBe(503);
  const answer = await shop.request('/healthz');
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  // Nobody waits for a drain whose launcher is gone.
  abandonment.abort();
  await closed;
  await expect(fetch(`${shop.url}/healthz`)).rejects.toThrow();
  await shop.close();
});
