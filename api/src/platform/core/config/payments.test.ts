import { describe, expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { type Env, refusals, stripeKeys } from '#test/settings.ts';
import { describePayments } from './payments.ts';

const live = { STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' };

test('the sandbox takes payments within three days by default', () => {
  const config = { stripe: null, holdMs: 72 * 3_600_000, sandboxControl: false };
  expect(readConfig({})).toMatchObject(config);
});

test('every payment setting is read', () => {
  const env = {
    ...stripeKeys,
    STRIPE_WEBHOOK_SECRET: 'whsec_new,whsec_old',
    STRIPE_API_URL: 'http://127.0.0.1:12111',
    PAYMENT_HOURS: '0.5',
  };
  expect(readConfig(env)).toMatchObject({
    stripe: {
      secretKey: 'sk_test_abc',
      publishableKey: 'pk_test_abc',
      webhookSecrets: ['whsec_new', 'whsec_old'],
      apiUrl: 'http://127.0.0.1:12111',
    },
    holdMs: 1_800_000,
  });
});

test('PAYMENT_HOURS=0 holds unpaid orders for ever', () => {
  expect(readConfig({ PAYMENT_HOURS: '0' }).holdMs).toBeNull();
});

describe('a single setting', () => {
  const secretKey = 'STRIPE_SECRET_KEY must begin with sk_test_, sk_live_, rk_test_ or rk_live_.';
  const publishableKey = 'STRIPE_PUBLISHABLE_KEY must begin with pk_test_ or pk_live_.';
  const webhookSecret =
    'STRIPE_WEBHOOK_SECRET must begin with whsec_; two such secrets are separated by a comma.';
  const hours = 'PAYMENT_HOURS must be a number of hours from 0 to 8760, such as 72 or 0.5.';

  test.each([
    [{ PAYMENTS: 'stripe' }, 'PAYMENTS must be one of sandbox.'],
    [{ ...stripeKeys, STRIPE_SECRET_KEY: 'pk_test_abc' }, secretKey],
    [{ ...stripeKeys, STRIPE_SECRET_KEY: 'sk_test_' }, secretKey],
    [{ ...stripeKeys, STRIPE_SECRET_KEY: '"sk_test_abc' }, secretKey],
    [{ ...stripeKeys, STRIPE_SECRET_KEY: 'sk_test_abc"' }, secretKey],
    [{ ...stripeKeys, STRIPE_PUBLISHABLE_KEY: 'sk_test_abc' }, publishableKey],
    [{ ...stripeKeys, STRIPE_PUBLISHABLE_KEY: 'pk_abc' }, publishableKey],
    [{ ...stripeKeys, STRIPE_PUBLISHABLE_KEY: '"pk_test_abc' }, publishableKey],
    [{ ...stripeKeys, STRIPE_PUBLISHABLE_KEY: 'pk_test_abc"' }, publishableKey],
    [{ ...stripeKeys, STRIPE_WEBHOOK_SECRET: ',' }, webhookSecret],
    [{ ...stripeKeys, STRIPE_WEBHOOK_SECRET: 'pk_test_oops' }, webhookSecret],
    [{ ...stripeKeys, STRIPE_WEBHOOK_SECRET: 'whsec_' }, webhookSecret],
    [{ ...stripeKeys, STRIPE_WEBHOOK_SECRET: '"whsec_abc' }, webhookSecret],
    [{ ...stripeKeys, STRIPE_WEBHOOK_SECRET: 'whsec_abc"' }, webhookSecret],
    [{ ...stripeKeys, STRIPE_WEBHOOK_SECRET: 'whsec_abc,oops' }, webhookSecret],
    [
      { ...stripeKeys, STRIPE_API_URL: 'http://127.0.0.1:12111/v1' },
      'STRIPE_API_URL must be an origin such as https://shop.example.',
    ],
    [
      { STRIPE_API_URL: 'http://127.0.0.1:12111' },
      'STRIPE_API_URL needs the keys of that server, STRIPE_SECRET_KEY first.',
    ],
    [{ PAYMENT_HOURS: '-1' }, hours],
    [{ PAYMENT_HOURS: '8761' }, hours],
    [{ PAYMENT_HOURS: '3 days' }, hours],
    [{ SANDBOX_CONTROL: 'yes' }, 'SANDBOX_CONTROL must be one of 0, 1.'],
  ])('%o is refused', (env: Env, sentence) => {
    expect(refusals(env)).toEqual([sentence]);
  });

  test.each<Env>([
    { PAYMENTS: 'sandbox' },
    { PAYMENT_HOURS: '0' },
    { PAYMENT_HOURS: '0.001' },
    { ...stripeKeys, STRIPE_API_URL: 'http://127.0.0.1:12111' },
    { ...stripeKeys, STRIPE_SECRET_KEY: 'rk_test_abc' },
    { ...stripeKeys, STRIPE_SECRET_KEY: 'rk_live_abc', STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' },
  ])('%o is accepted', (env) => {
    expect(refusals(env)).toEqual([]);
  });
});

test.each(Object.entries(stripeKeys))('Stripe is refused without %s, or with it alone', (name, value) => {
  const sentences = [
    'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set together.',
  ];
  expect(refusals({ ...stripeKeys, [name]: '' })).toEqual(sentences);
  expect(refusals({ [name]: value })).toEqual(sentences);
});

test('the Stripe keys are both test keys or both live', () => {
  const sentences = [
    'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys.',
  ];
  expect(refusals({ ...stripeKeys, STRIPE_SECRET_KEY: 'sk_live_abc' })).toEqual(sentences);
  expect(refusals({ ...stripeKeys, STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' })).toEqual(sentences);
  expect(refusals({ ...stripeKeys, ...live })).toEqual([]);
});

test('live keys are sent to no server but Stripe', () => {
  expect(refusals({ ...stripeKeys, ...live, STRIPE_API_URL: 'https://stripe.example' })).toEqual([
    'STRIPE_API_URL must not be set with live keys, as they would be given to that server.',
  ]);
});

test('Stripe and the sandbox exclude each other', () => {
  expect(refusals({ ...stripeKeys, PAYMENTS: 'sandbox' })).toEqual([
    'PAYMENTS=sandbox and STRIPE_SECRET_KEY exclude each other.',
  ]);
});

test("the sandbox's control is refused in production and on public shops", () => {
  expect(refusals({ SANDBOX_CONTROL: '1', NODE_ENV: 'production' })).toEqual([
    'SANDBOX_CONTROL must not be set in production.',
  ]);
  expect(refusals({ SANDBOX_CONTROL: '0', NODE_ENV: 'production' })).toEqual([]);
  const open = { HOST: '0.0.0.0', PAYMENTS: 'sandbox' };
  expect(refusals({ ...open, SANDBOX_CONTROL: '1' })).toEqual([
    'SANDBOX_CONTROL must not be set where HOST lets other machines in.',
  ]);
  expect(refusals({ ...open, SANDBOX_CONTROL: '0' })).toEqual([]);
  expect(readConfig({ SANDBOX_CONTROL: '1', NODE_ENV: 'test' }).sandboxControl).toBe(true);
});

test('one line at the start says how cards are charged', () => {
  const origin = { ORIGIN: 'https://shop.example' };
  const lines = [
    {},
    { ...stripeKeys },
    { ...stripeKeys, ...origin },
    { ...stripeKeys, HOST: '0.0.0.0' },
    { ...stripeKeys, TRUSTED_PROXIES: '1' },
    { ...stripeKeys, STRIPE_API_URL: 'http://127.0.0.1:12111' },
    { ...stripeKeys, ...live, ...origin },
    { ...stripeKeys, ...live, ORIGIN: 'http://shop.example' },
    { ...stripeKeys, ...live, ORIGIN: 'http://localhost:3000' },
  ].map((env) => describePayments(readConfig(env)));
  expect(lines).toEqual([
    'Payments: the card sandbox, which takes test cards and moves no money.',
    'Payments: Stripe with test keys, which move no money.',
    'Payments: Stripe with test keys, which move no money. Warning: https://shop.example is public and earns nothing.',
    'Payments: Stripe with test keys, which move no money. Warning: the shop is public (HOST) and earns nothing.',
    'Payments: Stripe with test keys, which move no money. Warning: the shop is public (TRUSTED_PROXIES) and earns nothing.',
    'Payments: the server at http://127.0.0.1:12111 in place of Stripe with test keys, which move no money.',
    'Payments: Stripe with live keys; money moves.',
    'Payments: Stripe with live keys; money moves. Warning: http://shop.example is not https, so that anybody on the way can change the page on which cards are typed.',
    'Payments: Stripe with live keys; money moves.',
  ]);
});
