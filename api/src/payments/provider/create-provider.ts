import { formatCents } from '@parts-forge/contract/money/money';
import { receivePaymentEvent } from '@parts-forge/contract/money/payments';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#src/platform/database/connection.ts';
import { ensureSecret } from '#src/platform/database/metadata.ts';
import type { Platform } from '#src/platform/platform.ts';
import type { PaymentProvider } from './provider.ts';
import { createStripeProvider } from './stripe.ts';

type Services = Pick<Platform, 'config' | 'database' | 'clock' | 'log'>;

export async function createPaymentProvider(needs: Services): Promise<PaymentProvider> {
  const { stripe } = needs.config;
  if (stripe) return createStripeProvider({ ...stripe, mode: 'stripe', scriptUrl: null });
  return createSandboxProvider(needs);
}

async function createSandboxProvider({ config, database, clock, log }: Services): Promise<PaymentProvider> {
  const { createCardSandbox } = await import('@parts-forge/card-sandbox');
  const { secretKey, webhookSecret } = await ensureSandboxSecrets(database);
  let shop: FastifyInstance | undefined;
  const sandbox = createCardSandbox({
    pool: database.pool,
    clock,
    log,
    secretKey,
    webhookSecret,
    withControl: config.sandboxControl,
    money: { currency: config.currency.toLowerCase(), format: formatCents },
    async deliverEvent(body, signature) {
      if (!shop) throw new Error('The shop is not there yet to take an event.');
      return postWebhook(shop, body, signature);
    },
  });
  const provider = createStripeProvider({
    secretKey,
    publishableKey: sandbox.publishableKey,
    webhookSecrets: [webhookSecret],
    mode: 'sandbox',
    scriptUrl: sandbox.scriptUrl,
    fetch: sandbox.fetch,
  });
  return {
    ...provider,
    pruneEvents: sandbox.prune,
    async routes(app) {
      shop = app;
      await sandbox.routes(app);
    },
    close: sandbox.close,
  };
}

/** Random, or anybody could forge a webhook; stored, as all processes share them. */
export async function ensureSandboxSecrets(
  database: Database,
): Promise<{ secretKey: string; webhookSecret: string }> {
  const [key, webhook] = await Promise.all([
    ensureSecret(database.db, 'sandbox_secret_key'),
    ensureSecret(database.db, 'sandbox_webhook_secret'),
  ]);
  return { secretKey: `sk_test_${key}`, webhookSecret: `whsec_${webhook}` };
}

async function postWebhook(app: FastifyInstance, body: string, signature: string): Promise<number> {
  const { statusCode } = await app.inject({
    method: 'POST',
    url: receivePaymentEvent.path,
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    payload: body,
  });
  return statusCode;
}
