import { describe, expect, test } from 'vitest';
import { type Env, refusals, stripeKeys } from '#test/settings.ts';
import { divideAmongWorkers, isPublicHttps, isServedByOthers, trustedOrigins } from './server.ts';

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
