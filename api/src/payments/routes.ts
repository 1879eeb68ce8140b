import { MAX_JSON_BYTES } from '@parts-forge/contract/calls/bounds';
import {
  openPayment as openPaymentCall,
  readOrderPayment as readOrderPaymentCall,
  receivePaymentEvent,
  recordPayment as recordPaymentCall,
  refundOrder as refundOrderCall,
} from '@parts-forge/contract/money/payments';
import type { FastifyInstance } from 'fastify';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import { createTurns } from '#src/platform/core/turns.ts';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import { toWindow } from '#src/platform/http/limits/rate-limits.ts';
import { createPlaces, uploadPlaces } from '#src/platform/http/limits/upload-places.ts';
import { receiveEvent } from './events/receive-event.ts';
import { openPayment } from './open-payment.ts';
import type { PaymentServices } from './payment-services.ts';
import { readOrderPayment } from './read-order-payment.ts';
import { recordPayment } from './record-payment.ts';
import { refundOrder } from './refunds/refund-order.ts';

/** Refunds of a payment wait for each other with a connection each, and would take those of all requests. */
const MAX_REFUNDING = 4;

/** Stripe's events have a few kilobytes. */
const MAX_EVENT_BYTES = 256 * 1024;

export function registerPayments(app: FastifyInstance, services: PaymentServices): void {
  serveCall(app, openPaymentCall, async ({ actor, body: { price, order, orders } }) => {
    if (order !== undefined && orders !== undefined)
      throw invalidField('orders', 'Name one order, or several');
    const orderIds = orders ?? (order === undefined ? [] : [order]);
    return { clientSecret: await openPayment(services, actor, { price, orderIds }) };
  });

  serveCall(app, recordPaymentCall, ({ actor, params: { id }, body }) =>
    recordPayment(services, actor, id, body),
  );

  const takeTurn = createTurns(MAX_REFUNDING);
  const waitMs = services.config.requestTimeoutMs / 2;
  serveCall(app, refundOrderCall, async ({ actor, params: { id }, body, headers }) => {
    const endTurn = await takeTurn(AbortSignal.timeout(waitMs)).catch(() => {
      throw new Problem('overloaded', { retryAfterSeconds: 5 });
    });
    const refund = refundOrder(services, actor, id, body, headers['idempotency-key']).finally(endTurn);
    return { acknowledged: true, refund: await refund };
  });

  serveCall(app, readOrderPaymentCall, ({ params: { id } }) => readOrderPayment(services, id));

  registerEvents(app, services);
  const { payments } = services;
  if (payments.routes) app.register(async (scope) => payments.routes?.(scope));
  app.addHook('onClose', async () => payments.close?.());
}

function registerEvents(app: FastifyInstance, services: PaymentServices): void {
  // Events have places of their own: nobody needs to sign in here.
  const takePlace = createPlaces(uploadPlaces);
  // No parsers, as the signature covers the raw bytes.
  app.register(async (raw) => {
    const rateLimit = receivePaymentEvent.rateLimit && {
      rateLimit: toWindow(receivePaymentEvent.rateLimit),
    };
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    raw.post(
      receivePaymentEvent.path,
      {
        config: { call: receivePaymentEvent, ...rateLimit },
        bodyLimit: MAX_EVENT_BYTES,
        async preParsing({ headers }, reply) {
          const isLarge = Number(headers['content-length'] ?? 0) > MAX_JSON_BYTES;
          if (isLarge || headers['transfer-encoding']) await takePlace(reply.raw);
        },
      },
      async (request, reply) => {
        const signature = request.headers['stripe-signature'];
        if (!Buffer.isBuffer(request.body) || Array.isArray(signature)) throw new Problem('bad-signature');
        await receiveEvent(services, request.body, signature);
        reply.header('cache-control', 'no-store');
        return { received: true };
      },
    );
  });
}
