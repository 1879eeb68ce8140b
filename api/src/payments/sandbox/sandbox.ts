import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Clock } from '#src/platform/core/clock.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { ensureSecret } from '#src/platform/database/metadata.ts';
import { browserFace } from './browser-face.ts';
import { challengePages } from './challenge.ts';
import { type Control, createControl } from './control.ts';
import { createDeliveries } from './deliveries.ts';
import { forgetOldAnswers } from './idempotency.ts';
import { browserScript } from './script.ts';
import { createServerFace } from './server-face.ts';
import { deleteEventsBefore } from './store.ts';

/** A card provider inside the shop that moves no money and behaves as Stripe does in its test mode. */
export interface Sandbox {
  secretKey: string;
  webhookSecret: string;
  fetch: typeof fetch;
  /** Null unless it was asked for; never in production. */
  control: Control | null;
  /** Removes events from before a moment that wait for no delivery, and answers that no repeat asks for any more. */
  forgetEvents(before: Date): Promise<void>;
  routes(app: FastifyInstance): Promise<void>;
  /** Resolves when every event that is due was sent. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Its secrets are random and kept in the database: with constants anybody could forge a webhook. */
export async function createSandbox(needs: {
  database: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  withControl: boolean;
}): Promise<Sandbox> {
  const { database, clock, log } = needs;
  const [key, webhook] = await Promise.all([
    ensureSecret(database.db, 'sandbox_secret_key'),
    ensureSecret(database.db, 'sandbox_webhook_secret'),
  ]);
  const secretKey = `sk_test_${key}`;
  const webhookSecret = `whsec_${webhook}`;
  const onChange = () => deliveries.wake();
  const control = needs.withControl ? createControl({ database, clock }, onChange) : null;
  const deliveries = createDeliveries({ database, clock, webhookSecret, control, log });
  const face = { database, clock, control, onChange };

  return {
    secretKey,
    webhookSecret,
    fetch: createServerFace({ ...face, secretKey }),
    control,
    async forgetEvents(before) {
      await deleteEventsBefore(database.db, before);
      await forgetOldAnswers(database.db, clock.now());
    },
    async routes(app) {
      app.register((scope) => browserFace(scope, face));
      app.register((scope) => challengePages(scope, face));
      app.register(browserScript);
      control?.routes(app);
      app.addHook('onReady', async () => {
        deliveries.start((body, signature) => post(app, body, signature));
      });
    },
    idle: () => deliveries.idle(),
    close: () => deliveries.close(),
  };
}

/** Into the app itself: the same bytes on the same route as from outside, without a port to know. */
async function post(app: FastifyInstance, body: string, signature: string): Promise<number> {
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/webhooks/stripe',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    payload: body,
  });
  return statusCode;
}
