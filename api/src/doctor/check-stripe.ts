import type Stripe from 'stripe';
import { relevantTypes } from '#src/payments/events/receive-event.ts';
import { type Connection, loadSdk } from '#src/payments/provider/stripe.ts';
import { describePayments, findPaymentRisk } from '#src/platform/core/config/payments.ts';
import { isLoopback } from '#src/platform/core/config/server.ts';
import type { Config } from '#src/platform/core/config.ts';
import { type Finding, fails, note, QUESTION_MS, readReason, type Visit, works } from './check.ts';

type Account = NonNullable<Config['stripe']>;

/** Checks both keys, their permissions, and that they share an account. */
export async function checkStripe({ config }: Visit): Promise<Finding[]> {
  const { stripe: account, origin } = config;
  const mode = note(describePayments(config));
  if (!account) return [mode];
  const connection = await loadSdk(account);
  const payments = await readList(connection, (sdk) => sdk.paymentIntents.list({ limit: 1 }, once));
  if (!payments.list) return [mode, judgeFailure(payments)];
  return [
    findPaymentRisk(config, account) ? mode : works(describePayments(config)),
    works('Stripe takes STRIPE_SECRET_KEY.'),
    ...(await checkRights(connection, account)),
    await checkPublishableKey(account, await findSecret(connection, payments.list.data[0])),
    ...(await checkWebhookAtStripe(connection, account, origin)),
  ];
}

/** A retry would use up the report's timeout. */
const once = { maxNetworkRetries: 0 };

function judgeFailure({ why, reason }: Failure): Finding {
  switch (why) {
    case 'refused':
      return fails(`Stripe refuses STRIPE_SECRET_KEY: ${reason}.`);
    case 'forbidden':
      return fails('STRIPE_SECRET_KEY may not read payments (PaymentIntents), which the shop needs.');
    case 'failed':
      return fails(`Stripe cannot be asked for payments: ${reason}.`);
  }
}

interface Failure {
  list: null;
  /** Only `refused` and `forbidden` concern the key. */
  why: 'refused' | 'forbidden' | 'failed';
  reason: string;
}
type Answer<T> = { list: Stripe.ApiList<T>; reason: null } | Failure;

/** Stripe's messages show only a key's last four characters. */
async function readList<T>(
  { stripe, errors }: Connection,
  request: (sdk: Stripe) => Promise<Stripe.ApiList<T>>,
): Promise<Answer<T>> {
  try {
    const list = await request(stripe);
    // Some compatible servers lack the list without an error.
    return Array.isArray(list.data)
      ? { list, reason: null }
      : { list: null, why: 'failed', reason: 'there is no such list' };
  } catch (error) {
    if (error instanceof errors.StripePermissionError)
      return { list: null, why: 'forbidden', reason: 'the key has no right to it' };
    const reason = readReason(error).replace(/\.$/, '');
    if (error instanceof errors.StripeAuthenticationError) return { list: null, why: 'refused', reason };
    const status = error instanceof errors.StripeError ? error.statusCode : undefined;
    return { list: null, why: 'failed', reason: status === undefined ? reason : `${status} ${reason}` };
  }
}

async function checkRights(connection: Connection, { secretKey }: Account): Promise<Finding[]> {
  const [refunds, charges, disputes, events] = await Promise.all([
    readList(connection, (sdk) => sdk.refunds.list({ limit: 1 }, once)),
    readList(connection, (sdk) => sdk.charges.list({ limit: 1 }, once)),
    readList(connection, (sdk) => sdk.disputes.list({ limit: 1 }, once)),
    readList(connection, (sdk) => sdk.events.list({ limit: 1 }, once)),
  ]);
  const needed = Object.entries({ refunds, charges }).flatMap(([name, { reason }]) =>
    reason === null ? [] : [fails(`The key cannot read ${name}, which the shop needs: ${reason}.`)],
  );
  const useful = Object.entries({ disputes, events }).flatMap(([name, { reason }]) =>
    reason === null ? [] : [note(`The key cannot read ${name}; the shop does without: ${reason}.`)],
  );
  const isRestricted = secretKey.startsWith('rk_');
  const writing = 'That this restricted key may write payments and refunds is seen with the first ones.';
  return [...needed, ...useful, ...(isRestricted ? [note(writing)] : [])];
}

/** @returns null without a payment or permission */
async function findSecret({ stripe }: Connection, listed?: Stripe.PaymentIntent): Promise<PageSecret | null> {
  if (!listed) return null;
  const payment = await stripe.paymentIntents.retrieve(listed.id).catch(() => null);
  return payment?.client_secret ? { id: payment.id, clientSecret: payment.client_secret } : null;
}

interface PageSecret {
  id: string;
  clientSecret: string;
}

/**
 * Retrieves a payment with the publishable key. Success proves that both keys share an account and mode.
 * @param payment the latest of the account; null when there is none yet
 */
async function checkPublishableKey(account: Account, payment: PageSecret | null): Promise<Finding> {
  const { id, clientSecret } = payment ?? { id: 'pi_unknown', clientSecret: 'pi_unknown_secret_unknown' };
  const server = account.apiUrl ?? 'https://api.stripe.com';
  let status: number;
  try {
    const response = await fetch(`${server}/v1/payment_intents/${id}?client_secret=${clientSecret}`, {
      headers: { authorization: `Bearer ${account.publishableKey}` },
      signal: AbortSignal.timeout(QUESTION_MS),
    });
    status = response.status;
  } catch (error) {
    return fails(`Stripe does not answer for STRIPE_PUBLISHABLE_KEY: ${readReason(error)}.`);
  }
  if (status === 401) return fails('Stripe refuses STRIPE_PUBLISHABLE_KEY.');
  if (!payment) {
    return note('Whether both keys are of one account is seen when there is a first payment.');
  }
  if (status === 200) return works('STRIPE_PUBLISHABLE_KEY is of the same account.');
  return status >= 500 || status === 429
    ? fails(`Stripe answers a question with STRIPE_PUBLISHABLE_KEY with ${status}.`)
    : fails('STRIPE_PUBLISHABLE_KEY is of another account than STRIPE_SECRET_KEY.');
}

/** The next check covers the secret. */
async function checkWebhookAtStripe(
  connection: Connection,
  { webhookSecrets }: Account,
  origin: string | null,
): Promise<Finding[]> {
  if (origin === null || isLoopback(origin)) return [];
  const address = `${origin}/webhooks/stripe`;
  const { list, reason } = await readList(connection, (sdk) =>
    sdk.webhookEndpoints.list({ limit: 100 }, once),
  );
  if (!list) return [note(`Whether Stripe sends its events to ${address} cannot be seen: ${reason}.`)];
  const endpoints = list.data.filter(({ url }) => url === address);
  if (endpoints.length === 0) return [fails(`Stripe has no webhook to ${address}.`)];
  const enabled = endpoints.filter(({ status }) => status === 'enabled');
  if (enabled.length === 0) return [fails(`The webhook to ${address} is switched off at Stripe.`)];
  const missing = findMissingEvents(enabled.flatMap(({ enabled_events }) => enabled_events));
  const secrets = `${enabled.length} webhooks at Stripe lead to ${address}, each with a secret of its own: STRIPE_WEBHOOK_SECRET has ${webhookSecrets.length}.`;
  return [
    works(`Stripe sends its events to ${address}.`),
    ...(missing.length === 0 ? [] : [note(`The webhook leaves out ${missing.join(', ')}.`)]),
    ...(enabled.length > webhookSecrets.length ? [note(secrets)] : []),
  ];
}

/** Ignores an older name of `refund.updated`. */
function findMissingEvents(sent: readonly string[]): string[] {
  if (sent.includes('*')) return [];
  return relevantTypes.filter((type) => type !== 'charge.refund.updated' && !sent.includes(type));
}
