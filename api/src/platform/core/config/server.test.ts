import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { type Env, refusals, stripeKeys } from '#test/settings.ts';
import { divideAmongWorkers, isPublicHttps, isServedByOthers, trustedOrigins } from './server.ts';

test('the shop serves only this machine by default', () => {
  expect(readConfig({})).toMatchObject({
    production: false,
    port: 3000,
    host: '127.0.0.1',
    workers: 1,
    drainMs: 0,
    origin: null,
    allowedOrigins: [],
    trustedProxies: 0,
    dataDir: path.resolve('data'),
    seed: 'demo',
    timeZone: 'UTC',
    livePages: false,
  });
});

test('every server setting is read', () => {
  const env = {
    NODE_ENV: 'production',
    PORT: '8080',
    HOST: '0.0.0.0',
    WORKERS: '4',
    DRAIN_MS: '5000',
    ORIGIN: 'https://shop.example',
    ALLOWED_ORIGINS: 'https://a.example, https://b.example',
    WEBHOOK_HOSTS: 'erp.internal, [::1], 10.0.0.5:8443',
    TRUSTED_PROXIES: '2',
    DATA_DIR: '/srv/shop',
    SEED: 'none',
    SHOP_TIME_ZONE: 'America/New_York',
    PAYMENTS: 'sandbox',
  };
  expect(readConfig(env)).toMatchObject({
    production: true,
    port: 8080,
    host: '0.0.0.0',
    webhookHosts: ['erp.internal', '[::1]', '10.0.0.5:8443'],
    workers: 4,
    drainMs: 5000,
    origin: 'https://shop.example',
    allowedOrigins: ['https://a.example', 'https://b.example'],
    trustedProxies: 2,
    dataDir: '/srv/shop',
    seed: 'none',
    timeZone: 'America/New_York',
  });
});

const port = 'PORT must be a whole number from 0 to 65535.';
const proxies = 'TRUSTED_PROXIES must be a whole number from 0 to 10.';
const workers = 'WORKERS must be a whole number from 1 to 32.';
const drain = 'DRAIN_MS must be a whole number from 0 to 60000.';
const origin = 'ORIGIN must be an origin such as https://shop.example.';
const timeZone = 'SHOP_TIME_ZONE must be the IANA name of a time zone, such as Africa/Accra.';

test.each([
  [{ SHOP_TIME_ZONE: 'Mars/Base' }, timeZone],
  [{ SHOP_TIME_ZONE: '+02:00' }, timeZone],
  [{ PORT: '-1' }, port],
  [{ PORT: '65536' }, port],
  [{ PORT: '1234567' }, port],
  [{ PORT: '80.5' }, port],
  [{ PORT: ' 80' }, port],
  [{ WORKERS: '0' }, workers],
  [{ WORKERS: '33' }, workers],
  [{ DRAIN_MS: '60001' }, drain],
  [{ TRUSTED_PROXIES: '11' }, proxies],
  [{ TRUSTED_PROXIES: 'true' }, proxies],
  [{ ORIGIN: 'shop.example' }, origin],
  [{ ORIGIN: 'https://shop.example/' }, origin],
  [{ ORIGIN: 'https://shop.example/path' }, origin],
  [{ ORIGIN: 'https://SHOP.example' }, origin],
  [{ ORIGIN: 'https://shop.example:443' }, origin],
  [{ ORIGIN: 'ftp://shop.example' }, origin],
  [{ SEED: 'Demo' }, 'SEED must be one of demo, catalogue, none.'],
  [{ LIVE_PAGES: 'yes' }, 'LIVE_PAGES must be one of 0, 1.'],
  [
    { ...stripeKeys, ALLOWED_ORIGINS: 'https://a.example b.example' },
    'ALLOWED_ORIGINS: b.example is not an origin.',
  ],
  [
    { WEBHOOK_HOSTS: '10.0.0.5, ::1' },
    'WEBHOOK_HOSTS: ::1 is not a host in lower case, with IPv6 in brackets.',
  ],
  ...['*', '10.0.0.5:99999', 'a%62.example'].map((WEBHOOK_HOSTS): [Env, string] => [
    { WEBHOOK_HOSTS },
    `WEBHOOK_HOSTS: ${WEBHOOK_HOSTS} is not a host in lower case, with IPv6 in brackets.`,
  ]),
  [
    { WEBHOOK_HOSTS: 'http://erp.internal' },
    'WEBHOOK_HOSTS: http://erp.internal is not a host in lower case, with IPv6 in brackets.',
  ],
])('%o is refused', (env: Env, sentence) => {
  expect(refusals(env)).toEqual([sentence]);
});

test.each<Env>([{ PORT: '0' }, { PORT: '65535' }, { TRUSTED_PROXIES: '10', PAYMENTS: 'sandbox' }])(
  '%o is taken',
  (env) => {
    expect(refusals(env)).toEqual([]);
  },
);

test.each([
  [1, null, false],
  [2, null, true],
  [1, 'postgres://db.example/shop', true],
  [2, 'postgres://db.example/shop', true],
])('others may serve a shop of %i workers on %s: %s', (workers, databaseUrl, expected) => {
  expect(isServedByOthers({ workers, databaseUrl })).toBe(expected);
});

test('pages never come from their sources in production', () => {
  expect(readConfig({ LIVE_PAGES: '1', NODE_ENV: 'production' }).livePages).toBe(false);
  expect(readConfig({ LIVE_PAGES: '1', NODE_ENV: 'development' }).livePages).toBe(true);
});

test("trusted origins are ORIGIN, or this machine's without it", () => {
  expect(trustedOrigins({ origin: 'https://shop.example', port: 3000 })).toEqual(['https://shop.example']);
  expect(trustedOrigins({ origin: null, port: 8080 })).toEqual([
    'http://localhost:8080',
    'http://127.0.0.1:8080',
  ]);
});

test('a shop with an https origin that is not local is public', () => {
  const isPublic = (text: string | null) => isPublicHttps({ origin: text });
  expect(isPublic('https://shop.example')).toBe(true);
  for (const text of [null, 'http://shop.example', 'https://localhost', 'http://localhost:3000']) {
    expect(isPublic(text), String(text)).toBe(false);
  }
});

describe('public shop', () => {
  const sentencesFor = (setting: string) => [
    `A public shop (${setting}) needs STRIPE_SECRET_KEY; set PAYMENTS=sandbox to run it with the card sandbox, which moves no money.`,
  ];

  test.each([
    'https://shop.example',
    'http://192.168.0.10:3000',
    'http://0.0.0.0:3000',
    'https://localhost.example',
    'https://notlocalhost',
    'https://127.0.0.1.example',
    'http://[::2]:3000',
  ])('a shop at %s requires Stripe or an explicit sandbox', (publicOrigin) => {
    expect(refusals({ ORIGIN: publicOrigin })).toEqual(sentencesFor('ORIGIN'));
    expect(refusals({ ORIGIN: publicOrigin, PAYMENTS: 'sandbox' })).toEqual([]);
    expect(refusals({ ORIGIN: publicOrigin, ...stripeKeys })).toEqual([]);
  });

  test.each<[string, Env]>([
    ['HOST', { HOST: '0.0.0.0' }],
    ['HOST', { HOST: '::' }],
    ['HOST', { HOST: '192.168.0.10', NODE_ENV: 'production' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '1' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '2', ORIGIN: 'http://localhost:3000' }],
    ['ALLOWED_ORIGINS', { ALLOWED_ORIGINS: 'http://localhost:5173, https://a.example' }],
  ])('a shop public by %s requires Stripe or the sandbox: %o', (setting, env) => {
    expect(refusals(env)).toEqual(sentencesFor(setting));
    expect(refusals({ ...env, PAYMENTS: 'sandbox' })).toEqual([]);
    expect(refusals({ ...env, ...stripeKeys })).toEqual([]);
  });

  test.each<Env>([
    { ORIGIN: 'http://localhost:3000' },
    { ORIGIN: 'https://localhost' },
    { ORIGIN: 'http://127.0.0.1:3000' },
    { ORIGIN: 'http://127.8.9.10' },
    { ORIGIN: 'http://[::1]:3000' },
    { HOST: 'localhost' },
    { HOST: '127.0.0.2' },
    { TRUSTED_PROXIES: '0' },
    { HOST: '::1' },
    { ALLOWED_ORIGINS: 'http://localhost:5173' },
  ])('a shop that only this machine reaches is not public: %o', (env) => {
    expect(refusals(env)).toEqual([]);
  });
});

test.each([
  [1, null, false],
  [2, null, true],
  [1, 'postgres://db.example/shop', true],
  [2, 'postgres://db.example/shop', true],
])('others may serve a shop of %i processes on %o: %s', (workers, databaseUrl, may) => {
  expect(isServedByOthers({ workers, databaseUrl })).toBe(may);
});

test.each([
  [1000, 1, 1000],
  [1000, 3, 333],
  [2, 2, 1],
  [2, 8, 1],
])('a limit of %i among %i processes is %i for each', (bound, workers, share) => {
  expect(divideAmongWorkers(bound, { workers })).toBe(share);
});
