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
import { createStripeApi } from './stripe-api.ts';
import { registerStripeScript, SCRIPT_PATH } from './stripe-script.ts';

export interface CardSandboxOptions {
  /** A database with the table of `schema.ts`. */
  pool: Pool;
  clock: Clock;
  /** Hears of events that cannot be delivered. */
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** What the SDK is created with, `sk_test_…`. Random: whoever knows it may refund and cancel. */
  secretKey: string;
  /** What events are signed with, `whsec_…`. Random: whoever knows it may forge them. */
  webhookSecret: string;
  /** Opens the control endpoint, with which anybody can make calls fail and read all payments; for tests only. */
  withControl?: boolean;
  deliverEvent: DeliverEvent;
}

/** A card provider inside the merchant's own server that moves no money and behaves as Stripe does in test mode. */
export interface CardSandbox {
  /** What the page calls `Stripe()` with. */
  publishableKey: string;
  /** Where the page loads the stand-in for Stripe's script. */
  scriptUrl: string;
  /** Stripe's API: what the SDK is given in place of `fetch`. */
  fetch: typeof fetch;
  /** A Fastify plugin with `/sandbox/stripe/…`. Events are delivered from the moment when its server is ready. */
  routes(app: FastifyInstance): Promise<void>;
  /** Removes the events from before a moment that wait for no delivery, and responses that are too old to be repeated. */
  prune(before: Date): Promise<void>;
  /** Ends the delivery of events; what is under way finishes first. The rest waits for the next start. */
  close(): Promise<void>;
}

/** Several processes may each have one on the same database, with the same secrets. */
export function createCardSandbox(options: CardSandboxOptions): CardSandbox {
  const { pool, clock, log, secretKey, webhookSecret, deliverEvent } = options;
  const db = drizzle(pool);
  const control = options.withControl ? createControl(db, clock) : null;
  const deliveries = new DeliveryWorker({ db, clock, log, webhookSecret, control, deliverEvent });
  const dependencies = { db, clock, control, wakeDeliveries: () => deliveries.wake() };

  return {
    publishableKey: PUBLISHABLE_KEY,
    scriptUrl: SCRIPT_PATH,
    fetch: createStripeApi({ ...dependencies, secretKey }),
    async routes(app) {
      // Scopes of their own, as both take forms and the server around them probably does not.
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
