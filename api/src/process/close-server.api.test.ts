import { expect, test } from 'vitest';
import { beginRequest } from '#test/processes.ts';
import { startForTest } from '#test/use-shop.ts';
import { closeServer } from './close-server.ts';

test('a draining shop still serves and is no longer ready', async () => {
  const shop = await startForTest();
  const abandonment = new AbortController();
  const drain = { drainMs: 60_000, livePages: false };
  const closed = closeServer(shop.app, drain, { abandonment: abandonment.signal });
  expect((await shop.request('/readyz')).status).toBe(503);
  const answer = await shop.request('/healthz');
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
  // A drain ends once its launcher is gone.
  abandonment.abort();
  await closed;
  await expect(fetch(`${shop.url}/healthz`)).rejects.toThrow();
});

test('a request under way is answered before the shop closes', async () => {
  const shop = await startForTest();
  const begun = await beginRequest({ PORT: String(shop.config.port) });
  const closed = closeServer(
    shop.app,
    { drainMs: 0, livePages: false },
    { abandonment: new AbortController().signal },
  );
  await expect(fetch(`${shop.url}/healthz`)).rejects.toThrow();
  await begun.finish();
  await closed;
});
