import { beforeEach, describe, expect, it, test } from 'vitest';
import { signedInAs } from '#test/builders.ts';
import { newEmail } from '#test/identity.ts';
import { personAt } from '#test/person.ts';
import { stopRateClock } from '#test/rate-clock.ts';
import { startForTest, useShop } from '#test/use-shop.ts';

beforeEach(stopRateClock);

test('an address may send twelve hundred requests a minute, then gets 429', async () => {
  const limited = await startForTest({ env: { RATE_LIMITS: 'on', MAX_CONNECTIONS_PER_ADDRESS: '2000' } });
  const answers = await Promise.all(Array.from({ length: 1250 }, () => limited.request('/config')));
  const refused = answers.filter(({ status }) => status === 429);
  // The check of responses has already read the document.
  expect(refused).toHaveLength(1250 - 1200 + 1);
  expect(refused[0]?.body.type).toBe('urn:parts-forge:problem:too-many');
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  // Uploads and their keys count like every call; files of a page do not.
  for (const path of ['/images/key', '/images/upload?key=x']) {
    expect((await limited.request(path, { method: 'POST' })).status, path).toBe(429);
  }
  for (const path of [`/images/${'0'.repeat(64)}-640.webp`, '/assets/none.js']) {
    expect((await limited.request(path)).status, path).toBe(404);
  }
  expect((await limited.request('/healthz')).status).toBe(200);
});

test('the figures have their own limit, even for a flooding address', async () => {
  const token = 'reads-the-figures';
  const limited = await startForTest({ env: { RATE_LIMITS: 'on', METRICS_TOKEN: token } });
  for (let sent = 0; sent < 1250; sent += 50) {
    await Promise.all(Array.from({ length: 50 }, () => limited.app.inject({ url: '/config' })));
  }
  expect((await limited.request('/config')).status).toBe(429);
  expect((await limited.request('/metrics', { token })).status).toBe(200);
  const guesses: number[] = [];
  for (let sent = 0; sent < 120; sent += 1) {
    guesses.push((await limited.request('/metrics', { token: 'a wrong guess' })).status);
  }
  expect(guesses.slice(0, 119)).toEqual(Array(119).fill(401));
  expect(guesses[119]).toBe(429);
});

test('events have their own limit, far above that of an address', async () => {
  const limited = await startForTest({ env: { RATE_LIMITS: 'on' } });
  const statuses = new Map<number, number>();
  const send = async (url: string) => {
    const { statusCode } = await limited.app.inject({ method: 'POST', url });
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
  };
  for (let sent = 0; sent < 12_100; sent += 100) {
    await Promise.all(Array.from({ length: 100 }, () => send('/webhooks/stripe')));
  }
  expect([...statuses]).toEqual([
    [400, 12_000],
    [429, 100],
  ]);
  // Events also leave the address's own limit unused.
  expect((await limited.app.inject('/product')).statusCode).toBe(200);
});

describe('limit of sign-ins', () => {
  it('an address gets three sign-ins in ten seconds despite forged headers', async () => {
    const limited = await startForTest({ env: { RATE_LIMITS: 'on' } });
    const statuses = [];
    for (let n = 0; n < 5; n += 1) {
      const { status, headers } = await limited.request('/identity/sign-in/email', {
        method: 'POST',
        body: { email: newEmail(), password: 'wrong-one' },
        headers: {
          origin: limited.url,
          'x-forwarded-for': `198.51.100.${n}`,
          'x-shop-client-ip': `203.0.113.${n}`,
        },
      });
      statuses.push(status);
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });
});

/** Two processes on one database, like two workers or machines. */
const env = { RATE_LIMITS: 'on', WORKERS: '2' };
const first = useShop({ env });
const second = useShop({ env, shareDatabaseWith: first });

test('all processes together open 120 payments a minute for an account', async () => {
  const customer = await signedInAs(first, 'user');
  const open = async (index: number) => {
    const { status } = await personAt(index % 2 ? second : first, customer).post('/create-payment-intent', {
      price: 1,
    });
    return status;
  };
  const statuses = await Promise.all(Array.from({ length: 130 }, (_, index) => open(index)));
  expect(statuses.filter((status) => status === 404)).toHaveLength(120);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
});
