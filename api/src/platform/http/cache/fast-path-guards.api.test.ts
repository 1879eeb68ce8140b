import { expect, test } from 'vitest';
import { closeServer } from '#src/process/close-server.ts';
import { aProduct } from '#test/builders.ts';
import { stopRateClock } from '#test/rate-clock.ts';
import { exchange, readHeader, readUntilRepeated } from '#test/repeated-answers.ts';
import { startForTest } from '#test/use-shop.ts';

// The guards of the routes apply to the fast path too.
const host = 'Host: shop.example';
const LIMIT = 1200;

test('repeated answers count against the limit of their address', async () => {
  const shop = await startForTest({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', PAYMENTS: 'sandbox' } });
  stopRateClock();
  const from = (address: string) => [host, `X-Forwarded-For: ${address}`];
  const askedBefore = 10;
  for (let asked = 0; asked < askedBefore; asked += 1)
    await exchange(shop, 'GET', '/config', from('198.51.100.1'));
  let routed = 0;
  for (let asked = askedBefore; asked < LIMIT; asked += 1) {
    const answer = await exchange(shop, 'GET', '/config', from('192.0.2.9, 198.51.100.1'));
    expect(answer.status).toBe(200);
    if (answer.isRouted) routed += 1;
  }
  expect(routed).toBeLessThan(LIMIT / 2);
  const refused = await exchange(shop, 'GET', '/config', from('198.51.100.1'));
  expect([refused.status, Number(readHeader(refused, 'retry-after')) > 0]).toEqual([429, true]);
  expect((await exchange(shop, 'GET', '/product', from('198.51.100.1'))).status).toBe(429);
  // One IPv6 network counts as one address; another IPv4 address counts apart.
  expect((await exchange(shop, 'GET', '/config', from('198.51.100.2'))).status).toBe(200);
  for (let asked = 0; asked < LIMIT; asked += 1) {
    const address = `2001:db8::${(asked % 9).toString(16)}`;
    expect((await exchange(shop, 'GET', '/config', from(address))).status).toBe(200);
  }
  expect((await exchange(shop, 'GET', '/config', from('2001:db8::ffff'))).status).toBe(429);
});

test('the figures count repeated answers by route, method and status', async () => {
  const token = 'reads-the-figures';
  const shop = await startForTest({ env: { METRICS_TOKEN: token } });
  const { _id: id } = await aProduct(shop);
  const read = async () => {
    const { body } = await shop.request('/metrics', { token });
    const find = (start: string) =>
      Number(
        String(body)
          .split('\n')
          .find((line) => line.startsWith(start))
          ?.split(' ')
          .at(-1) ?? 0,
      );
    const counted = (method: string, status: number) =>
      find(
        `shop_http_request_duration_seconds_count{method="${method}",route="/product/:id",status="${status}"}`,
      );
    return {
      get: counted('GET', 200),
      head: counted('HEAD', 200),
      known: counted('GET', 304),
      fromCache: find('shop_cache_responses_total{source="cached"}'),
      made: find('shop_cache_responses_total{source="made"}'),
    };
  };
  const path = `/product/${id}`;
  const { routed } = await readUntilRepeated(shop, 'GET', path, [host]);
  const known = [host, `If-None-Match: ${readHeader(routed, 'etag')}`];
  await readUntilRepeated(shop, 'HEAD', path, [host]);
  await readUntilRepeated(shop, 'GET', path, known);
  const before = await read();
  for (let time = 0; time < 3; time += 1) await exchange(shop, 'GET', path, [host]);
  for (let time = 0; time < 4; time += 1) await exchange(shop, 'HEAD', path, [host]);
  for (let time = 0; time < 5; time += 1) await exchange(shop, 'GET', path, known);
  const after = await read();
  expect([after.get - before.get, after.head - before.head, after.known - before.known]).toEqual([3, 4, 5]);
  expect(after.fromCache + after.made - before.fromCache - before.made).toBe(12);
});

test('repeated answers end their connections while the shop is closing', async () => {
  const shop = await startForTest({});
  const send = () => fetch(`${shop.url}/config`).then(({ headers }) => headers.get('connection'));
  await readUntilRepeated(shop, 'GET', '/config', [host]);
  expect([await send(), await send()]).toEqual(['keep-alive', 'keep-alive']);
  const abandonment = new AbortController();
  const closed = closeServer(
    shop.app,
    { drainMs: 60_000, livePages: false },
    { abandonment: abandonment.signal },
  );
  expect(await send()).toBe('close');
  abandonment.abort();
  await closed;
});

test('only requests of another allowed origin get its headers', async () => {
  const shop = await startForTest({ env: { PAYMENTS: 'sandbox', ALLOWED_ORIGINS: 'https://front.example' } });
  const asOther = [host, 'Origin: https://front.example'];
  expect(readHeader(await exchange(shop, 'GET', '/config', asOther), 'access-control-allow-origin')).toBe(
    'https://front.example',
  );
  const { repeated } = await readUntilRepeated(shop, 'GET', '/config', [host]);
  expect(readHeader(repeated, 'access-control-allow-origin')).toBeUndefined();
  expect(readHeader(await exchange(shop, 'GET', '/config', asOther), 'access-control-allow-origin')).toBe(
    'https://front.example',
  );
});
