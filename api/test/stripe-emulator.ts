import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@parts-forge/embedded-postgres/free-port';
import { createEmulator } from 'emulate';
import { listen } from './listen.ts';

/**
 * `drop-before` and `drop-after` cut the connection before or after execution, `repeat` executes twice,
 * `garbage` and `half` break the response, `empty` answers `{}` with 200.
 */
export type NetworkFault =
  | 'delay'
  | 'drop-before'
  | 'drop-after'
  | 'repeat'
  | '500'
  | 'garbage'
  | 'half'
  | 'empty';

/**
 * Stripe as implemented by the package `emulate`, behind an unreliable network. The card sandbox shares the
 * project's own reading of Stripe and cannot reveal a misunderstanding, such as this one: the SDK treats a
 * 404 without `error` in the body as a success.
 *
 * Stripe's test mode needs an account, `stripe-mock` keeps no state, and `localstripe` is Python.
 */
export interface StripeEmulator {
  /** For `STRIPE_API_URL`. */
  url: string;
  /** For the next requests whose `METHOD /path` contains `on`. */
  inject(fault: NetworkFault, on: string, times?: number): void;
  clearFaults(): void;
  /** Like the card form. */
  confirm(id: string): Promise<{ status: number; body: EmulatedIntent }>;
  /** Not by the shop. */
  refund(id: string, amount?: number): Promise<void>;
  /** Net of refunds. */
  listPayments(): Promise<{ id: string; status: string; orderId: string; netCents: number }[]>;
  close(): Promise<void>;
}

export interface EmulatedIntent {
  id: string;
  status: string;
  amount: number;
  metadata: Record<string, string>;
}

interface Refund {
  id: string;
  object: 'refund';
  payment_intent: string;
  amount: number;
  status: 'succeeded';
  metadata: Record<string, string>;
}

interface Reply {
  status: number;
  body: string;
}

/**
 * Adds only the missing parts: client secrets, `amount_received`, a payment's latest charge, refunds, and
 * idempotency keys. Disputes and lists of events stay 404.
 */
export async function startStripeEmulator(): Promise<StripeEmulator> {
  const emulator = await createEmulator({ service: 'stripe', port: await freePort() });
  const stripe = completeStripe(emulator.url);
  const faults: PlannedFault[] = [];
  const serve = serveThroughNetwork(stripe, faults);
  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  const port = await listen(server);

  return {
    url: `http://127.0.0.1:${port}`,
    inject(fault, on, times = 1) {
      for (let count = 0; count < times; count += 1) faults.push({ fault, on });
    },
    clearFaults: () => void faults.splice(0),
    async confirm(id) {
      const path = `/v1/payment_intents/${id}/confirm`;
      const { status, body } = await stripe.ask('POST', path, 'payment_method=pm_card_visa');
      return { status, body: JSON.parse(body) };
    },
    async refund(id, amount) {
      const form = new URLSearchParams({ payment_intent: id, ...(amount && { amount: String(amount) }) });
      const { status, body } = await stripe.createRefund(form);
      if (status !== 200) throw new Error(`The emulator refused: ${body}`);
    },
    async listPayments() {
      const { body } = await stripe.ask('GET', '/v1/payment_intents?limit=100');
      const { data } = JSON.parse(body) as { data: EmulatedIntent[] };
      return data.map(({ id, status, amount, metadata }) => ({
        id,
        status,
        orderId: metadata.orderId ?? '',
        netCents: (status === 'succeeded' ? amount : 0) - stripe.countRefunded(id),
      }));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await emulator.close();
    },
  };
}

interface CompletedStripe {
  ask(method: string, path: string, body?: string): Promise<Reply>;
  createRefund(form: URLSearchParams): Promise<Reply>;
  countRefunded(id: string): number;
  carryOut(method: string, url: URL, body: string): Promise<Reply>;
}

/** With refunds and the missing payment fields. */
function completeStripe(emulator: string): CompletedStripe {
  const refunds: Refund[] = [];
  const countRefunded = (id: string) =>
    refunds.filter((refund) => refund.payment_intent === id).reduce((sum, { amount }) => sum + amount, 0);

  async function ask(method: string, path: string, body = ''): Promise<Reply> {
    const type = 'application/x-www-form-urlencoded';
    const headers = { 'content-type': type, authorization: 'Bearer sk_test_emulated' };
    const response = await fetch(emulator + path, { method, headers, ...(method === 'POST' && { body }) });
    return { status: response.status, body: await response.text() };
  }

  async function createRefund(form: URLSearchParams): Promise<Reply> {
    const id = form.get('payment_intent') ?? '';
    const intent = JSON.parse((await ask('GET', `/v1/payment_intents/${id}`)).body);
    const left = (intent.status === 'succeeded' ? intent.amount : 0) - countRefunded(id);
    const amount = Number(form.get('amount') ?? left);
    if (left === 0 || amount > left) {
      const code = left === 0 ? 'charge_already_refunded' : 'amount_too_large';
      const error = { type: 'invalid_request_error', code, message: 'Nothing is left.' };
      return { status: 400, body: JSON.stringify({ error }) };
    }
    const refund: Refund = {
      id: `re_emulated_${refunds.length + 1}`,
      object: 'refund',
      payment_intent: id,
      amount,
      status: 'succeeded',
      metadata: readMetadata(form),
    };
    refunds.push(refund);
    return { status: 200, body: JSON.stringify(refund) };
  }

  async function carryOut(method: string, url: URL, body: string): Promise<Reply> {
    if (url.pathname !== '/v1/refunds')
      return completeIntent(await ask(method, url.pathname + url.search, body), countRefunded);
    if (method === 'POST') return createRefund(new URLSearchParams(body));
    const data = refunds.filter((refund) => refund.payment_intent === url.searchParams.get('payment_intent'));
    const list = { object: 'list', url: '/v1/refunds', has_more: false, data: data.toReversed() };
    return { status: 200, body: JSON.stringify(list) };
  }
  return { ask, createRefund, countRefunded, carryOut };
}

function completeIntent(reply: Reply, countRefunded: (id: string) => number): Reply {
  const intent = JSON.parse(reply.body);
  if (intent.object !== 'payment_intent') return reply;
  const isPaid = intent.status === 'succeeded';
  const refunded = countRefunded(intent.id);
  const charge = {
    object: 'charge',
    id: `ch_${intent.id}`,
    amount: intent.amount,
    amount_refunded: refunded,
    refunded: refunded === intent.amount,
    disputed: false,
  };
  const added = {
    client_secret: `${intent.id}_secret_emulated`,
    amount_received: isPaid ? intent.amount : 0,
    latest_charge: isPaid ? charge : null,
  };
  return { ...reply, body: JSON.stringify({ ...intent, ...added }) };
}

const readMetadata = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
      return key ? [[key, value]] : [];
    }),
  );

interface PlannedFault {
  fault: NetworkFault;
  on: string;
}

/** Drops, repeats and breaks requests. @param faults applied ones are removed */
function serveThroughNetwork({ carryOut }: CompletedStripe, faults: PlannedFault[]) {
  const answers = new Map<string, Promise<Reply>>();
  /** Repeats the first answer under a key, failures included. */
  const carryOutOnce = (key: string | undefined, work: () => Promise<Reply>): Promise<Reply> => {
    if (key === undefined) return work();
    const answer = answers.get(key) ?? work();
    answers.set(key, answer);
    return answer;
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = request.method ?? 'GET';
    const url = new URL(request.url ?? '/', 'http://emulator');
    const body = await text(request);
    const key = request.headers['idempotency-key']?.toString();
    const index = faults.findIndex(({ on }) => `${method} ${url.pathname}`.includes(on));
    const fault = index < 0 ? null : faults.splice(index, 1)[0]?.fault;
    if (fault === 'drop-before') return void request.socket.destroy();
    if (fault === 'delay') await wait(150);
    const internal = { error: { type: 'api_error', message: 'Broken.' } };
    const reply = await carryOutOnce(key, async () =>
      fault === '500' ? { status: 500, body: JSON.stringify(internal) } : carryOut(method, url, body),
    );
    if (fault === 'repeat') await carryOutOnce(key, () => carryOut(method, url, body));
    if (fault === 'drop-after') return void request.socket.destroy();
    const broken: { [name in NetworkFault]?: string } = {
      garbage: '<html>Bad gateway</html>',
      half: reply.body.slice(0, reply.body.length / 2),
      empty: '{}',
    };
    const status = fault === 'garbage' ? 502 : reply.status;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end((fault && broken[fault]) ?? reply.body);
  };
}
