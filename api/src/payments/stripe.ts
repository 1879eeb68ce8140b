import type { PageConfig } from '@parts-forge/contract/identity';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { Problem } from '#src/platform/core/problem.ts';
import {
  type NewPayment,
  type PaymentEvent,
  type PaymentProvider,
  type PaymentStatus,
  ProviderError,
  type ProviderErrorKind,
  type ProviderPayment,
} from './provider.ts';

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
  const { mode, publishableKey, scriptUrl, webhookSecrets } = options;
  const account = openAccount(options);
  return {
    pageConfig: { mode, publishableKey, scriptUrl },
    createPayment: (payment) => createPayment(account, payment),
    findPayment: (id) => findPayment(account, id),
    cancelPayment: (id) => cancelPayment(account, id),
    refundPayment: (id) => refundPayment(account, id),
    async readEvent(rawBody, signature) {
      const { stripe } = await account.connect();
      return verifyEvent(stripe, webhookSecrets, rawBody, signature);
    },
  };
}

type Errors = (typeof Stripe)['errors'];
interface Connection {
  stripe: Stripe;
  errors: Errors;
}

/** An account at Stripe, as one of its keys opens it. */
interface Account {
  /** Whether its payments move money: a payment of the other mode is never taken for one of ours. */
  isLive: boolean;
  /** Loads the SDK, once. */
  connect(): Promise<Connection>;
  /** Makes a request. @throws ProviderError */
  ask<T>(request: (stripe: Stripe) => Promise<T>): Promise<T>;
}

function openAccount(options: StripeOptions): Account {
  let connection: Promise<Connection> | undefined;
  const connect = () => {
    connection ??= loadSdk(options);
    return connection;
  };
  return {
    isLive: options.secretKey.includes('_live_'),
    connect,
    async ask(request) {
      const { stripe, errors } = await connect();
      try {
        return await request(stripe);
      } catch (error) {
        throw toProviderError(error, errors);
      }
    },
  };
}

async function createPayment(account: Account, payment: NewPayment): Promise<ProviderPayment> {
  const idempotencyKey = createIdempotencyKey(payment);
  const intent = await account.ask((stripe) =>
    stripe.paymentIntents.create(toIntentParams(payment), { idempotencyKey }),
  );
  return toPayment(intent, account.isLive);
}

async function findPayment(account: Account, id: string): Promise<ProviderPayment | null> {
  try {
    const intent = await account.ask((stripe) =>
      stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }),
    );
    return toPayment(intent, account.isLive, id);
  } catch (error) {
    if (hasCode(error, 'resource_missing')) return null;
    throw error;
  }
}

async function cancelPayment(account: Account, id: string): Promise<ProviderPayment> {
  try {
    // The SDK makes a fresh idempotency key for each try: a saved 500 would otherwise be replayed for a day.
    const intent = await account.ask((stripe) => stripe.paymentIntents.cancel(id));
    return toPayment(intent, account.isLive, id);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'refused') throw error;
    // Refused means that it is past cancelling, in whatever words: its status says which.
    const payment = await findPayment(account, id);
    if (payment && pastCancelling.has(payment.status)) return payment;
    throw error;
  }
}

const pastCancelling: ReadonlySet<PaymentStatus> = new Set(['canceled', 'succeeded', 'processing']);

async function refundPayment(account: Account, id: string): Promise<void> {
  try {
    const refund = await account.ask((stripe) => stripe.refunds.create({ payment_intent: id }));
    if (refund.object !== 'refund') throw unusable(`no refund of ${id}`);
  } catch (error) {
    if (!hasCode(error, 'charge_already_refunded')) throw error;
  }
}

/** @throws Problem `bad-signature` when the event was signed with none of the secrets */
function verifyEvent(
  stripe: Stripe,
  secrets: readonly string[],
  rawBody: Buffer,
  signature: string | undefined,
): PaymentEvent {
  if (signature === undefined) throw new Problem('bad-signature');
  for (const secret of secrets) {
    let event: Stripe.Event;
    try {
      event = stripe.webhooks.constructEvent(rawBody, signature, secret);
    } catch {
      // The next secret may be the one.
      continue;
    }
    return checkEvent(event);
  }
  throw new Problem('bad-signature');
}

/** @throws Problem `bad-request` for what is signed and yet no event */
function checkEvent(event: Stripe.Event): PaymentEvent {
  const signed = signedEvent.safeParse(event);
  if (!signed.success) throw new Problem('bad-request');
  const { id, type } = signed.data;
  return { id, type, paymentId: readPaymentId(event) };
}

/** What the provider calls its objects, ours in the sandbox too. */
const providerId = /^[\w-]{1,255}$/;

const signedEvent = z.object({
  id: z.string().check(z.regex(providerId)),
  type: z.string().check(z.regex(/^[\w.]{1,255}$/)),
  data: z.object({ object: z.looseObject({}) }),
});

async function loadSdk({ secretKey, fetch }: StripeOptions): Promise<Connection> {
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
function toPayment(intent: Stripe.PaymentIntent, isLive: boolean, askedFor?: string): ProviderPayment {
  if (intent.object !== 'payment_intent' || typeof intent.id !== 'string' || !intent.id.startsWith('pi_')) {
    throw unusable('no payment intent');
  }
  if (askedFor !== undefined && intent.id !== askedFor) throw unusable(`another payment than ${askedFor}`);
  if (intent.livemode !== isLive) throw unusable(`a payment of the other mode, ${intent.id}`);
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
  return typeof id === 'string' && providerId.test(id) ? id : null;
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
