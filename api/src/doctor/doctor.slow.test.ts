import { existsSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  examineBy,
  examineShop,
  runDoctor,
  startFakeStripe,
  stripeError,
  writeDatabaseUrl,
} from '#test/doctor.ts';
import { aDueOrder } from '#test/paying.ts';
import { newFolder } from '#test/processes.ts';
import { newEmptyDatabase, startShop, type TestShop } from '#test/start-shop.ts';
import { type StripeEmulator, startStripeEmulator } from '#test/stripe-emulator.ts';

/** `npm run doctor`, twice as a process, on running and stopped shops. */

const secrets = {
  STRIPE_SECRET_KEY: 'sk_test_emulated',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_emulated',
  STRIPE_WEBHOOK_SECRET: 'whsec_emulated',
  IDENTITY_SECRET: 'identity-secret-of-32-characters',
};
let stripe: StripeEmulator;
let shop: TestShop;
/** Settings of the running shop. */
let env: Record<string, string>;
beforeAll(async () => {
  stripe = await startStripeEmulator();
  const settings = { ...secrets, STRIPE_API_URL: stripe.url };
  shop = await startShop({ env: settings });
  env = {
    ...settings,
    PORT: String(shop.config.port),
    DATA_DIR: shop.config.dataDir,
    DATABASE_URL: writeDatabaseUrl(shop.services.database.connection),
  };
  const { customer, order } = await aDueOrder(shop);
  await customer.opensPayment(order);
  // The identity service creates its keys at first use.
  await expect(shop.services.identity.verify('no token')).rejects.toThrow();
});
afterAll(async () => {
  await shop.close();
  await stripe.close();
});

test('a working shop gets status 0 and no secret in its report', async () => {
  const { status, said } = await runDoctor(env);
  expect(said).not.toContain('WRONG');
  expect(status).toBe(0);
  for (const sentence of [
    `ok    DATA_DIR ${shop.config.dataDir} can be written.`,
    'ok    The tables are up to date',
    'ok    The user may create schemas, tables and the extension pg_trgm.',
    "ok    This machine's clock is that of the database.",
    "ok    This machine's clock is that of Stripe.",
    `ok    http://127.0.0.1:${shop.config.port} answers, and the shop there is ready.`,
    'ok    The shop there runs with the payment settings of this command.',
    'ok    The signing keys can be read with the identity secret.',
    'ok    Stripe takes STRIPE_SECRET_KEY.',
    'ok    STRIPE_PUBLISHABLE_KEY is of the same account.',
    `ok    STRIPE_WEBHOOK_SECRET: a signed event reached the shop at http://127.0.0.1:${shop.config.port}, which took it.`,
    'Everything that is configured works.',
  ]) {
    expect(said).toContain(sentence);
  }
  for (const secret of [...Object.values(secrets), env.DATABASE_URL]) expect(said).not.toContain(secret);
  expect(shop.errors).toEqual([]);
});

test('every wrong setting is named, with status 1', async () => {
  const { status, said } = await runDoctor({
    PORT: 'http',
    ADMIN_EMAIL: 'chief@shop.example',
    DATABASE_URL_FILE: '/no/such',
  });
  expect(status).toBe(1);
  expect(said).toBe(
    'Settings\n' +
      '  WRONG DATABASE_URL_FILE: /no/such cannot be read.\n' +
      '  WRONG PORT must be a whole number from 0 to 65535.\n' +
      '  WRONG ADMIN_EMAIL and ADMIN_PASSWORD must be set together.\n\n' +
      '3 things do not work.\n',
  );
});

test('an untouched folder passes before the first start and stays empty', async () => {
  const dataDir = path.join(newFolder(), 'data');
  const port = await freePort();
  const { status, said } = await examineBy({ DATA_DIR: dataDir, PORT: String(port) });
  expect(said).toContain(`ok    DATA_DIR ${dataDir} is not there yet; the first start makes it.`);
  expect(said).toContain('ok    The first start makes the embedded database.');
  expect(said).toContain(`note  The shop does not run on this machine's port ${port}`);
  expect(said).toContain('note  Payments: the card sandbox');
  expect(status).toBe(0);
  expect(existsSync(dataDir)).toBe(false);
});

test('one run reports every failure', async () => {
  const { status, said } = await examineBy({
    ...env,
    DATA_DIR: '/dev/null/data',
    DATABASE_URL: 'postgres://shop:pass-word@127.0.0.1:1/shop',
    STRIPE_API_URL: 'http://127.0.0.1:1',
    STRIPE_WEBHOOK_SECRET: 'whsec_emulated,whsec_another',
  });
  expect(status).toBe(1);
  expect(said).toContain('WRONG DATA_DIR /dev/null/data cannot be written: ENOTDIR');
  expect(said).toContain('WRONG DATABASE_URL does not answer at 127.0.0.1:1/shop: connect ECONNREFUSED');
  expect(said).toContain('WRONG Stripe cannot be asked for payments: connect ECONNREFUSED 127.0.0.1:1.');
  expect(said).toContain('ok    Secret 1 of STRIPE_WEBHOOK_SECRET: a signed event reached the shop');
  expect(said).toContain('WRONG Secret 2 of STRIPE_WEBHOOK_SECRET: the shop at');
  expect(said).toContain('4 things do not work.');
  expect(said).not.toContain('pass-word');
});

describe('the database check', () => {
  const user = { name: `weak_${process.pid}`, password: 'weak' };
  beforeAll(async () => {
    await shop.pool.query(`create role ${user.name} login password '${user.password}'`);
  });
  afterAll(async () => {
    await shop.pool.query(`drop owned by ${user.name}; drop role ${user.name}`);
  });

  test('a database user without setup permissions fails', async () => {
    const { connection, drop } = await newEmptyDatabase();
    const { status, said } = await examineBy({ DATABASE_URL: writeDatabaseUrl(connection, user) });
    await drop();
    expect(said).toMatch(/note {2}\d+ of \d+ migrations are applied by the next start/);
    expect(said).toContain('WRONG The user may not set the shop up: permission denied for database');
    expect(status).toBe(1);
  });

  test('an initialised database needs no more permissions before an upgrade', async () => {
    await shop.pool.query(`grant select on all tables in schema public to ${user.name}`);
    const url = writeDatabaseUrl(shop.services.database.connection, user);
    const { said } = await examineBy({ DATABASE_URL: url });
    expect(said).toContain('note  An upgrade that changes tables will need more rights: permission denied');
    expect(said).toContain('ok    The tables are up to date');
  });

  test('a database of a newer version fails', async () => {
    const { rows } = await shop.pool.query(
      "insert into migrations (hash, created_at) values ('newer', 9e12) returning id",
    );
    const { status, said } = await examineBy(env);
    await shop.pool.query('delete from migrations where id = $1', [rows[0].id]);
    expect(said).toContain('WRONG A newer version of the shop has migrated the database');
    expect(status).toBe(1);
  });
});

test('a changed identity secret is noted', async () => {
  const { said } = await examineShop(shop, { ...env, IDENTITY_SECRET: 'x'.repeat(32) });
  expect(said).toContain('note  The identity secret is another one than before');
});

describe('the Stripe check', () => {
  test.each([
    [
      401,
      stripeError('invalid_request_error', 'Invalid API Key provided: sk_test_****ated'),
      'Invalid API Key provided',
    ],
  ])('a secret key answered with %i fails', async (status, body, reason) => {
    const fake = await startFakeStripe();
    fake.answers.set('/v1/payment_intents', { status, body });
    const seen = await examineShop(shop, { ...env, STRIPE_API_URL: fake.url });
    expect(seen.said).toContain(`WRONG Stripe refuses STRIPE_SECRET_KEY: ${reason}`);
    expect(seen.status).toBe(1);
  });

  test.each([
    [
      403,
      stripeError('invalid_request_error', 'Not permitted.'),
      'STRIPE_SECRET_KEY may not read payments (PaymentIntents)',
    ],
    [200, {}, 'Stripe cannot be asked for payments: there is no such list'],
    [500, stripeError('api_error', 'Something broke.'), 'Stripe cannot be asked for payments: 500 Something'],
    [
      429,
      stripeError('invalid_request_error', 'Slow down.'),
      'Stripe cannot be asked for payments: 429 Slow',
    ],
  ])('a %i answer does not count as a refused key', async (status, body, sentence) => {
    const fake = await startFakeStripe();
    fake.answers.set('/v1/payment_intents', { status, body });
    const seen = await examineShop(shop, { ...env, STRIPE_API_URL: fake.url });
    expect(seen.said).toContain(`WRONG ${sentence}`);
    expect(seen.status).toBe(1);
  });

  test('the missing permissions of a restricted key are listed', async () => {
    const fake = await startFakeStripe();
    const refusal = { status: 403, body: stripeError('invalid_request_error', 'Not permitted.') };
    for (const name of ['charges', 'events']) fake.answers.set(`/v1/${name}`, refusal);
    const { said } = await examineShop(shop, {
      ...env,
      STRIPE_SECRET_KEY: 'rk_test_x',
      STRIPE_API_URL: fake.url,
    });
    expect(said).toContain('WRONG The key cannot read charges, which the shop needs');
    expect(said).toContain('note  The key cannot read events; the shop does without');
    expect(said).toContain(
      'note  That this restricted key may write payments and refunds is seen with the first ones.',
    );
    expect(said).toContain(
      'note  Whether both keys are of one account is seen when there is a first payment.',
    );
  });

  test.each([
    [404, 'WRONG STRIPE_PUBLISHABLE_KEY is of another account than STRIPE_SECRET_KEY.'],
    [401, 'WRONG Stripe refuses STRIPE_PUBLISHABLE_KEY.'],
    [500, 'WRONG Stripe answers a question with STRIPE_PUBLISHABLE_KEY with 500.'],
  ])('a publishable key answered with %i fails', async (status, sentence) => {
    const fake = await startFakeStripe();
    const payment = { object: 'payment_intent', id: 'pi_1', client_secret: 'pi_1_secret_2' };
    fake.answers.set('/v1/payment_intents', { status: 200, body: { object: 'list', data: [payment] } });
    fake.answers.set('/v1/payment_intents/pi_1', { status: 200, body: payment });
    const refusal = stripeError('invalid_request_error', 'No such payment.');
    fake.answers.set('pk /v1/payment_intents/pi_1', { status, body: refusal });
    const seen = await examineShop(shop, { ...env, STRIPE_API_URL: fake.url });
    expect(seen.said).toContain(sentence);
    expect(seen.status).toBe(1);
  });

  test.each([
    [60, /note {2}This machine's clock is \d+ seconds behind that of Stripe: let both follow a time server/],
    [-600, /WRONG This machine's clock is \d+ seconds ahead of that of Stripe: signed events/],
  ])("a clock that differs from Stripe's by %i seconds is reported", async (aheadSeconds, sentence) => {
    const fake = await startFakeStripe();
    fake.aheadSeconds = aheadSeconds;
    const { said } = await examineShop(shop, { ...env, STRIPE_API_URL: fake.url });
    expect(said).toMatch(sentence);
  });
});
