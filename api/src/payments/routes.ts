import type { Call } from '@parts-forge/contract/call';
import {
  acceptPayment as acceptPaymentCall,
  cancelOrder as cancelOrderCall,
} from '@parts-forge/contract/orders';
import {
  openPayment as openPaymentCall,
  recordPayment as recordPaymentCall,
  stripeWebhook,
} from '@parts-forge/contract/payments';
import type { FastifyInstance } from 'fastify';
import { acceptPayment } from '#src/orders/accept-payment.ts';
import { cancelOrder } from '#src/orders/cancel-order.ts';
import { Problem } from '#src/platform/http/problem.ts';
import { serveCall } from '#src/platform/http/serve-call.ts';
import type { Services } from '#src/services.ts';
import { openPayment } from './open-payment.ts';
import { ProviderFailure } from './provider.ts';
import { receiveEvent } from './receive-event.ts';
import { recordPayment } from './record-payment.ts';

/** Stripe's events are a few kilobytes; in bytes. */
const MAX_EVENT_BYTES = 256 * 1024;

/** Paying for orders, and the two moves of an order that depend on it. */
export function registerPayments(app: FastifyInstance, services: Services): void {
  serveCall(
    app,
    openPaymentCall,
    async ({ actor, body }) => ({
      clientSecret: await asProblem(openPayment(services, actor, { price: body.price, orderId: body.order })),
    }),
    { rateLimit: { max: 120, timeWindow: 60_000 } },
  );

  serveCall(app, recordPaymentCall, ({ actor, params: { id = '' }, body }) =>
    asProblem(recordPayment(services, actor, id, body)),
  );

  serveCall(app, cancelOrderCall, async ({ actor, params: { id = '' } }) => {
    await asProblem(cancelOrder(services, actor, id));
    return { deletedCount: 1 };
  });

  serveCall(app, acceptPaymentCall, async ({ params: { id = '' } }) => {
    await asProblem(acceptPayment(services, id));
    return { acknowledged: true };
  });

  // In a scope of its own: the signature is of the bytes, so nothing may parse them first.
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    raw.post(
      stripeWebhook.path,
      { config: { call: stripeWebhook as unknown as Call }, bodyLimit: MAX_EVENT_BYTES },
      async (request, reply) => {
        const signature = request.headers['stripe-signature'];
        if (!Buffer.isBuffer(request.body) || Array.isArray(signature)) throw new Problem('bad-signature');
        await asProblem(receiveEvent(services, request.body, signature));
        reply.header('cache-control', 'no-store');
        return { received: true };
      },
    );
  });

  const { payments } = services;
  if (payments.routes) app.register(async (scope) => payments.routes?.(scope));
  app.addHook('onClose', async () => payments.close?.());
}

/** A failure of the provider as the refusal that it means for the caller. */
async function asProblem<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw problemOf(error);
  }
}

function problemOf(failure: ProviderFailure): Problem {
  const problem = refusalOf(failure);
  problem.cause = failure;
  return problem;
}

function refusalOf(failure: ProviderFailure): Problem {
  switch (failure.kind) {
    case 'refused':
      return new Problem('payment-refused');
    case 'broken':
      return new Problem('provider-broken');
    case 'unreachable':
      return new Problem('unavailable', {
        detail: 'The payment provider does not answer. Try again in a moment.',
        retryAfterSeconds: 5,
      });
  }
}
