import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  ConfigError,
  describePayments,
  isPublicHttps,
  readConfig,
  settings,
  trustedOrigins,
} from './config.ts';

type Env = Record<string, string>;

/** The sentences with which the settings are refused; none when they are taken. */
function refusals(env: Env): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.sentences;
    throw error;
  }
}

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_abc',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
};

test('without any setting the shop is one for this machine alone', () => {
  const config = {
    production: false,
    port: 3000,
    host: '127.0.0.1',
    origin: null,
    dataDir: path.resolve('data'),
    databaseUrl: null,
    adminEmail: null,
    adminPassword: null,
    identitySecret: null,
    allowedOrigins: [],
    stripe: null,
    holdMs: 72 * 3_600_000,
    maxUnpaidOrders: 50,
    sandboxControl: false,
    livePages: false,
    rateLimits: true,
    refuseCommonPasswords: false,
    adminSecondFactor: 'optional',
    trustedProxies: 0,
    seed: 'demo',
    logLevel: 'info',
    statementTimeoutMs: 5000,
    connectionTimeoutMs: 3000,
    requestTimeoutMs: 18_000,
    metricsToken: null,
    headersTimeoutMs: 10_000,
    bodyTimeoutMs: 20_000,
    responseTimeoutMs: 60_000,
    maxConnections: 5000,
    maxConnectionsPerAddress: 1000,
    pictureTimeoutMs: 10_000,
  };
  expect(readConfig({})).toEqual(config);
  const empty = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, '']));
  expect(readConfig({ ...empty, NODE_ENV: '', LIVE_PAGES: '', SANDBOX_CONTROL: '' })).toEqual(config);
});

test('every setting is read', () => {
  const env = {
    NODE_ENV: 'production',
    PORT: '8080',
    HOST: '0.0.0.0',
    ORIGIN: 'https://shop.example',
    DATA_DIR: '/srv/shop',
    DATABASE_URL: 'postgresql://shop@db.example/shop',
    ADMIN_EMAIL: 'chief@shop.example',
    ADMIN_PASSWORD: 'twelve chars',
    IDENTITY_SECRET: 's'.repeat(32),
    METRICS_TOKEN: 'watch-Me_.~/9+xyz==',
    ALLOWED_ORIGINS: 'https://a.example, https://b.example',
    ...stripe,
    STRIPE_WEBHOOK_SECRET: 'whsec_new,whsec_old',
    STRIPE_API_URL: 'http://127.0.0.1:12111',
    PAYMENT_HOURS: '0.5',
    UNPAID_ORDERS: '7',
    RATE_LIMITS: 'off',
    COMMON_PASSWORDS: 'refuse',
    ADMIN_SECOND_FACTOR: 'required',
    TRUSTED_PROXIES: '2',
    SEED: 'none',
    LOG_LEVEL: 'warn',
    STATEMENT_TIMEOUT_MS: '100',
    CONNECTION_TIMEOUT_MS: '2000',
    REQUEST_TIMEOUT_MS: '600000',
    HEADERS_TIMEOUT_MS: '1000',
    BODY_TIMEOUT_MS: '2000',
    RESPONSE_TIMEOUT_MS: '3000',
    MAX_CONNECTIONS: '400',
    MAX_CONNECTIONS_PER_ADDRESS: '50',
    PICTURE_TIMEOUT_MS: '4000',
  };
  expect(readConfig(env)).toEqual({
    production: true,
    port: 8080,
    host: '0.0.0.0',
    origin: 'https://shop.example',
    dataDir: '/srv/shop',
    databaseUrl: 'postgresql://shop@db.example/shop',
    adminEmail: 'chief@shop.example',
    adminPassword: 'twelve chars',
    identitySecret: 's'.repeat(32),
    allowedOrigins: ['https://a.example', 'https://b.example'],
    stripe: {
      secretKey: 'sk_test_abc',
      publishableKey: 'pk_test_abc',
      webhookSecrets: ['whsec_new', 'whsec_old'],
      apiUrl: 'http://127.0.0.1:12111',
    },
    holdMs: 1_800_000,
    maxUnpaidOrders: null,
    sandboxControl: false,
    livePages: false,
    rateLimits: false,
    refuseCommonPasswords: true,
    adminSecondFactor: 'required',
    trustedProxies: 2,
    seed: 'none',
    logLevel: 'warn',
    statementTimeoutMs: 100,
    connectionTimeoutMs: 2000,
    requestTimeoutMs: 600_000,
    metricsToken: 'watch-Me_.~/9+xyz==',
    headersTimeoutMs: 1000,
    bodyTimeoutMs: 2000,
    responseTimeoutMs: 3000,
    maxConnections: 400,
    // Behind proxies a connection's address is the proxy's.
    maxConnectionsPerAddress: null,
    pictureTimeoutMs: 4000,
  });
  expect(readConfig({ MAX_CONNECTIONS_PER_ADDRESS: '50' }).maxConnectionsPerAddress).toBe(50);
});

test('everything that is wrong is told at once, as one message for people', () => {
  const env = { PORT: 'http', SEED: 'perhaps' };
  expect(() => readConfig(env)).toThrow(
    'The settings are wrong:\n- PORT must be a whole number from 0 to 65535.\n- SEED must be one of demo, none.',
  );
  expect(refusals({ ADMIN_EMAIL: 'chief@shop.example', ORIGIN: 'https://shop.example' })).toEqual([
    'ADMIN_EMAIL and ADMIN_PASSWORD must be set together.',
    'A public shop (ORIGIN) needs STRIPE_SECRET_KEY; set PAYMENTS=sandbox to run it with the card sandbox, which moves no money.',
  ]);
});

describe('each setting by itself', () => {
  const port = 'PORT must be a whole number from 0 to 65535.';
  const proxies = 'TRUSTED_PROXIES must be a whole number from 0 to 10.';
  const origin = 'ORIGIN must be an origin such as https://shop.example.';
  const database = 'DATABASE_URL must begin with postgres:// or postgresql://.';
  const email = 'ADMIN_EMAIL must be an email address.';
  const secretKey = 'STRIPE_SECRET_KEY must begin with sk_test_, sk_live_, rk_test_ or rk_live_.';
  const publishableKey = 'STRIPE_PUBLISHABLE_KEY must begin with pk_test_ or pk_live_.';
  const webhookSecret =
    'STRIPE_WEBHOOK_SECRET must begin with whsec_; two such secrets are separated by a comma.';
  const hours = 'PAYMENT_HOURS must be a number of hours from 0 to 8760, such as 72 or 0.5.';
  const apiUrl = 'STRIPE_API_URL must be an origin such as https://shop.example.';
  const metricsToken = 'METRICS_TOKEN must be 16 characters or longer, of letters, digits and - . _ ~ + /.';
  const level = 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.';

  test.each([
    [{ PORT: '-1' }, port],
    [{ PORT: '65536' }, port],
    [{ PORT: '1234567' }, port],
    [{ PORT: '80.5' }, port],
    [{ PORT: ' 80' }, port],
    [{ TRUSTED_PROXIES: '11' }, proxies],
    [{ TRUSTED_PROXIES: 'true' }, proxies],
    [{ ORIGIN: 'shop.example' }, origin],
    [{ ORIGIN: 'https://shop.example/' }, origin],
    [{ ORIGIN: 'https://shop.example/path' }, origin],
    [{ ORIGIN: 'https://SHOP.example' }, origin],
    [{ ORIGIN: 'https://shop.example:443' }, origin],
    [{ ORIGIN: 'ftp://shop.example' }, origin],
    [{ DATABASE_URL: 'mysql://db.example/shop' }, database],
    [{ DATABASE_URL: 'db.example' }, database],
    [{ DATABASE_URL: 'jdbc:postgres://db.example/shop' }, database],
    [{ ADMIN_EMAIL: 'chief', ADMIN_PASSWORD: 'twelve chars' }, email],
    [{ ADMIN_EMAIL: 'a b@shop.example', ADMIN_PASSWORD: 'twelve chars' }, email],
    [{ ADMIN_EMAIL: 'chief@shop.example, x', ADMIN_PASSWORD: 'twelve chars' }, email],
    [
      { ADMIN_EMAIL: 'chief@shop.example', ADMIN_PASSWORD: 'x'.repeat(11) },
      'ADMIN_PASSWORD must be 12 characters or longer.',
    ],
    [{ IDENTITY_SECRET: 'x'.repeat(31) }, 'IDENTITY_SECRET must be 32 characters or longer.'],
    [{ METRICS_TOKEN: 'x'.repeat(15) }, metricsToken],
    [{ METRICS_TOKEN: 'words with spaces in' }, metricsToken],
    [{ METRICS_TOKEN: `${'x'.repeat(16)}=y` }, metricsToken],
    [{ PAYMENTS: 'stripe' }, 'PAYMENTS must be one of sandbox.'],
    [{ ...stripe, STRIPE_SECRET_KEY: 'pk_test_abc' }, secretKey],
    [{ ...stripe, STRIPE_SECRET_KEY: 'sk_test_' }, secretKey],
    [{ ...stripe, STRIPE_SECRET_KEY: '"sk_test_abc' }, secretKey],
    [{ ...stripe, STRIPE_SECRET_KEY: 'sk_test_abc"' }, secretKey],
    [{ ...stripe, STRIPE_PUBLISHABLE_KEY: 'sk_test_abc' }, publishableKey],
    [{ ...stripe, STRIPE_PUBLISHABLE_KEY: 'pk_abc' }, publishableKey],
    [{ ...stripe, STRIPE_PUBLISHABLE_KEY: '"pk_test_abc' }, publishableKey],
    [{ ...stripe, STRIPE_PUBLISHABLE_KEY: 'pk_test_abc"' }, publishableKey],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: ',' }, webhookSecret],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: 'pk_test_oops' }, webhookSecret],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: 'whsec_' }, webhookSecret],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: '"whsec_abc' }, webhookSecret],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: 'whsec_abc"' }, webhookSecret],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: 'whsec_abc,oops' }, webhookSecret],
    [{ ...stripe, STRIPE_API_URL: 'http://127.0.0.1:12111/v1' }, apiUrl],
    [
      { STRIPE_API_URL: 'http://127.0.0.1:12111' },
      'STRIPE_API_URL needs the keys of that server, STRIPE_SECRET_KEY first.',
    ],
    [{ PAYMENT_HOURS: '-1' }, hours],
    [{ PAYMENT_HOURS: '8761' }, hours],
    [{ PAYMENT_HOURS: '3 days' }, hours],
    [{ UNPAID_ORDERS: '10001' }, 'UNPAID_ORDERS must be a whole number from 0 to 10000.'],
    [{ SANDBOX_CONTROL: 'yes' }, 'SANDBOX_CONTROL must be one of 0, 1.'],
    [{ LIVE_PAGES: 'yes' }, 'LIVE_PAGES must be one of 0, 1.'],
    [{ RATE_LIMITS: '0' }, 'RATE_LIMITS must be one of on, off.'],
    [{ SEED: 'Demo' }, 'SEED must be one of demo, none.'],
    [{ LOG_LEVEL: 'loud' }, level],
    [{ STATEMENT_TIMEOUT_MS: '99' }, 'STATEMENT_TIMEOUT_MS must be a whole number from 100 to 600000.'],
    [{ CONNECTION_TIMEOUT_MS: '0' }, 'CONNECTION_TIMEOUT_MS must be a whole number from 100 to 600000.'],
    [{ REQUEST_TIMEOUT_MS: '600001' }, 'REQUEST_TIMEOUT_MS must be a whole number from 100 to 600000.'],
    [
      { ...stripe, ALLOWED_ORIGINS: 'https://a.example b.example' },
      'ALLOWED_ORIGINS: b.example is not an origin.',
    ],
  ])('%o is refused', (env: Env, sentence) => {
    expect(refusals(env)).toEqual([sentence]);
  });

  test.each<Env>([
    { PORT: '0' },
    { PORT: '65535' },
    { TRUSTED_PROXIES: '10' },
    { DATABASE_URL: 'postgres://db.example/shop' },
    { IDENTITY_SECRET: 'x'.repeat(32) },
    { METRICS_TOKEN: 'x'.repeat(16) },
    { METRICS_TOKEN: 'bWV0cmljcyB0b2tlbg==' },
    { PAYMENTS: 'sandbox' },
    { PAYMENT_HOURS: '0' },
    { PAYMENT_HOURS: '0.001' },
    { UNPAID_ORDERS: '10000' },
    { ...stripe, STRIPE_API_URL: 'http://127.0.0.1:12111' },
    { ...stripe, STRIPE_SECRET_KEY: 'rk_test_abc' },
    { ...stripe, STRIPE_SECRET_KEY: 'rk_live_abc', STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' },
  ])('%o is taken', (env) => {
    expect(refusals(env)).toEqual([]);
  });
});

describe('settings that belong together', () => {
  test('the first administrator has an email and a password, or neither', () => {
    const sentences = ['ADMIN_EMAIL and ADMIN_PASSWORD must be set together.'];
    expect(refusals({ ADMIN_EMAIL: 'chief@shop.example' })).toEqual(sentences);
    expect(refusals({ ADMIN_PASSWORD: 'twelve chars' })).toEqual(sentences);
    expect(refusals({ ADMIN_EMAIL: 'chief@shop.example', ADMIN_PASSWORD: 'twelve chars' })).toEqual([]);
  });

  test.each(Object.entries(stripe))('Stripe without %s, or with it alone, is refused', (name, value) => {
    const sentences = [
      'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set together.',
    ];
    expect(refusals({ ...stripe, [name]: '' })).toEqual(sentences);
    expect(refusals({ [name]: value })).toEqual(sentences);
  });

  test('the keys of Stripe are both for tests or both live', () => {
    const sentences = [
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys.',
    ];
    expect(refusals({ ...stripe, STRIPE_SECRET_KEY: 'sk_live_abc' })).toEqual(sentences);
    expect(refusals({ ...stripe, STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' })).toEqual(sentences);
    const live = { STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' };
    expect(refusals({ ...stripe, ...live })).toEqual([]);
  });

  test('live keys are given to no other server than Stripe', () => {
    const live = { STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' };
    expect(refusals({ ...stripe, ...live, STRIPE_API_URL: 'https://stripe.example' })).toEqual([
      'STRIPE_API_URL must not be set with live keys, as they would be given to that server.',
    ]);
  });

  test.each<Env>([{ RATE_LIMITS: 'off' }, { UNPAID_ORDERS: '0' }])(
    '%o allows any number of unpaid orders',
    (env) => {
      expect(readConfig(env).maxUnpaidOrders).toBeNull();
    },
  );

  test('PAYMENT_HOURS=0 holds unpaid orders for ever', () => {
    expect(readConfig({ PAYMENT_HOURS: '0' }).holdMs).toBeNull();
  });

  test('Stripe and the sandbox exclude each other', () => {
    expect(refusals({ ...stripe, PAYMENTS: 'sandbox' })).toEqual([
      'PAYMENTS=sandbox and STRIPE_SECRET_KEY exclude each other.',
    ]);
  });
});

describe('a public shop', () => {
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
  ])('at %s needs Stripe, or the word that it is a sandbox', (origin) => {
    expect(refusals({ ORIGIN: origin })).toEqual(sentencesFor('ORIGIN'));
    expect(refusals({ ORIGIN: origin, PAYMENTS: 'sandbox' })).toEqual([]);
    expect(refusals({ ORIGIN: origin, ...stripe })).toEqual([]);
  });

  test.each([
    'http://localhost:3000',
    'https://localhost',
    'http://127.0.0.1:3000',
    'http://127.8.9.10',
    'http://[::1]:3000',
  ])('is not one at %s, which only this machine reaches', (origin) => {
    expect(refusals({ ORIGIN: origin })).toEqual([]);
  });
});

describe('the sandbox does not serve others than this machine unless somebody says so', () => {
  test.each<[string, Env]>([
    ['HOST', { HOST: '0.0.0.0' }],
    ['HOST', { HOST: '::' }],
    ['HOST', { HOST: '192.168.0.10', NODE_ENV: 'production' }],
    ['ALLOWED_ORIGINS', { ALLOWED_ORIGINS: 'http://localhost:5173, https://a.example' }],
  ])('by %s: %o', (setting, env) => {
    expect(refusals(env)).toEqual([
      `A public shop (${setting}) needs STRIPE_SECRET_KEY; set PAYMENTS=sandbox to run it with the card sandbox, which moves no money.`,
    ]);
    expect(refusals({ ...env, PAYMENTS: 'sandbox' })).toEqual([]);
    expect(refusals({ ...env, ...stripe })).toEqual([]);
  });

  test.each<Env>([
    { HOST: 'localhost' },
    { HOST: '127.0.0.2' },
    { HOST: '::1' },
    { ALLOWED_ORIGINS: 'http://localhost:5173' },
  ])('%o reaches this machine alone', (env) => {
    expect(refusals(env)).toEqual([]);
  });
});

test('the start says in a line how cards are charged', () => {
  const live = { STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' };
  const origin = { ORIGIN: 'https://shop.example' };
  const lines = [
    {},
    { ...stripe },
    { ...stripe, ...origin },
    { ...stripe, STRIPE_API_URL: 'http://127.0.0.1:12111' },
    { ...stripe, ...live, ...origin },
  ].map((env) => describePayments(readConfig(env)));
  expect(lines).toEqual([
    'Payments: the card sandbox, which takes test cards and moves no money.',
    'Payments: Stripe with test keys, which move no money.',
    'Payments: Stripe with test keys, which move no money. Warning: https://shop.example is public and earns nothing.',
    'Payments: the server at http://127.0.0.1:12111 in place of Stripe with test keys, which move no money.',
    'Payments: Stripe with live keys; money moves.',
  ]);
});

describe('in production', () => {
  test("the sandbox's control is refused", () => {
    expect(refusals({ SANDBOX_CONTROL: '1', NODE_ENV: 'production' })).toEqual([
      'SANDBOX_CONTROL must not be set in production.',
    ]);
    expect(refusals({ SANDBOX_CONTROL: '0', NODE_ENV: 'production' })).toEqual([]);
    expect(readConfig({ SANDBOX_CONTROL: '1', NODE_ENV: 'test' }).sandboxControl).toBe(true);
  });

  test('pages never come from their sources', () => {
    expect(readConfig({ LIVE_PAGES: '1', NODE_ENV: 'production' }).livePages).toBe(false);
    expect(readConfig({ LIVE_PAGES: '1', NODE_ENV: 'development' }).livePages).toBe(true);
  });
});

test('pages of the public origin are trusted; without one those of this machine on the port', () => {
  expect(trustedOrigins({ origin: 'https://shop.example', port: 3000 })).toEqual(['https://shop.example']);
  expect(trustedOrigins({ origin: null, port: 8080 })).toEqual([
    'http://localhost:8080',
    'http://127.0.0.1:8080',
  ]);
});

test('a shop is public by https when its origin is, and is not that of this machine', () => {
  const isPublic = (origin: string | null) => isPublicHttps({ origin });
  expect(isPublic('https://shop.example')).toBe(true);
  for (const origin of [null, 'http://shop.example', 'https://localhost', 'http://localhost:3000']) {
    expect(isPublic(origin), String(origin)).toBe(false);
  }
});

describe('the documents name every setting with its sentence and default, and nothing else', () => {
  const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
  const defaults: Record<string, unknown> = settings.parse({});
  const described = Object.entries(settings.shape).map(([name, schema]) => ({
    name,
    sentence: z.globalRegistry.get(schema)?.description,
    fallback: defaults[name] === undefined ? '' : String(defaults[name]),
  }));

  test('.env.example', () => {
    const text = read('.env.example');
    const [, ...entries] = text.trimEnd().split('\n\n');
    expect(entries).toEqual(
      described.map(({ name, sentence, fallback }) => `# ${sentence}\n${name}=${fallback}`),
    );
    expect(readConfig(parseEnv(text))).toEqual(readConfig({}));
  });

  test('README.md', () => {
    const [, section = ''] = read('README.md').split('\n## Settings\n');
    const rows = section.split('\n## ')[0]?.match(/^\| `.*$/gm);
    expect(rows).toEqual(
      described.map(
        ({ name, sentence, fallback }) =>
          `| \`${name}\` | ${sentence} | ${fallback === '' ? 'none' : `\`${fallback}\``} |`,
      ),
    );
  });
});
