import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type Stripe from 'stripe';
import { invalidRequest, SandboxRefusal } from './api-error.ts';
import type { Clock } from './clock.ts';
import { confirmIntent } from './confirm-intent.ts';
import type { Control } from './control.ts';
import type { Database } from './database.ts';
import { type Form, readForm, textOf } from './form-encoding.ts';
import { readIntent } from './payment-intents.ts';
import type { Step } from './request-context.ts';

/** Not a secret: it only says that the caller is a browser (contract, "Ground rules"). */
export const SANDBOX_PUBLISHABLE_KEY = 'pk_test_sandbox';

const MAX_FORM_BYTES = 16 * 1024;

export interface BrowserFaceNeeds {
  db: Database;
  clock: Clock;
  control: Control | null;
  onChange(): void;
}

/**
 * What Stripe's script asks of Stripe: exactly two calls, with the publishable key and the payment's client
 * secret. A card number is refused, a secret key too: neither has any business here.
 */
export async function browserFace(app: FastifyInstance, needs: BrowserFaceNeeds): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    (_request, body, done) => done(null, body),
  );

  app.get('/sandbox/stripe/v1/payment_intents/:id', async (request, reply) => {
    const query = readForm(new URL(request.url, 'http://sandbox').search.slice(1));
    const { status, body } = await answer(needs, async (step) => {
      checkPublishableKey(request, query);
      return authorised(await readIntent(step, idOf(request)), query);
    });
    return reply.code(status).header('cache-control', 'no-store').send(body);
  });

  app.post('/sandbox/stripe/v1/payment_intents/:id/confirm', async (request, reply) => {
    const { status, body } = await answer(needs, async (step) => {
      const form = readForm(typeof request.body === 'string' ? request.body : '');
      checkPublishableKey(request, form);
      refuseCardNumbers(form);
      authorised(await readIntent(step, idOf(request)), form);
      return confirmIntent(step, idOf(request), tokenOf(form));
    });
    needs.onChange();
    return reply.code(status).header('cache-control', 'no-store').send(body);
  });
}

/** One transaction. A refusal is an answer like another: what was written before it (a declined charge) stays. */
async function answer(
  { db, clock, control }: BrowserFaceNeeds,
  work: (step: Step) => Promise<Stripe.PaymentIntent>,
): Promise<{ status: number; body: object }> {
  const processing = (await control?.isProcessing()) ?? false;
  return db.transaction(async (tx) => {
    try {
      return { status: 200, body: publicView(await work({ tx, now: clock.now(), processing })) };
    } catch (error) {
      if (!(error instanceof SandboxRefusal)) throw error;
      const { payment_intent: intent, ...rest } = error.error;
      return {
        status: error.status,
        body: { error: { ...rest, ...(intent && { payment_intent: publicView(intent) }) } },
      };
    }
  });
}

const idOf = (request: FastifyRequest) => (request.params as { id: string }).id;

/** What the holder of a client secret may see of a payment: not what the shop has noted on it. */
function publicView(intent: Stripe.PaymentIntent): object {
  const { metadata: _metadata, latest_charge: _charge, application: _application, ...visible } = intent;
  return visible;
}

function checkPublishableKey(request: FastifyRequest, form: Form): void {
  const key = request.headers.authorization?.replace(/^Bearer /i, '') ?? textOf(form, 'key') ?? '';
  if (/^[sr]k_/.test(key)) {
    throw invalidRequest(
      'This API call cannot be made with a secret API key. Please use a publishable API key.',
      { code: 'secret_key_not_allowed' },
      403,
    );
  }
  if (key !== SANDBOX_PUBLISHABLE_KEY) throw invalidRequest('Invalid API Key provided.', {}, 401);
}

/** @throws SandboxRefusal without the payment's own client secret */
function authorised(intent: Stripe.PaymentIntent, form: Form): Stripe.PaymentIntent {
  const given = textOf(form, 'client_secret');
  if (given === undefined) {
    throw invalidRequest('Missing required param: client_secret.', {
      code: 'parameter_missing',
      param: 'client_secret',
    });
  }
  const [a, b] = [Buffer.from(given), Buffer.from(intent.client_secret ?? '')];
  if (a.length !== b.length || !timingSafeEqual(a, b)) {
    throw invalidRequest(
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
      {
        code: 'payment_intent_invalid_parameter',
        param: 'client_secret',
      },
    );
  }
  return intent;
}

function refuseCardNumbers(form: Form): void {
  const data = form.payment_method_data;
  for (const holder of [form, typeof data === 'object' ? data : {}]) {
    const { card } = holder;
    if (typeof card === 'object' && ['number', 'cvc', 'exp_month', 'exp_year'].some((name) => name in card)) {
      throw invalidRequest(
        'Sending credit card numbers to the server is unsafe. Use a test token such as pm_card_visa.',
        { param: 'payment_method_data[card][number]' },
      );
    }
  }
}

/** The test card: `payment_method`, or the form that the stand-in script sends. */
function tokenOf(form: Form): string {
  const method = textOf(form, 'payment_method');
  if (method !== undefined) return method;
  const data = form.payment_method_data;
  const card = typeof data === 'object' ? data.card : undefined;
  const token = typeof card === 'object' ? textOf(card, 'token') : undefined;
  if (token === undefined) {
    throw invalidRequest('You cannot confirm this PaymentIntent because it’s missing a payment method.', {
      code: 'parameter_missing',
      param: 'payment_method',
    });
  }
  return token;
}
