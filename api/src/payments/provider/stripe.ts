import { createHash } from 'node:crypto';
import type { PageConfig } from '@parts-forge/contract/people/identity';
import type Stripe from 'stripe';
import { Problem } from '#src/platform/core/problem.ts';
import {
  type ListedPayment,
  type NewPayment,
  type NewRefund,
  type PaymentEvent,
  type PaymentProvider,
  type PaymentStatus,
  type ProviderDispute,
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
  sumBack,
} from './provider.ts';
import { hasCode, isMissing, NOT_PERMITTED, type StripeErrors, toProviderError } from './stripe-errors.ts';
import { parseEvent, toDispute, toIntentParams, toListed, toPayment, toRefund } from './stripe-objects.ts';

export interface StripeOptions {
  secretKey: string;
  publishableKey: string;
  webhookSecrets: readonly string[];
  mode: PageConfig['payments']['mode'];
  /** Loaded before Stripe's wrapper asks for `window.Stripe`. */
  scriptUrl: string | null;
  fetch?: typeof fetch;
  apiUrl?: string | null;
}

/** A customer waits, so all attempts end after 17 s. If TLS never completes, the SDK takes twice as long. */
const TIMEOUT_MS = 5_000;
const RETRIES = 2;
/** Loads the SDK with the first payment. Checks every response, as the SDK accepts any JSON. */
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
    listPayments: (from, until) => listPayments(account, from, until),
    listEvents: (since, types) => listEvents(account, since, types),
    async readEvent(rawBody, signature) {
      const connection = await account.connect();
      return verifyEvent(connection, webhookSecrets, rawBody, signature);
    },
  };
}

export interface Connection {
  stripe: Stripe;
  errors: StripeErrors;
}

interface Account {
  /** Payments of the other mode are rejected. */
  isLive: boolean;
  connect(): Promise<Connection>;
  /** @throws ProviderError */
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

/** A key has 255 characters at most. */
function createIdempotencyKey({ shop, orders }: NewPayment): string {
  const attempts = orders.map(({ id, attempt }) => `${id}:${attempt}`).join();
  const name = orders.length === 1 ? attempts : createHash('sha256').update(attempts).digest('hex');
  return `pi:${shop}:${name}`;
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
    // The SDK creates a key per attempt; with one key, Stripe would replay a 500 for a day.
    const intent = await account.ask((stripe) => stripe.paymentIntents.cancel(id));
    return toPayment(intent, account.isLive, id);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'refused') throw error;
    // Refusals differ in wording, so the status decides.
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
  const refunds = await listAll(account, (stripe, page) =>
    stripe.refunds.list({ payment_intent: paymentId, ...page }),
  );
  // Servers without this filter list other payments' refunds.
  const own = refunds?.filter((refund) => refund.payment_intent === paymentId);
  return own?.map(toRefund) ?? [];
}

async function listDisputes(account: Account, paymentId: string): Promise<ProviderDispute[]> {
  const disputes = await listAll(account, (stripe, page) =>
    stripe.disputes.list({ payment_intent: paymentId, ...page }),
  );
  const own = disputes?.filter((dispute) => dispute.payment_intent === paymentId);
  return own?.map(toDispute) ?? [];
}

async function listPayments(account: Account, from: Date, until: Date): Promise<ListedPayment[] | null> {
  const [gte, lt] = [from, until].map((at) => Math.floor(at.getTime() / 1000)) as [number, number];
  const search = { created: { gte, lt }, expand: ['data.charge'] };
  const [charges, refunds, disputes] = await Promise.all([
    listAll(account, (stripe, page) => stripe.charges.list({ created: search.created, ...page })),
    listAll(account, (stripe, page) => stripe.refunds.list({ ...search, ...page })),
    listAll(account, (stripe, page) => stripe.disputes.list({ ...search, ...page })),
  ]);
  if (!charges || !refunds || !disputes) return null;
  const isListed = ({ created }: { created: number }) => created >= gte && created < lt;
  const moves = [...refunds, ...disputes].filter(isListed);
  const all = [...charges.filter(isListed), ...moves.map(({ charge }) => charge)];
  const listed = all.flatMap((charge) => toListed(charge, account.isLive) ?? []);
  const byId = new Map(listed.map((payment) => [payment.id, payment]));
  for (const move of moves) {
    const payment = byId.get(String(move.payment_intent));
    const cents = sumBack([move.object === 'refund' ? toRefund(move) : toDispute(move)]);
    if (payment) payment.backCents += cents;
  }
  return [...byId.values()];
}

async function listEvents(
  account: Account,
  since: Date,
  types: readonly string[],
): Promise<PaymentEvent[] | null> {
  const search = { created: { gte: Math.floor(since.getTime() / 1000) }, types: [...types] };
  const events = await listAll(account, (stripe, page) => stripe.events.list({ ...search, ...page }));
  return events?.flatMap((event) => parseEvent(event) ?? []).reverse() ?? null;
}

/**
 * Newest first; null when the provider has no such list.
 * @throws ProviderError when a page fails: a list cut short would hide refunds
 */
async function listAll<T extends { id: string }>(
  account: Account,
  readPage: (stripe: Stripe, page: { limit: number; starting_after?: string }) => Promise<Stripe.ApiList<T>>,
): Promise<T[] | null> {
  let page = await listPage(account, (stripe) => readPage(stripe, { limit: 100 }));
  if (!page) return null;
  const items = [...page.data];
  for (let last = items.at(-1); page.has_more && last; last = page.data.at(-1)) {
    const after = { limit: 100, starting_after: last.id };
    page = await account.ask((stripe) => readPage(stripe, after));
    items.push(...page.data);
  }
  return items;
}

/** Null without such a list; some servers then answer 200. */
async function listPage<T>(
  account: Account,
  request: (stripe: Stripe) => Promise<Stripe.ApiList<T>>,
): Promise<Stripe.ApiList<T> | null> {
  try {
    const page = await account.ask(request);
    return Array.isArray(page.data) ? page : null;
  } catch (error) {
    // A restricted key may lack the right; the shop has other sources.
    if (isMissing(error) || hasCode(error, NOT_PERMITTED)) return null;
    throw error;
  }
}

/** @throws Problem `bad-signature` when no secret matches, `bad-request` for a signed non-event */
function verifyEvent(
  { stripe, errors }: Connection,
  secrets: readonly string[],
  rawBody: Buffer,
  signature: string | undefined,
): PaymentEvent {
  if (signature === undefined) throw new Problem('bad-signature');
  for (const secret of secrets) {
    let event: Stripe.Event;
    try {
      event = stripe.webhooks.constructEvent(rawBody, signature, secret);
    } catch (error) {
      if (error instanceof errors.StripeSignatureVerificationError) continue;
      // The signature is valid here; the SDK rejects thin events.
      throw new Problem('bad-request', {
        detail: 'This is no snapshot event: the webhook at Stripe must not send thin events.',
      });
    }
    const signed = parseEvent(event);
    if (!signed) throw new Problem('bad-request');
    return signed;
  }
  throw new Problem('bad-signature');
}

export async function loadSdk({
  secretKey,
  fetch,
  apiUrl,
}: Pick<StripeOptions, 'secretKey' | 'fetch' | 'apiUrl'>): Promise<Connection> {
  // The SDK has no option for it.
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

/** The SDK needs an explicit port. */
const toAddress = ({ protocol, hostname, port }: URL) =>
  protocol === 'http:'
    ? { protocol: 'http' as const, host: hostname, port: port || '80' }
    : { protocol: 'https' as const, host: hostname, port: port || '443' };
