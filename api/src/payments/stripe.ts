import type { PageConfig } from '@parts-forge/contract/identity';
import type Stripe from 'stripe';
import { Problem } from '#src/platform/core/problem.ts';
import type { NewPayment, PaymentProvider, PaymentStatus, ProviderPayment } from './provider.ts';
import { ProviderError, type ProviderErrorKind } from './provider.ts';

export interface StripeOptions {
  secretKey: string;
  publishableKey: string;
  /** More than one while a secret is being changed. */
  webhookSecrets: readonly string[];
  mode: PageConfig['payments']['mode'];
  /** A script that the page loads before Stripe's own wrapper asks for `window.Stripe`; null for Stripe's. */
  scriptUrl: string | null;
  /** How Stripe is reached; absent: over the network. */
  fetch?: typeof fetch;
}

/** Stripe's own advice is to wait long; a customer waits at the other end: 17 seconds at most, all tries together. */
const TIMEOUT_MS = 5_000;
const RETRIES = 2;

/**
 * The card provider on Stripe's SDK. The SDK is loaded with the first payment, as no page needs it before.
 * Each answer is checked for being what was asked for: the SDK itself takes any JSON.
 */
export function createStripeProvider(options: StripeOptions): PaymentProvider {
  let connecting: Promise<Connection> | undefined;
  const connection = () => {
    connecting ??= connect(options);
    return connecting;
  };
  const livemode = options.secretKey.includes('_live_');

  async function ask<T>(question: (connection: Connection) => Promise<T>): Promise<T> {
    const connected = await connection();
    try {
      return await question(connected);
    } catch (error) {
      throw toProviderError(error, connected.errors);
    }
  }

  async function findPayment(id: string): Promise<ProviderPayment | null> {
    try {
      const found = await ask(({ stripe }) =>
        stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }),
      );
      return toPayment(found, livemode, id);
    } catch (error) {
      if (hasCode(error, 'resource_missing')) return null;
      throw error;
    }
  }

  return {
    pageConfig: {
      mode: options.mode,
      publishableKey: options.publishableKey,
      scriptUrl: options.scriptUrl,
    },
    findPayment,

    async createPayment(payment) {
      const created = await ask(({ stripe }) =>
        stripe.paymentIntents.create(toIntentParams(payment), {
          idempotencyKey: createIdempotencyKey(payment),
        }),
      );
      return toPayment(created, livemode);
    },

    async cancelPayment(id) {
      try {
        // The SDK makes a fresh idempotency key for each try: a saved 500 would otherwise be replayed for a day.
        const canceled = await ask(({ stripe }) => stripe.paymentIntents.cancel(id));
        return toPayment(canceled, livemode, id);
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== 'refused') throw error;
        // Refused means that it is past cancelling, in whatever words: its status says which.
        const found = await findPayment(id);
        if (
          found &&
          (found.status === 'canceled' || found.status === 'succeeded' || found.status === 'processing')
        ) {
          return found;
        }
        throw error;
      }
    },

    async refundPayment(id) {
      try {
        const refund = await ask(({ stripe }) => stripe.refunds.create({ payment_intent: id }));
        if (refund.object !== 'refund') throw unusable(`no refund of ${id}`);
      } catch (error) {
        if (!hasCode(error, 'charge_already_refunded')) throw error;
      }
    },

    async readEvent(rawBody, signature) {
      const { stripe } = await connection();
      if (signature === undefined) throw new Problem('bad-signature');
      for (const secret of options.webhookSecrets) {
        try {
          const event = stripe.webhooks.constructEvent(rawBody, signature, secret);
          return { id: event.id, type: event.type, paymentId: readPaymentId(event) };
        } catch {
          // The next secret may be the one.
        }
      }
      throw new Problem('bad-signature');
    },
  };
}

type Errors = (typeof Stripe)['errors'];
interface Connection {
  stripe: Stripe;
  errors: Errors;
}

async function connect({ secretKey, fetch }: StripeOptions): Promise<Connection> {
  // The SDK prints the provider's notices to standard error unless this says no; it has no option for it.
  process.env.STRIPE_SUPPRESS_NOTICES = 'true';
  const { default: StripeSdk } = await import('stripe');
  const stripe = new StripeSdk(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(fetch && { httpClient: StripeSdk.createFetchHttpClient(fetch) }),
  });
  return { stripe, errors: StripeSdk.errors };
}

/** Everything comes from the order's row, which never changes, so that a repeat under the key is the same request. */
const toIntentParams = (payment: NewPayment): Stripe.PaymentIntentCreateParams => ({
  amount: payment.amountCents,
  currency: payment.currency,
  allowed_payment_method_types: ['card'],
  description: payment.description,
  receipt_email: payment.email,
  metadata: { orderId: payment.orderId, shop: payment.shop, attempt: String(payment.attempt) },
});

const createIdempotencyKey = ({ shop, orderId, attempt }: NewPayment) => `pi:${shop}:${orderId}:${attempt}`;

/** @throws ProviderError `broken` for an answer that is not the payment that was asked for */
function toPayment(intent: Stripe.PaymentIntent, livemode: boolean, askedFor?: string): ProviderPayment {
  if (intent.object !== 'payment_intent' || typeof intent.id !== 'string' || !intent.id.startsWith('pi_')) {
    throw unusable('no payment intent');
  }
  if (askedFor !== undefined && intent.id !== askedFor) throw unusable(`another payment than ${askedFor}`);
  if (intent.livemode !== livemode) throw unusable(`a payment of the other mode, ${intent.id}`);
  const status = statuses.find((known) => known === intent.status);
  if (!status || !Number.isInteger(intent.amount) || !Number.isInteger(intent.amount_received)) {
    throw unusable(`an unreadable payment, ${intent.id}`);
  }
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    status,
    amountCents: intent.amount,
    receivedCents: intent.amount_received,
    currency: intent.currency,
    orderId: intent.metadata?.orderId ?? null,
    shop: intent.metadata?.shop ?? null,
    refunded: charge !== null && (charge.refunded || charge.amount_refunded > 0),
    disputed: charge?.disputed ?? false,
  };
}

const statuses = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'processing',
  'requires_capture',
  'succeeded',
  'canceled',
] as const satisfies readonly PaymentStatus[];

/** The payment that an event is about: its own id, or the one that a charge or a refund belongs to. */
function readPaymentId(event: Stripe.Event): string | null {
  const about = event.data.object as { object?: unknown; id?: unknown; payment_intent?: unknown };
  const id = about.object === 'payment_intent' ? about.id : about.payment_intent;
  return typeof id === 'string' ? id : null;
}

const unusable = (what: string) =>
  new ProviderError('broken', `The payment provider's answer cannot be used: ${what}.`);

function toProviderError(error: unknown, errors: Errors): unknown {
  if (!(error instanceof errors.StripeError)) return error;
  return new ProviderError(classify(error, errors), error.message, error.code ?? null, error);
}

function classify(error: InstanceType<Errors['StripeError']>, errors: Errors): ProviderErrorKind {
  if (error instanceof errors.StripeConnectionError || error instanceof errors.StripeRateLimitError) {
    return 'unreachable';
  }
  // Another request holds the key or the payment: nothing definite was said about this one.
  if (error.statusCode === 409) return 'unreachable';
  const isRefusal =
    error instanceof errors.StripeInvalidRequestError || error instanceof errors.StripeCardError;
  return isRefusal ? 'refused' : 'broken';
}

/** The provider's own code of a failure, such as `resource_missing`. */
const hasCode = (error: unknown, code: string): boolean =>
  error instanceof ProviderError && error.providerCode === code;
