import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type Stripe from 'stripe';
import { ApiError, invalidRequest, parameterMissing } from './api-error.ts';
import { confirmIntent } from './confirm-intent.ts';
import { type Dependencies, inTransaction } from './dependencies.ts';
import { acceptForms, readFormBody } from './form-body.ts';
import { type Form, parseForm, readString } from './form-encoding.ts';
import { retrieveIntent } from './payment-intents.ts';
import type { RequestContext } from './request-context.ts';

export const PUBLISHABLE_KEY = 'pk_test_sandbox';

const MAX_FORM_BYTES = 16 * 1024;

/** The two calls of Stripe's script. Refuses card numbers and secret keys. */
export function registerBrowserApi(app: FastifyInstance, dependencies: Dependencies): void {
  acceptForms(app, MAX_FORM_BYTES);

  app.get<{ Params: { id: string } }>('/sandbox/stripe/v1/payment_intents/:id', async (request, reply) => {
    const { status, body } = await runRequest(dependencies, async (context) => {
      const query = parseForm(new URL(request.url, 'http://sandbox').search.slice(1));
      checkPublishableKey(request, query);
      return retrieveOwnIntent(context, request.params.id, query);
    });
    return reply.code(status).header('cache-control', 'no-store').send(body);
  });

  app.post<{ Params: { id: string } }>(
    '/sandbox/stripe/v1/payment_intents/:id/confirm',
    async (request, reply) => {
      const { id } = request.params;
      const { status, body } = await runRequest(dependencies, async (context) => {
        const form = parseForm(readFormBody(request));
        checkPublishableKey(request, form);
        rejectCardNumbers(form);
        await retrieveOwnIntent(context, id, form);
        return confirmIntent(context, id, readTestToken(form));
      });
      dependencies.wakeDeliveries();
      return reply.code(status).header('cache-control', 'no-store').send(body);
    },
  );
}

/** A refusal commits too, so a declined charge stays stored. */
async function runRequest(
  dependencies: Dependencies,
  work: (context: RequestContext) => Promise<Stripe.PaymentIntent>,
): Promise<{ status: number; body: object }> {
  return inTransaction(dependencies, async (context) => {
    try {
      return { status: 200, body: toPublicIntent(await work(context)) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { payment_intent: intent, ...details } = error.details;
      return {
        status: error.status,
        body: { error: { ...details, ...(intent && { payment_intent: toPublicIntent(intent) }) } },
      };
    }
  });
}

/** Only the merchant may read metadata. */
function toPublicIntent(intent: Stripe.PaymentIntent): object {
  const { metadata: _metadata, latest_charge: _charge, application: _application, ...visible } = intent;
  return visible;
}

/** @throws ApiError 401, and 403 for an exposed secret key */
function checkPublishableKey(request: FastifyRequest, form: Form): void {
  const key = request.headers.authorization?.replace(/^Bearer /i, '') ?? readString(form, 'key') ?? '';
  if (/^[sr]k_/.test(key)) {
    throw invalidRequest(
      'This API call cannot be made with a secret API key. Please use a publishable API key.',
      { code: 'secret_key_not_allowed' },
      403,
    );
  }
  if (key !== PUBLISHABLE_KEY) throw invalidRequest('Invalid API Key provided.', {}, 401);
}

/** @throws ApiError for another client secret */
async function retrieveOwnIntent(
  context: RequestContext,
  id: string,
  form: Form,
): Promise<Stripe.PaymentIntent> {
  const intent = await retrieveIntent(context, id);
  const clientSecret = readString(form, 'client_secret');
  if (clientSecret === undefined) throw parameterMissing('client_secret');
  const [given, expected] = [Buffer.from(clientSecret), Buffer.from(intent.client_secret ?? '')];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw invalidRequest(
      'The client_secret provided does not match the client_secret associated with the PaymentIntent.',
      { code: 'payment_intent_invalid_parameter', param: 'client_secret' },
    );
  }
  return intent;
}

/** @throws ApiError */
function rejectCardNumbers(form: Form): void {
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

/** @throws ApiError */
function readTestToken(form: Form): string {
  const method = readString(form, 'payment_method');
  if (method !== undefined) return method;
  const data = form.payment_method_data;
  const card = typeof data === 'object' ? data.card : undefined;
  const token = typeof card === 'object' ? readString(card, 'token') : undefined;
  if (token === undefined) {
    throw invalidRequest('You cannot confirm this PaymentIntent because it’s missing a payment method.', {
      code: 'parameter_missing',
      param: 'payment_method',
    });
  }
  return token;
}
