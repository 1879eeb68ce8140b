import { drizzle } from 'drizzle-orm/node-postgres';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { browserFace, SANDBOX_PUBLISHABLE_KEY } from './browser-api.ts';
import { challengePages } from './challenge-page.ts';
import type { Clock } from './clock.ts';
import { createControl } from './control.ts';
import { createDeliveries } from './delivery-worker.ts';
import { forgetOldAnswers } from './idempotency.ts';
import { deleteEventsBefore } from './object-store.ts';
import { createServerFace } from './stripe-api.ts';
import { browserScript, SCRIPT_PATH } from './stripe-script.ts';

export interface CardSandboxOptions {
  /** A database with the table of `schema.ts`. */
  pool: Pool;
  clock: Clock;
  /** Hears of events that cannot be delivered. */
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** What the SDK is made with, `sk_test_…`. Random: whoever knows it may refund and cancel. */
  secretKey: string;
  /** What events are signed with, `whsec_…`. Random: whoever knows it may forge them. */
  webhookSecret: string;
  /** Opens the control endpoint, with which anybody can make calls fail; for tests only. */
  withControl?: boolean;
  /**
   * Hands an event to the merchant's server, as the body of a webhook and its `Stripe-Signature`.
   * @returns the HTTP status of the answer; outside 200 to 299 the event is delivered again later, as it is when
   * this throws
   */
  deliverEvent(body: string, signature: string): Promise<number>;
}

/** A card provider inside the merchant's own server that moves no money and behaves as Stripe does in test mode. */
export interface CardSandbox {
  /** What the page calls `Stripe()` with. */
  publishableKey: string;
  /** Where the page loads the stand-in for Stripe's script. */
  scriptUrl: string;
  /** Stripe's API: the SDK's `fetch`. */
  fetch: typeof fetch;
  /** Removes events from before a moment that wait for no delivery, and responses that no repeat asks for any more. */
  pruneEvents(before: Date): Promise<void>;
  /** Registers `/sandbox/stripe/…`. Events are delivered from the moment when the server is ready. */
  routes(app: FastifyInstance): Promise<void>;
  /** Ends the delivery of events; what is under way finishes first. What was not delivered is when it starts again. */
  close(): Promise<void>;
}

export function createCardSandbox(options: CardSandboxOptions): CardSandbox {
  const { pool, clock, log, secretKey, webhookSecret, deliverEvent } = options;
  const db = drizzle(pool);
  const onChange = () => deliveries.wake();
  const control = options.withControl ? createControl({ db, clock }, onChange) : null;
  const deliveries = createDeliveries({ db, clock, webhookSecret, control, log });
  const face = { db, clock, control, onChange };

  return {
    publishableKey: SANDBOX_PUBLISHABLE_KEY,
    scriptUrl: SCRIPT_PATH,
    fetch: createServerFace({ ...face, secretKey }),
    async pruneEvents(before) {
      await deleteEventsBefore(db, before);
      await forgetOldAnswers(db, clock.now());
    },
    async routes(app) {
      app.register((scope) => browserFace(scope, face));
      app.register((scope) => challengePages(scope, face));
      app.register(browserScript);
      control?.routes(app);
      app.addHook('onReady', async () => deliveries.start(deliverEvent));
    },
    close: () => deliveries.close(),
  };
}
