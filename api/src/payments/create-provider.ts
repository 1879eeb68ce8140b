import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Config } from '#src/platform/core/config.ts';
import type { Database } from '#src/platform/database/connection.ts';
import type { PaymentProvider } from './provider.ts';
import { createStripeProvider } from './stripe.ts';

/** Stripe when the settings name an account; else the sandbox, behind the very same code. */
export async function createPaymentProvider({
  config,
  database,
  clock,
  log,
}: {
  config: Pick<Config, 'stripe' | 'sandboxControl'>;
  database: Database;
  clock: Clock;
  log: FastifyBaseLogger;
}): Promise<PaymentProvider> {
  if (config.stripe) return createStripeProvider({ ...config.stripe, mode: 'stripe', scriptUrl: null });

  const [{ createSandbox }, { SANDBOX_PUBLISHABLE_KEY }, { SCRIPT_PATH }] = await Promise.all([
    import('./sandbox/sandbox.ts'),
    import('./sandbox/browser-face.ts'),
    import('./sandbox/script.ts'),
  ]);
  const sandbox = await createSandbox({ database, clock, log, withControl: config.sandboxControl });
  const provider = createStripeProvider({
    secretKey: sandbox.secretKey,
    publishableKey: SANDBOX_PUBLISHABLE_KEY,
    webhookSecrets: [sandbox.webhookSecret],
    mode: 'sandbox',
    scriptUrl: SCRIPT_PATH,
    fetch: sandbox.fetch,
  });
  return {
    ...provider,
    pruneEvents: sandbox.forgetEvents,
    routes: sandbox.routes,
    close: sandbox.close,
  };
}
