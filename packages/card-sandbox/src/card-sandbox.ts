import { drizzle } from 'drizzle-orm/node-postgres';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { PUBLISHABLE_KEY, registerBrowserApi } from './browser-api.ts';
import { registerChallengePage } from './challenge-page.ts';
import type { Clock } from './clock.ts';
import { createControl } from './control.ts';
import { registerControlApi } from './control-api.ts';
import { type DeliverEvent, DeliveryWorker } from './delivery-worker.ts';
import { pruneResponses } from './idempotency.ts';
import { pruneEvents } from './object-store.ts';
import type { Money } from './request-context.ts';
import { createStripeApi } from './stripe-api.ts';
import { registerStripeScript, SCRIPT_PATH } from './stripe-script.ts';

export interface CardSandboxOptions {
  pool: Pool;
  clock: Clock;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** `sk_test_…`. Random: its holder may refund and cancel. */
  secretKey: string;
  /** `whsec_…`. Random: its holder can forge events. */
  webhookSecret: string;
  /** For tests only: then any client can inject faults and read all payments. */
  withControl?: boolean;
  money: Money;
  deliverEvent: DeliverEvent;
}

/** Moves no money, behaves like Stripe in test mode. */
export interface CardSandbox {
  publishableKey: string;
  scriptUrl: string;
  /** Give it to the SDK as its HTTP client. */
  fetch: typeof fetch;
  /** A Fastify plugin. Deliveries start when its server is ready. */
  routes(app: FastifyInstance): Promise<void>;
  prune(before: Date): Promise<void>;
  /** The rest waits for the next start. */
  close(): Promise<void>;
}

/** Several processes may share one database with the same secrets. */
export function createCardSandbox(options: CardSandboxOptions): CardSandbox {
  const { pool, clock, log, secretKey, webhookSecret, money, deliverEvent } = options;
  const db = drizzle(pool);
  const control = options.withControl ? createControl(db, clock) : null;
  const deliveries = new DeliveryWorker({ db, clock, log, webhookSecret, control, deliverEvent });
  const dependencies = { db, clock, control, money, wakeDeliveries: () => deliveries.wake() };

  return {
    publishableKey: PUBLISHABLE_KEY,
    scriptUrl: SCRIPT_PATH,
    fetch: createStripeApi({ ...dependencies, secretKey }),
    async routes(app) {
      // Separate scopes: both parse forms, and the merchant's server probably does not.
      app.register(async (scope) => registerBrowserApi(scope, dependencies));
      app.register(async (scope) => registerChallengePage(scope, dependencies));
      app.register(registerStripeScript);
      if (control) registerControlApi(app, { ...dependencies, control });
      app.addHook('onReady', async () => deliveries.start());
    },
    async prune(before) {
      await pruneEvents(db, before);
      await pruneResponses(db, clock.now());
    },
    close: () => deliveries.close(),
  };
}
