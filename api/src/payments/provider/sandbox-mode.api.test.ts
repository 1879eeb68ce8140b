import { beforeEach, expect, test } from 'vitest';
import { anOpenPayment, confirmCard, controlSandbox } from '#test/paying.ts';
import { personAt } from '#test/person.ts';
import { startForTest, useShop } from '#test/use-shop.ts';
import { ensureSandboxSecrets } from './create-provider.ts';

const shop = useShop();
beforeEach(() => controlSandbox(shop, { webhooks: 'drop', faults: [], processing: false }));

test("the page gets the sandbox's key and script without an account", async () => {
  const { body } = await shop.request('/config');
  expect(body.payments).toEqual({
    mode: 'sandbox',
    publishableKey: 'pk_test_sandbox',
    scriptUrl: '/sandbox/stripe/stripe.js',
  });
  expect((await shop.request('/sandbox/stripe/stripe.js')).status).toBe(200);
});

test("the sandbox's secrets are random and made once per database", async () => {
  const secrets = await ensureSandboxSecrets(shop.services.database);
  expect(secrets.secretKey).toMatch(/^sk_test_[\w-]{43}$/);
  expect(secrets.webhookSecret).toMatch(/^whsec_[\w-]{43}$/);
  expect(await ensureSandboxSecrets(shop.services.database)).toEqual(secrets);
});

test('open payments, keys and secrets outlast a restart', async () => {
  const { customer, order, clientSecret } = await anOpenPayment(shop);
  const restarted = await startForTest({ shareDatabaseWith: shop });
  expect((await personAt(restarted, customer).asksToPay(order)).body.clientSecret).toBe(clientSecret);
  expect((await confirmCard(restarted, clientSecret)).body.status).toBe('succeeded');
});

test('a Stripe account disables the sandbox, and control needs permission', async () => {
  const withAccount = await startForTest({
    env: {
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
    },
  });
  expect((await withAccount.request('/config')).body.payments).toEqual({
    mode: 'stripe',
    publishableKey: 'pk_test_x',
    scriptUrl: null,
  });
  expect((await withAccount.request('/sandbox/stripe/stripe.js')).status).toBe(404);
  const plain = await startForTest({ env: { SANDBOX_CONTROL: '0' } });
  expect((await plain.request('/sandbox/stripe/control')).status).toBe(404);
});
