import path from 'node:path';
import { expect, test } from 'vitest';
import { type Config, readConfig } from '#src/platform/core/config.ts';
import { type Env, firebaseKeys, refusals, stripeKeys } from '#test/settings.ts';

const live = { STRIPE_SECRET_KEY: 'sk_live_abc', STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' };
const google = { GOOGLE_CLIENT_ID: 'the-shop', GOOGLE_CLIENT_SECRET: 'a secret' };
const s3 = {
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'pictures',
  S3_ACCESS_KEY_ID: 'an id',
  S3_SECRET_ACCESS_KEY: 'a secret',
};
const hosted = {
  IMAGE_HOST_URL: 'https://api.images.example/1/upload',
  IMAGE_HOST_KEY: 'a key',
  IMAGE_HOST_ORIGINS: 'https://i.images.example, https://i2.images.example',
};
const seller = { SELLER_NAME: 'Fjord Parts AS', SELLER_ADDRESS: 'Havnegata 4, 0150 Oslo, Norway' };
const smtp = { SMTP_URL: 'smtps://shop:secret@mail.example:465', MAIL_FROM: 'Shop <shop@example.com>' };
const chief = { ADMIN_EMAIL: 'chief@shop.example', ADMIN_PASSWORD: 'twelve chars' };

/** Valid settings that belong together, by the first word of their names. */
const groups: Record<string, Env> = {
  STRIPE: stripeKeys,
  FIREBASE: firebaseKeys,
  GOOGLE: google,
  S3: s3,
  IMAGE: hosted,
  SELLER: seller,
  SMTP: smtp,
  MAIL: smtp,
  ADMIN: chief,
};

// docs/reference/settings.md has the defaults of the settings themselves.
test('a shop without settings is a demonstration for this machine', () => {
  expect(readConfig({})).toMatchObject({
    production: false,
    origin: null,
    allowedOrigins: [],
    dataDir: path.resolve('data'),
    livePages: false,
    databaseUrl: null,
    databaseDirectUrl: null,
    rateLimits: true,
    metricsToken: null,
    adminEmail: null,
    adminPassword: null,
    identitySecret: null,
    refuseCommonPasswords: false,
    firebase: null,
    google: null,
    smtp: null,
    requireVerifiedEmail: false,
    pictureStore: null,
    stripe: null,
    holdMs: 72 * 3_600_000,
    sandboxControl: false,
    tax: null,
    isDemoSeller: true,
    seller: {
      name: 'Parts Forge',
      address: ['48 Foundry Lane', 'Sheffield S3 8GG', 'United Kingdom'],
      taxId: null,
      email: null,
      country: null,
    },
    shop: {
      name: 'Parts Forge',
      tagline: 'Manufacturer of mobile-phone parts. Sold by the batch, paid by card.',
      links: [{ name: 'Facebook' }, { name: 'Instagram' }, { name: 'Twitter' }],
      logo: null,
      accent: null,
    },
  });
});

/** What one setting changes. */
const readAlone: [setting: string, value: string, config: Partial<Config>][] = [
  ['NODE_ENV', 'production', { production: true }],
  ['PORT', '8080', { port: 8080 }],
  ['PORT', '0', { port: 0 }],
  ['PORT', '65535', { port: 65_535 }],
  ['HOST', 'localhost', { host: 'localhost' }],
  ['WORKERS', '4', { workers: 4 }],
  ['DRAIN_MS', '5000', { drainMs: 5000 }],
  [
    'WEBHOOK_HOSTS',
    'erp.internal, [::1], 10.0.0.5:8443',
    webhookHosts('erp.internal', '[::1]', '10.0.0.5:8443'),
  ],
  ['DATA_DIR', '/srv/shop', { dataDir: '/srv/shop' }],
  ['SEED', 'none', { seed: 'none' }],
  ['SHOP_TIME_ZONE', 'America/New_York', { timeZone: 'America/New_York' }],
  ['SHOP_CURRENCY', 'JPY', { currency: 'JPY' }],
  ['DATABASE_POOL_SIZE', '2', { databasePoolSize: 2 }],
  ['STATEMENT_TIMEOUT_MS', '100', { statementTimeoutMs: 100 }],
  ['CONNECTION_TIMEOUT_MS', '2000', { connectionTimeoutMs: 2000 }],
  ['UNPAID_ORDERS', '7', { maxUnpaidOrders: 7 }],
  ['UNPAID_ORDERS', '10000', { maxUnpaidOrders: 10_000 }],
  ['REQUEST_TIMEOUT_MS', '600000', { requestTimeoutMs: 600_000 }],
  ['HEADERS_TIMEOUT_MS', '1000', { headersTimeoutMs: 1000 }],
  ['BODY_TIMEOUT_MS', '2000', { bodyTimeoutMs: 2000 }],
  ['RESPONSE_TIMEOUT_MS', '3000', { responseTimeoutMs: 3000 }],
  ['DOWNLOAD_TIMEOUT_MS', '4000', { downloadTimeoutMs: 4000 }],
  ['MAX_CONNECTIONS', '400', { maxConnections: 400 }],
  ['MAX_CONNECTIONS_PER_ADDRESS', '50', { maxConnectionsPerAddress: 50 }],
  ['MAX_STREAMS_PER_ADDRESS', '9', { maxStreamsPerAddress: 9 }],
  ['LOG_LEVEL', 'warn', { logLevel: 'warn' }],
  ['METRICS_TOKEN', 'watch-Me_.~/9+xyz==', { metricsToken: 'watch-Me_.~/9+xyz==' }],
  ['METRICS_TOKEN', 'x'.repeat(16), { metricsToken: 'x'.repeat(16) }],
  ['METRICS_TOKEN', 'bWV0cmljcyB0b2tlbg==', { metricsToken: 'bWV0cmljcyB0b2tlbg==' }],
  ['ADMIN_PASSWORD', 'twelve chars', { adminEmail: 'chief@shop.example', adminPassword: 'twelve chars' }],
  ['IDENTITY_SECRET', 's'.repeat(32), { identitySecret: 's'.repeat(32) }],
  ['COMMON_PASSWORDS', 'refuse', { refuseCommonPasswords: true }],
  ['ADMIN_SECOND_FACTOR', 'required', { adminSecondFactor: 'required' }],
  ['PICTURE_TIMEOUT_MS', '4000', { pictureTimeoutMs: 4000 }],
  ['PAYMENT_HOURS', '0.5', { holdMs: 1_800_000 }],
  ['PAYMENT_HOURS', '0.001', { holdMs: 3600 }],
];

function webhookHosts(...hosts: string[]): Partial<Config> {
  return { webhookHosts: hosts };
}

test.each(readAlone)('%s=%s is read', (setting, value, config) => {
  const group = groups[setting.split('_')[0] ?? ''];
  expect(readConfig({ ...group, [setting]: value })).toMatchObject(config);
});

test.each<[title: string, env: Env, config: object]>([
  [
    'origins and proxies are read',
    {
      HOST: '0.0.0.0',
      ORIGIN: 'https://shop.example',
      ALLOWED_ORIGINS: 'https://a.example, https://b.example',
      TRUSTED_PROXIES: '2',
      PAYMENTS: 'sandbox',
    },
    {
      host: '0.0.0.0',
      origin: 'https://shop.example',
      allowedOrigins: ['https://a.example', 'https://b.example'],
      trustedProxies: 2,
    },
  ],
  ['ten proxies are taken', { TRUSTED_PROXIES: '10', PAYMENTS: 'sandbox' }, { trustedProxies: 10 }],
  [
    'an external PostgreSQL has an address for all and a direct one',
    {
      DATABASE_URL: 'postgresql://shop@db.example/shop',
      DATABASE_DIRECT_URL: 'postgres://shop@primary.example/shop',
    },
    {
      databaseUrl: 'postgresql://shop@db.example/shop',
      databaseDirectUrl: 'postgres://shop@primary.example/shop',
    },
  ],
  [
    'without limits anybody has any number of unpaid orders',
    { RATE_LIMITS: 'off' },
    { rateLimits: false, maxUnpaidOrders: null },
  ],
  [
    'UNPAID_ORDERS=0 allows any number of unpaid orders',
    { UNPAID_ORDERS: '0' },
    { rateLimits: true, maxUnpaidOrders: null },
  ],
  [
    'connections per address are unlimited behind proxies',
    { TRUSTED_PROXIES: '1', PAYMENTS: 'sandbox', MAX_CONNECTIONS_PER_ADDRESS: '50' },
    { maxConnectionsPerAddress: null },
  ],
  [
    'pages never come from their sources in production',
    { LIVE_PAGES: '1', NODE_ENV: 'production' },
    { livePages: false },
  ],
  [
    'pages come from their sources in development',
    { LIVE_PAGES: '1', NODE_ENV: 'development' },
    { livePages: true },
  ],
  [
    "Google's client id and its secret are enough",
    google,
    {
      google: {
        clientId: 'the-shop',
        clientSecret: 'a secret',
        discoveryUrl: 'https://accounts.google.com/.well-known/openid-configuration',
        prompt: 'select_account',
      },
    },
  ],
  [
    'another OpenID provider and prompt are read',
    { ...google, GOOGLE_DISCOVERY_URL: 'http://127.0.0.1:9000/openid', GOOGLE_PROMPT: 'login' },
    { google: { discoveryUrl: 'http://127.0.0.1:9000/openid', prompt: 'login' } },
  ],
  [
    'a mail server has a sender with a name',
    { ...smtp, REQUIRE_VERIFIED_EMAIL: 'on' },
    {
      smtp: { url: smtp.SMTP_URL, from: { name: 'Shop', address: 'shop@example.com' } },
      requireVerifiedEmail: true,
    },
  ],
  [
    'a sender may be an address alone',
    { ...smtp, MAIL_FROM: 'shop@example.com' },
    { smtp: { from: { name: '', address: 'shop@example.com' } } },
  ],
  [
    'Firebase verifies addresses without a mail server of the shop',
    { ...firebaseKeys, REQUIRE_VERIFIED_EMAIL: 'on' },
    { smtp: null, requireVerifiedEmail: true },
  ],
  [
    'the first administrator of a shop on Firebase has only an email',
    { ...firebaseKeys, ADMIN_EMAIL: 'chief@shop.example' },
    { adminEmail: 'chief@shop.example', adminPassword: null },
  ],
  [
    'a second factor may be optional with Firebase',
    { ...firebaseKeys, ADMIN_SECOND_FACTOR: 'optional' },
    { adminSecondFactor: 'optional' },
  ],
  [
    'S3-compatible storage is read with its bucket',
    s3,
    {
      pictureStore: {
        kind: 's3',
        bucketUrl: 'https://s3.example/pictures',
        region: 'auto',
        accessKeyId: 'an id',
        secretAccessKey: 'a secret',
        publicUrl: 'https://s3.example/pictures',
      },
    },
  ],
  [
    'S3-compatible storage is read with its public address',
    { ...s3, S3_REGION: 'eu-central-1', S3_PUBLIC_URL: 'https://cdn.example/' },
    { pictureStore: { region: 'eu-central-1', publicUrl: 'https://cdn.example' } },
  ],
  [
    'a public address ends without strokes',
    { ...s3, S3_PUBLIC_URL: 'http://cdn.example//' },
    { pictureStore: { publicUrl: 'http://cdn.example' } },
  ],
  [
    'a hosted image service is read with its picture origins',
    hosted,
    {
      pictureStore: {
        kind: 'hosted',
        url: 'https://api.images.example/1/upload',
        key: 'a key',
        origins: ['https://i.images.example', 'https://i2.images.example'],
      },
    },
  ],
  [
    'every payment setting is read',
    {
      ...stripeKeys,
      STRIPE_WEBHOOK_SECRET: 'whsec_new,whsec_old',
      STRIPE_API_URL: 'http://127.0.0.1:12111',
    },
    {
      stripe: {
        secretKey: 'sk_test_abc',
        publishableKey: 'pk_test_abc',
        webhookSecrets: ['whsec_new', 'whsec_old'],
        apiUrl: 'http://127.0.0.1:12111',
      },
    },
  ],
  [
    'a restricted key of Stripe is taken',
    { ...stripeKeys, STRIPE_SECRET_KEY: 'rk_test_abc' },
    { stripe: { secretKey: 'rk_test_abc' } },
  ],
  [
    'a restricted live key of Stripe is taken',
    { ...stripeKeys, ...live, STRIPE_SECRET_KEY: 'rk_live_abc' },
    { stripe: { secretKey: 'rk_live_abc' } },
  ],
  ['live keys of Stripe are taken', { ...stripeKeys, ...live }, { stripe: { secretKey: 'sk_live_abc' } }],
  ['PAYMENT_HOURS=0 holds unpaid orders for ever', { PAYMENT_HOURS: '0' }, { holdMs: null }],
  [
    "the sandbox's control may be set in tests",
    { SANDBOX_CONTROL: '1', NODE_ENV: 'test' },
    { sandboxControl: true },
  ],
  [
    "the sandbox's control may be off in production",
    { SANDBOX_CONTROL: '0', NODE_ENV: 'production', HOST: '0.0.0.0', PAYMENTS: 'sandbox' },
    { sandboxControl: false },
  ],
  [
    'the seller comes from the settings, its address line by line',
    {
      ...seller,
      SELLER_TAX_ID: 'NO 987 654 321 MVA',
      SELLER_EMAIL: 'accounts@fjord.example',
      SELLER_COUNTRY: 'NO',
    },
    {
      seller: {
        name: 'Fjord Parts AS',
        address: ['Havnegata 4', '0150 Oslo', 'Norway'],
        taxId: 'NO 987 654 321 MVA',
        email: 'accounts@fjord.example',
        country: { code: 'NO', name: 'Norway' },
      },
      isDemoSeller: false,
    },
  ],
  ['a tax rate may be 0', { SELLER_TAX_RATE: '0' }, { tax: { rate: 0, name: 'VAT', exemptText: null } }],
  ['a tax rate is in hundredths of a percent', { SELLER_TAX_RATE: '20' }, { tax: { rate: 2000 } }],
  ['a tax rate may have one decimal', { SELLER_TAX_RATE: '7.5' }, { tax: { rate: 750 } }],
  ['a tax rate may have two decimals', { SELLER_TAX_RATE: '8.25' }, { tax: { rate: 825 } }],
  ['a tax rate may be 50 percent', { SELLER_TAX_RATE: '50.00' }, { tax: { rate: 5000 } }],
  [
    'a shop with its own name has nothing of the demonstration',
    { SHOP_NAME: 'Łódź & Søn "Teile"' },
    {
      shop: { tagline: '', address: [], links: [], picture: null },
      seller: { name: 'Łódź & Søn "Teile"', address: [] },
    },
  ],
  [
    'tagline and social addresses come from the settings',
    { SHOP_NAME: 'Kites', SHOP_TAGLINE: 'Kites', SHOP_TWITTER: 'https://twitter.example/kites' },
    {
      shop: {
        tagline: 'Kites',
        description: 'Kites',
        links: [{ name: 'Twitter', url: 'https://twitter.example/kites' }],
      },
    },
  ],
])('%s', (_title, env, config) => {
  expect(readConfig(env)).toMatchObject(config);
});

const databaseUrl =
  'must be an address such as postgres://user:password@host:5432/shop; signs such as / # ? @ % in its password are percent-encoded.';
const smtpUrl =
  'must be an address such as smtps://user:password@host:465; signs such as / # ? @ % in its password are percent-encoded.';
const shopOrigin = 'must be an origin such as https://shop.example.';
const webhookHost = 'is not a host in lower case, with IPv6 in brackets.';
const timeout = 'must be a whole number from 100 to 600000.';
const pictureAddress = 'must be an address such as https://pictures.example/bucket.';
const visible = 'must have a character that can be seen.';
const printable = (max: number) => `must be 1 to ${max} characters without control characters.`;

/** Values that one setting refuses, and the rest of its sentence. */
const refusedAlone: [setting: string, rest: string, ...values: string[]][] = [
  ['SHOP_TIME_ZONE', 'must be the IANA name of a time zone, such as Africa/Accra.', 'Mars/Base', '+02:00'],
  ['PORT', 'must be a whole number from 0 to 65535.', '-1', '65536', '1234567', '80.5', ' 80'],
  ['WORKERS', 'must be a whole number from 1 to 32.', '0', '33'],
  ['DRAIN_MS', 'must be a whole number from 0 to 60000.', '60001'],
  ['TRUSTED_PROXIES', 'must be a whole number from 0 to 10.', '11', 'true'],
  ['ORIGIN', shopOrigin, 'shop.example', 'https://shop.example/', 'https://shop.example/path'],
  ['ORIGIN', shopOrigin, 'https://SHOP.example', 'https://shop.example:443', 'ftp://shop.example'],
  ['SEED', 'must be one of demo, catalogue, none.', 'Demo'],
  ['LIVE_PAGES', 'must be one of 0, 1.', 'yes'],
  ['DATABASE_URL', databaseUrl, 'mysql://db.example/shop', 'db.example', 'postgres:shop'],
  ['DATABASE_URL', databaseUrl, ' postgres://db.example/shop', 'jdbc:postgres://db.example/shop'],
  ['DATABASE_URL', databaseUrl, 'postgres://shop:Ab/Cd+ef==@localhost/shop'],
  ['DATABASE_URL', databaseUrl, 'postgres://shop:12/SECRETREST@localhost:3250/shop'],
  ['DATABASE_URL', databaseUrl, 'postgres://shop:12#SECRETREST@localhost/shop'],
  ['DATABASE_URL', databaseUrl, 'postgres://shop:12?SECRETREST@localhost/shop'],
  ['DATABASE_URL', databaseUrl, 'postgres://shop:12/SECRET?REST@localhost/shop'],
  ['DATABASE_URL', databaseUrl, 'postgres://shop:50%off@localhost/shop'],
  [
    'DATABASE_URL',
    'has an sslmode that PostgreSQL does not know.',
    'postgres://db.example/shop?sslmode=nonsense',
  ],
  ['DATABASE_POOL_SIZE', 'must be a whole number from 2 to 1000.', '1'],
  ['STATEMENT_TIMEOUT_MS', timeout, '99'],
  ['CONNECTION_TIMEOUT_MS', timeout, '0'],
  ['UNPAID_ORDERS', 'must be a whole number from 0 to 10000.', '10001'],
  ['RATE_LIMITS', 'must be one of on, off.', '0'],
  ['REQUEST_TIMEOUT_MS', timeout, '600001'],
  ['MAX_CONNECTIONS', 'must be a whole number from 10 to 100000.', '9'],
  [
    'METRICS_TOKEN',
    'must be 16 characters or longer, of letters, digits and - . _ ~ + /.',
    'x'.repeat(15),
    'words with spaces in',
    `${'x'.repeat(16)}=y`,
  ],
  ['LOG_LEVEL', 'must be one of fatal, error, warn, info, debug, trace, silent.', 'loud'],
  ['ADMIN_EMAIL', 'must be an email address.', 'chief', 'a b@shop.example', 'chief@shop.example, x'],
  ['ADMIN_PASSWORD', 'must be 12 characters or longer.', 'x'.repeat(11)],
  ['ADMIN_PASSWORD', visible, ' '.repeat(12)],
  ['IDENTITY_SECRET', 'must be 32 characters or longer.', 'x'.repeat(31)],
  ['COMMON_PASSWORDS', 'must be one of allow, refuse.', 'on'],
  ['FIREBASE_PROJECT_ID', 'must be the id of a Firebase project.', 'Parts Forge'],
  ['FIREBASE_API_KEY', 'must be a web API key.', 'a key'],
  [
    'FIREBASE_AUTH_DOMAIN',
    'must be a host such as parts-forge.firebaseapp.com.',
    'https://parts-forge-1.firebaseapp.com',
    'x.example; script-src *',
  ],
  [
    'GOOGLE_DISCOVERY_URL',
    'must begin with https://, or with http:// on this machine.',
    'http://accounts.example/',
    'accounts.google.com',
    'file:///etc/passwd',
    'http://localhost.evil.example/',
  ],
  ['GOOGLE_PROMPT', 'must be one of select_account, consent, login.', 'none'],
  ['SMTP_URL', smtpUrl, 'https://mail.example', 'mail.example', 'smtp://shop:p@ss/w:rd@mail.example'],
  ['SMTP_URL', smtpUrl, 'smtp://shop:12#word@mail.example', 'smtp://shop:50%off@mail.example'],
  [
    'MAIL_FROM',
    'must be an email address, or a name and an address in angle brackets.',
    'Parts Forge',
    'Parts\nBcc: all <shop@example.com>',
  ],
  ['REQUIRE_VERIFIED_EMAIL', 'must be one of on, off.', 'yes'],
  ['PICTURE_TIMEOUT_MS', timeout, '0'],
  ['S3_ENDPOINT', shopOrigin, 'https://s3.example/x'],
  ['S3_BUCKET', 'must be the name of a bucket.', 'No Bucket', 'pictures-', '-pictures', 'p2', 'x'.repeat(64)],
  ['S3_REGION', 'must be a region.', 'EU-central-1', 'eu-central-1!', 'x'.repeat(41)],
  ['S3_PUBLIC_URL', pictureAddress, 'cdn.example', 'https://a:b@cdn.example'],
  ['S3_PUBLIC_URL', pictureAddress, 'https://a@cdn.example', 'https://:b@cdn.example'],
  ['IMAGE_HOST_URL', pictureAddress, 'ftp://images.example'],
  [
    'IMAGE_HOST_ORIGINS',
    'must be origins such as https://i.example, separated by commas.',
    'i.images.example',
    'https://i.images.example, i2.images.example',
  ],
  ['PAYMENTS', 'must be one of sandbox.', 'stripe'],
  [
    'STRIPE_SECRET_KEY',
    'must begin with sk_test_, sk_live_, rk_test_ or rk_live_.',
    'pk_test_abc',
    'sk_test_',
    '"sk_test_abc',
    'sk_test_abc"',
  ],
  [
    'STRIPE_PUBLISHABLE_KEY',
    'must begin with pk_test_ or pk_live_.',
    'sk_test_abc',
    'pk_abc',
    '"pk_test_abc',
    'pk_test_abc"',
  ],
  [
    'STRIPE_WEBHOOK_SECRET',
    'must begin with whsec_; two such secrets are separated by a comma.',
    ',',
    'pk_test_oops',
    'whsec_',
    '"whsec_abc',
    'whsec_abc"',
    'whsec_abc,oops',
  ],
  ['STRIPE_API_URL', shopOrigin, 'http://127.0.0.1:12111/v1'],
  ['PAYMENT_HOURS', 'must be a number of hours from 0 to 8760, such as 72 or 0.5.', '-1', '8761', '3 days'],
  ['SANDBOX_CONTROL', 'must be one of 0, 1.', 'yes'],
  ['SELLER_NAME', printable(80), 'x'.repeat(81)],
  ['SELLER_ADDRESS', printable(300), 'a\nb'],
  ['SELLER_TAX_ID', printable(60), 'x'.repeat(61)],
  ['SELLER_EMAIL', 'must be an email address.', 'accounts', 'mailto:a@b.example'],
  ['SELLER_COUNTRY', 'must be a country such as GB.', 'XX'],
  ['SELLER_TAX_NAME', printable(20), 'x'.repeat(21)],
  [
    'SELLER_TAX_RATE',
    'must be a percentage from 0 to 50 with at most two decimals, such as 20 or 7.5.',
    '50.01',
    '-1',
    '19,5',
    '19 %',
    '7.125',
    '100',
    '1e1',
  ],
  ['SHOP_NAME', printable(40), 'x'.repeat(41), 'a\nb'],
  ['SHOP_NAME', visible, '  ', '\u200b', '\u3164', '\u0301'],
  ['SHOP_TAGLINE', printable(120), 'x'.repeat(121)],
  ['SHOP_FACEBOOK', 'must be an address that begins with https://.', 'javascript:alert(1)'],
  ['SHOP_TWITTER', 'must be an address that begins with https://.', 'https://'],
  ['SHOP_ACCENT', 'must be a colour such as #0b5fff.', 'blue'],
  [
    'SHOP_CURRENCY',
    'must be a currency that the card provider takes, in capitals, such as EUR.',
    'ZZZ',
    'eur',
    'BTC',
  ],
  ['SHOP_CURRENCY', 'must be a currency with two decimals or none: KWD has three.', 'KWD'],
  [
    'SHOP_CURRENCY',
    'must be another currency: the card provider counts ISK in hundredths, which it does not have.',
    'ISK',
  ],
];

test.each(
  refusedAlone.flatMap(([setting, rest, ...values]) =>
    values.map((value) => [setting, value, rest] as const),
  ),
)('%s=%s is refused', (setting, value, rest) => {
  const group = groups[setting.split('_')[0] ?? ''];
  expect(refusals({ ...group, [setting]: value })).toEqual([`${setting} ${rest}`]);
});

const database = { DATABASE_URL: 'postgres://db.example/shop' };
const firebaseTogether =
  'FIREBASE_PROJECT_ID, FIREBASE_API_KEY and FIREBASE_AUTH_DOMAIN must be set together.';
const stripeTogether =
  'STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET must be set together.';
const stripeKinds =
  'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys.';

/** A setting is missing from its group, or alone. */
const incomplete = (group: Env, sentence: string) =>
  Object.entries(group).flatMap(([name, value]): [Env, string][] => [
    [{ ...group, [name]: '' }, sentence],
    [{ [name]: value }, sentence],
  ]);

test.each<[env: Env, sentence: string]>([
  [
    { ...stripeKeys, ALLOWED_ORIGINS: 'https://a.example b.example' },
    'ALLOWED_ORIGINS: b.example is not an origin.',
  ],
  [{ WEBHOOK_HOSTS: '10.0.0.5, ::1' }, `WEBHOOK_HOSTS: ::1 ${webhookHost}`],
  ...['*', '10.0.0.5:99999', 'a%62.example', 'http://erp.internal'].map((host): [Env, string] => [
    { WEBHOOK_HOSTS: host },
    `WEBHOOK_HOSTS: ${host} ${webhookHost}`,
  ]),
  [{ DATABASE_DIRECT_URL: database.DATABASE_URL }, 'DATABASE_DIRECT_URL needs DATABASE_URL.'],
  [
    { ...database, DATABASE_CA: '/nowhere/ca.pem' },
    'DATABASE_CA must name a file that the user of the shop may read (ENOENT).',
  ],
  [
    { ...database, DATABASE_CA: import.meta.filename },
    'DATABASE_CA must be the path of a file with certificates (PEM).',
  ],
  ...incomplete(chief, 'ADMIN_EMAIL and ADMIN_PASSWORD must be set together.'),
  ...incomplete(google, 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together.'),
  ...incomplete(smtp, 'SMTP_URL and MAIL_FROM must be set together.'),
  ...incomplete(seller, 'SELLER_NAME and SELLER_ADDRESS must be set together.'),
  ...incomplete(firebaseKeys, firebaseTogether),
  ...incomplete(stripeKeys, stripeTogether),
  [
    { ...s3, S3_BUCKET: '' },
    'S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY go together: S3_BUCKET is missing.',
  ],
  [
    { IMAGE_HOST_KEY: 'a key' },
    'IMAGE_HOST_URL, IMAGE_HOST_KEY, IMAGE_HOST_ORIGINS go together: IMAGE_HOST_URL, IMAGE_HOST_ORIGINS are missing.',
  ],
  [{ ...s3, ...hosted }, 'S3_ENDPOINT and IMAGE_HOST_URL exclude each other: new pictures go to one place.'],
  [
    { REQUIRE_VERIFIED_EMAIL: 'on' },
    'REQUIRE_VERIFIED_EMAIL=on needs SMTP_URL, as nobody could prove an address without mail.',
  ],
  [
    { ...firebaseKeys, ...google },
    'FIREBASE_PROJECT_ID and GOOGLE_CLIENT_ID exclude each other: with Firebase, sign-in with Google is switched on in its console.',
  ],
  [
    { ...firebaseKeys, ...chief },
    'ADMIN_PASSWORD must not be set with Firebase, which has its own passwords.',
  ],
  [
    { ...firebaseKeys, ADMIN_SECOND_FACTOR: 'required' },
    'ADMIN_SECOND_FACTOR=required is not possible with Firebase.',
  ],
  [
    { STRIPE_API_URL: 'http://127.0.0.1:12111' },
    'STRIPE_API_URL needs the keys of that server, STRIPE_SECRET_KEY first.',
  ],
  [{ ...stripeKeys, STRIPE_SECRET_KEY: 'sk_live_abc' }, stripeKinds],
  [{ ...stripeKeys, STRIPE_PUBLISHABLE_KEY: 'pk_live_abc' }, stripeKinds],
  [
    { ...stripeKeys, ...live, STRIPE_API_URL: 'https://stripe.example' },
    'STRIPE_API_URL must not be set with live keys, as they would be given to that server.',
  ],
  [{ ...stripeKeys, PAYMENTS: 'sandbox' }, 'PAYMENTS=sandbox and STRIPE_SECRET_KEY exclude each other.'],
  [{ SANDBOX_CONTROL: '1', NODE_ENV: 'production' }, 'SANDBOX_CONTROL must not be set in production.'],
  [
    { HOST: '0.0.0.0', PAYMENTS: 'sandbox', SANDBOX_CONTROL: '1' },
    'SANDBOX_CONTROL must not be set where HOST lets other machines in.',
  ],
])('%o is refused', (env, sentence) => {
  expect(refusals(env)).toEqual([sentence]);
});
