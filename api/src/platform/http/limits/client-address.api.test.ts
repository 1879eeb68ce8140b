import { beforeEach, expect, test } from 'vitest';
import { newEmail } from '#test/identity.ts';
import { stopRateClock } from '#test/rate-clock.ts';
import { useShop } from '#test/use-shop.ts';

const shop = useShop({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', PAYMENTS: 'sandbox' } });
beforeEach(stopRateClock);

const signIn = async (address: string) => {
  const { status } = await shop.request('/identity/sign-in/email', {
    method: 'POST',
    body: { email: newEmail(), password: 'wrong-one' },
    headers: { origin: shop.url, 'x-forwarded-for': address },
  });
  return status;
};

test.each([
  ['IPv4', (port: number) => `198.51.100.1:${port}`, '198.51.100.2:5000'],
  ['IPv6', (port: number) => `[2001:db8::1]:${port}`, '[2001:db8:1::1]:5000'],
  [
    'a chain of proxies',
    (port: number) => `192.0.2.9:1, 198.51.100.3:${port}`,
    '198.51.100.3:1, 198.51.100.4:1',
  ],
])('sign-ins count per address when proxies write ports: %s', async (_form, address, other) => {
  const statuses = [];
  for (const port of [5001, 5002, 5003, 5004]) statuses.push(await signIn(address(port)));
  expect(statuses).toEqual([401, 401, 401, 429]);
  expect(await signIn(other)).toBe(401);
});

test('requests count per address when proxies write ports', async () => {
  const ask = async (address: string) =>
    (await fetch(`${shop.url}/config`, { headers: { 'x-forwarded-for': address } })).status;
  for (let port = 5000; port < 6200; port += 1) expect(await ask(`203.0.113.1:${port}`)).toBe(200);
  expect(await ask('203.0.113.1:6200')).toBe(429);
  expect(await ask('203.0.113.1')).toBe(429);
  expect(await ask('203.0.113.2:5000')).toBe(200);
});

test('an IPv6 address without brackets has no port', async () => {
  for (const host of ['2001:db8:2::1', '2001:db8:2::2', '2001:db8:2::3'])
    expect(await signIn(host)).toBe(401);
  expect(await signIn('2001:db8:2::4')).toBe(429);
});
