import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { intentParameters, startSandbox, type TestSandbox } from '#test/start-sandbox.ts';

let sandbox: TestSandbox;
let stripe: Stripe;
let webhooks: { body: string; signature: string }[];
let aheadMs = 0;
beforeAll(async () => {
  sandbox = await startSandbox({
    now: () => new Date(Date.now() + aheadMs),
    deliverEvent: async (body, signature) => {
      webhooks.push({ body, signature });
      return 200;
    },
  });
  stripe = new Stripe(sandbox.secretKey, {
    httpClient: Stripe.createFetchHttpClient(sandbox.sandbox.fetch),
    maxNetworkRetries: 2,
    telemetry: false,
  });
});
beforeEach(async () => {
  webhooks = [];
  aheadMs = 0;
  await sandbox.changeControl({ webhooks: 'deliver', faults: [] });
});
afterAll(() => sandbox.close());

const parameters: Stripe.PaymentIntentCreateParams = {
  amount: 113943,
  currency: 'usd',
  allowed_payment_method_types: ['card'],
  metadata: { orderId: 'order-1' },
};

test("the sandbox exposes the publishable key and the script's address", () => {
  expect(sandbox.sandbox).toMatchObject({
    publishableKey: 'pk_test_sandbox',
    scriptUrl: '/sandbox/stripe/stripe.js',
  });
});

test("Stripe's SDK takes a payment from its creation to its refund", async () => {
  const intent = await stripe.paymentIntents.create(parameters);
  expect(intent).toMatchObject({
    status: 'requires_payment_method',
    amount: 113943,
    metadata: { orderId: 'order-1' },
  });
  await sandbox.confirmIntent({ id: intent.id, clientSecret: intent.client_secret ?? '' });
  const paid = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
  expect(paid).toMatchObject({ status: 'succeeded', amount_received: 113943, latest_charge: { paid: true } });
  await stripe.refunds.create({ payment_intent: intent.id });
  const refunded = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
  expect(refunded.latest_charge).toMatchObject({ refunded: true, amount_refunded: 113943 });

  await vi.waitFor(() => expect(webhooks).toHaveLength(5), { timeout: 20_000 });
  const events = webhooks.map(({ body, signature }) =>
    stripe.webhooks.constructEvent(body, signature, sandbox.webhookSecret),
  );
  expect(events.map(({ type }) => type).sort()).toEqual([
    'charge.refunded',
    'charge.succeeded',
    'payment_intent.created',
    'payment_intent.succeeded',
    'refund.created',
  ]);
});

test('the SDK retries a lost response without creating a second payment', async () => {
  const count = async () => (await sandbox.readControl()).intents.length;
  const before = await count();
  await sandbox.changeControl({ faults: [{ fault: 'timeout-after', on: 'POST' }] });
  expect((await stripe.paymentIntents.create(parameters)).object).toBe('payment_intent');
  expect(await count()).toBe(before + 1);
});

test('the SDK throws its own errors', async () => {
  await expect(stripe.paymentIntents.retrieve('pi_none')).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
    code: 'resource_missing',
  });
});

test('open payments survive a restart', async () => {
  const intent = await sandbox.createIntent();
  const restarted = await startSandbox({ shareDatabaseWith: sandbox });
  try {
    expect((await restarted.confirmIntent(intent)).body.status).toBe('succeeded');
  } finally {
    await restarted.close();
  }
});

test('pruning keeps recent responses and events that wait for delivery', async () => {
  const pruneAfter = async (hours: number) => {
    const before = new Date();
    aheadMs = hours * 3_600_000;
    await sandbox.sandbox.prune(before);
  };
  const headers = { 'idempotency-key': 'once' };
  const create = () => sandbox.callApi('/v1/payment_intents', intentParameters, headers);
  const listEvents = async () => (await sandbox.readControl()).events.length;
  const first = await create();
  await vi.waitFor(async () => expect((await sandbox.readControl()).deliveries).toEqual([]), {
    timeout: 20_000,
  });
  await sandbox.changeControl({ webhooks: 'hold' });
  await sandbox.createIntent();

  await pruneAfter(47);
  expect(await listEvents()).toBe(1);
  expect((await create()).body.id).toBe(first.body.id);
  await pruneAfter(49);
  expect((await create()).body.id).not.toBe(first.body.id);
});
