import type { PageConfig } from '@parts-forge/contract/identity';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { Problem } from '#src/platform/core/problem.ts';
import {
  type NewPayment,
  type NewRefund,
  type PaymentEvent,
  type PaymentProvider,
  type PaymentStatus,
  type ProviderDispute,
  ProviderError,
  type ProviderErrorKind,
  type ProviderPayment,
  type ProviderRefund,
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
  /** Origin of a server in place of Stripe's; null or absent: Stripe's. */
  apiUrl?: string | null;
}

/** Stripe's own advice is to wait long; a customer waits at the other end: 17 seconds at most, all tries together. */
const TIMEOUT_MS = 5_000;
const RETRIES = 2;
/** Of one look at what has happened. */
const MAX_EVENTS = 5000;

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
    createRefund: (refund) => createRefund(account, refund),
    listRefunds: (paymentId) => listRefunds(account, paymentId),
    listDisputes: (paymentId) => listDisputes(account, paymentId),
    listEvents: (since, types) => listEvents(account, since, types),
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
    if (isMissing(error)) return null;
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

async function createRefund(
  account: Account,
  { paymentId, amountCents, refundId, shop, attempt }: NewRefund,
): Promise<ProviderRefund | null> {
  try {
    const refund = await account.ask((stripe) =>
      stripe.refunds.create(
        { payment_intent: paymentId, amount: amountCents, metadata: { refundId, shop } },
        { idempotencyKey: `refund:${shop}:${refundId}:${attempt}` },
      ),
    );
    return toRefund(refund);
  } catch (error) {
    if (hasCode(error, 'charge_already_refunded')) return null;
    throw error;
  }
}

async function listRefunds(account: Account, paymentId: string): Promise<ProviderRefund[]> {
  const page = await listPage(account, (stripe) =>
    stripe.refunds.list({ payment_intent: paymentId, limit: 100 }),
  );
  // A server that does not know the filter lists those of others, too.
  const own = page?.data.filter((refund) => refund.payment_intent === paymentId);
  return own?.map(toRefund) ?? [];
}

async function listDisputes(account: Account, paymentId: string): Promise<ProviderDispute[]> {
  const page = await listPage(account, (stripe) =>
    stripe.disputes.list({ payment_intent: paymentId, limit: 100 }),
  );
  const own = page?.data.filter((dispute) => dispute.payment_intent === paymentId);
  return own?.map(toDispute) ?? [];
}

async function listEvents(
  account: Account,
  since: Date,
  types: readonly string[],
): Promise<PaymentEvent[] | null> {
  const search = { created: { gte: Math.floor(since.getTime() / 1000) }, types: [...types], limit: 100 };
  const events: Stripe.Event[] = [];
  let last: string | undefined;
  do {
    const after = last === undefined ? {} : { starting_after: last };
    const page = await listPage(account, (stripe) => stripe.events.list({ ...search, ...after }));
    if (!page) return null;
    events.push(...page.data);
    last = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (last !== undefined && events.length < MAX_EVENTS);
  // What cannot be read is left out, so that the others are heard of.
  return events.flatMap((event) => parseEvent(event) ?? []).reverse();
}

/**
 * A page of a list; null where the provider has none of that kind. Not every server that speaks the protocol says so
 * by an error that the SDK takes for one, so the answer is looked at, too.
 */
async function listPage<T>(
  account: Account,
  request: (stripe: Stripe) => Promise<Stripe.ApiList<T>>,
): Promise<Stripe.ApiList<T> | null> {
  try {
    const page = await account.ask(request);
    return Array.isArray(page.data) ? page : null;
  } catch (error) {
    // A restricted key may lack the right; the shop does without, as it hears of everything in other ways, too.
    if (isMissing(error) || hasCode(error, NOT_PERMITTED)) return null;
    throw error;
  }
}

/**
 * @throws Problem `bad-signature` when the event was signed with none of the secrets, `bad-request` for what is signed
 *   and yet no event
 */
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
    const signed = parseEvent(event);
    if (!signed) throw new Problem('bad-request');
    return signed;
  }
  throw new Problem('bad-signature');
}

/** Null for what is no event. */
function parseEvent(event: Stripe.Event): PaymentEvent | null {
  const parsed = eventSchema.safeParse(event);
  if (!parsed.success) return null;
  const { id, type, created } = parsed.data;
  const createdAt = created === undefined ? null : new Date(created * 1000);
  return { id, type, paymentId: readPaymentId(event), createdAt };
}

/** What the provider calls its objects, ours in the sandbox too. */
const providerId = /^[\w-]{1,255}$/;

const MAX_DATE_SECONDS = 8.64e12;

const eventSchema = z.object({
  id: z.string().check(z.regex(providerId)),
  type: z.string().check(z.regex(/^[\w.]{1,255}$/)),
  /** Unix seconds, of the years that a Date has. */
  created: z.optional(z.int().check(z.gte(0), z.lte(MAX_DATE_SECONDS))),
  data: z.object({ object: z.looseObject({}) }),
});

async function loadSdk({ secretKey, fetch, apiUrl }: StripeOptions): Promise<Connection> {
  // The SDK prints the provider's notices to standard error unless this says no; it has no option for it.
  process.env.STRIPE_SUPPRESS_NOTICES = 'true';
  const { default: StripeSdk } = await import('stripe');
  const stripe = new StripeSdk(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(apiUrl && toAddress(new URL(apiUrl))),
    ...(fetch && { httpClient: StripeSdk.createFetchHttpClient(fetch) }),
  });
  return { stripe, errors: StripeSdk.errors };
}

/** How the SDK is told of another server: always with a port. */
const toAddress = ({ protocol, hostname, port }: URL) =>
  protocol === 'http:'
    ? { protocol: 'http' as const, host: hostname, port: port || '80' }
    : { protocol: 'https' as const, host: hostname, port: port || '443' };

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
    refundedCents: charge?.amount_refunded ?? (charge?.refunded ? intent.amount_received : 0),
    disputed: charge?.disputed ?? false,
    card: readCard(charge),
  };
}

function readCard(charge: Stripe.Charge | null): ProviderPayment['card'] {
  const card = charge?.payment_method_details?.card;
  return card ? { kind: card.brand ?? 'unknown', last4: card.last4 ?? '' } : null;
}

/** @throws ProviderError `broken` for an answer that is no refund */
function toRefund(refund: Stripe.Refund): ProviderRefund {
  if (refund.object !== 'refund' || typeof refund.id !== 'string' || !Number.isInteger(refund.amount)) {
    throw unusable('no refund');
  }
  return {
    id: refund.id,
    amountCents: refund.amount,
    state: refundStates[refund.status ?? 'pending'] ?? 'pending',
    refundId: refund.metadata?.refundId ?? null,
  };
}

/** A status that is not known is not taken for the end. */
const refundStates: Readonly<Record<string, ProviderRefund['state']>> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

/** An inquiry that was closed without a dispute is won; a status that is not known is open. */
function toDispute(dispute: Stripe.Dispute): ProviderDispute {
  const isOver = ['won', 'warning_closed', 'prevented'].includes(dispute.status);
  const state = dispute.status === 'lost' ? 'lost' : isOver ? 'won' : 'open';
  return { id: dispute.id, amountCents: dispute.amount, state };
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

/** The payment that an event is about: its own id, or the one that a charge, a refund or a dispute belongs to. */
function readPaymentId(event: Stripe.Event): string | null {
  const about = event.data.object as { object?: unknown; id?: unknown; payment_intent?: unknown };
  const id = about.object === 'payment_intent' ? about.id : about.payment_intent;
  return typeof id === 'string' && providerId.test(id) ? id : null;
}

const unusable = (what: string) =>
  new ProviderError('broken', `The payment provider's answer cannot be used: ${what}.`);

function toProviderError(error: unknown, errors: Errors): unknown {
  if (!(error instanceof errors.StripeError)) return error;
  const code = error.code ?? codesByStatus[error.statusCode ?? 0] ?? null;
  return new ProviderError(classify(error, errors), error.message, code, error);
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

const NOT_PERMITTED = 'not_permitted';
/** What a failure means that has no code of its own. */
const codesByStatus: Readonly<Record<number, string>> = { 403: NOT_PERMITTED, 404: 'resource_missing' };

/** The provider has no such thing; not every server that speaks the protocol gives a code with its 404. */
const isMissing = (error: unknown): boolean => hasCode(error, 'resource_missing');

/** The provider's own code of a failure, such as `resource_missing`. */
const hasCode = (error: unknown, code: string): boolean =>
  error instanceof ProviderError && error.providerCode === code;
