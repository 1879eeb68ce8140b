import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { type CardSandbox, createCardSandbox } from '@parts-forge/card-sandbox';
import { createSandboxTable } from '@parts-forge/card-sandbox/schema';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { createDatabase } from './create-database.ts';

/** What the tests read of an object or an error of the sandbox. */
export interface ResponseBody {
  id: string;
  status: string;
  amount: number;
  client_secret: string;
  latest_charge: unknown;
  next_action: { redirect_to_url: { url: string } };
  error?: { type: string; code?: string; param?: string; message: string };
}

export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed JSON; the text where it is none. */
  body: ResponseBody;
}

/** A merchant's server with nothing in it but the sandbox and a webhook. */
export interface TestSandbox {
  url: string;
  app: FastifyInstance;
  pool: Pool;
  sandbox: CardSandbox;
  secretKey: string;
  webhookSecret: string;
  /** What the sandbox has logged. */
  warnings: { msg: string }[];
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Share this sandbox's database and secrets, as a second process does. */
  shareDatabaseWith?: TestSandbox;
  withControl?: boolean;
  /** Takes the events; by default all of them, and does nothing. */
  deliverEvent?: (body: string, signature: string) => Promise<number>;
  /** The present moment; the system's when absent. */
  now?: () => Date;
}

/** Starts a server with a database of its own; webhooks are delivered as soon as something happens. */
export async function startSandbox({
  shareDatabaseWith,
  withControl = true,
  deliverEvent = async () => 200,
  now = () => new Date(),
}: SandboxOptions = {}): Promise<TestSandbox> {
  const pool = shareDatabaseWith?.pool ?? (await createDatabase());
  await createSandboxTable(pool);
  const secretKey = shareDatabaseWith?.secretKey ?? `sk_test_${randomBytes(32).toString('base64url')}`;
  const webhookSecret = shareDatabaseWith?.webhookSecret ?? `whsec_${randomBytes(32).toString('base64url')}`;
  const warnings: TestSandbox['warnings'] = [];
  const stream = { write: (line: string) => void warnings.push(JSON.parse(line)) };
  const app = Fastify({ logger: { level: 'warn', stream } });
  const sandbox = createCardSandbox({
    pool,
    clock: { now },
    log: app.log,
    secretKey,
    webhookSecret,
    withControl,
    deliverEvent,
  });
  await app.register(sandbox.routes);
  app.addHook('onClose', () => sandbox.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    app,
    pool,
    sandbox,
    secretKey,
    webhookSecret,
    warnings,
    async close() {
      await app.close();
      if (!shareDatabaseWith) await pool.end();
    },
  };
}

/** Makes an HTTP request, as a browser does; a `form` is posted. */
export async function request(
  { url }: TestSandbox,
  path: string,
  { form, headers = {} }: { form?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<TestResponse> {
  return readResponse(
    await fetch(url + path, { headers, ...(form && { method: 'POST', body: new URLSearchParams(form) }) }),
  );
}

/** Calls Stripe's API in the sandbox, as the SDK does; a `form` is posted. */
export async function callApi(
  { sandbox, secretKey }: TestSandbox,
  path: string,
  form?: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return readResponse(
    await sandbox.fetch(`https://api.stripe.com${path}`, {
      headers: { authorization: `Bearer ${secretKey}`, ...headers },
      ...(form && { method: 'POST', body: new URLSearchParams(form).toString() }),
    }),
  );
}

/** What Stripe needs to know to create a payment intent of $1,139.43. */
export const intentParameters = {
  amount: '113943',
  currency: 'usd',
  'allowed_payment_method_types[0]': 'card',
};

/** Creates a payment intent that the merchant has noted something on. */
export async function createIntent(sandbox: TestSandbox): Promise<{ id: string; clientSecret: string }> {
  const { status, text, body } = await callApi(sandbox, '/v1/payment_intents', {
    ...intentParameters,
    'metadata[orderId]': 'order-1',
  });
  if (status !== 200) throw new Error(`The sandbox refused: ${text}`);
  return { id: body.id, clientSecret: body.client_secret };
}

/** Confirms a payment as the card form does when the customer pays, with a test token in place of a card. */
export const confirmIntent = (
  sandbox: TestSandbox,
  { id, clientSecret }: { id: string; clientSecret: string },
  paymentMethod = 'pm_card_visa',
): Promise<TestResponse> =>
  request(sandbox, `/sandbox/stripe/v1/payment_intents/${id}/confirm`, {
    form: { key: 'pk_test_sandbox', client_secret: clientSecret, payment_method: paymentMethod },
  });

export const readIntentStatus = async (sandbox: TestSandbox, id: string): Promise<string> =>
  (await callApi(sandbox, `/v1/payment_intents/${id}`)).body.status;

/** What the control endpoint shows, as far as tests read it. */
export interface ControlBody {
  processing: boolean;
  intents: { id: string; status: string }[];
  refunds: { payment_intent: string; amount: number }[];
  disputes: { id: string; status: string }[];
  deliveries: { tries: number }[];
  events: { type: string; pending_webhooks: number }[];
}

export async function readControl({ url }: TestSandbox): Promise<ControlBody> {
  return (await (await fetch(`${url}/sandbox/stripe/control`)).json()) as ControlBody;
}

/** Changes what the sandbox does next, through its control endpoint. @throws Error with status and body of a refusal */
export async function changeControl({ url }: TestSandbox, change: object): Promise<void> {
  const response = await fetch(`${url}/sandbox/stripe/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
}

async function readResponse(response: Response): Promise<TestResponse> {
  const text = await response.text();
  const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : text,
  };
}
