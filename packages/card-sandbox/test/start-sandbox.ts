import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { type CardSandbox, createCardSandbox } from '@parts-forge/card-sandbox';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { createDatabase } from './create-database.ts';

/** The fields that tests read. */
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
  /** Parsed JSON, otherwise the text. */
  body: ResponseBody;
}

/** A merchant's server with only the sandbox and a webhook. */
export interface TestSandbox extends ReturnType<typeof callsOf> {
  url: string;
  app: FastifyInstance;
  pool: Pool;
  sandbox: CardSandbox;
  secretKey: string;
  webhookSecret: string;
  /** Warnings that the sandbox logged. */
  warnings: { msg: string }[];
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Shares this sandbox's database and secrets, like a second process. */
  shareDatabaseWith?: TestSandbox;
  withControl?: boolean;
  /** Receives the events; accepts all by default. */
  deliverEvent?: (body: string, signature: string) => Promise<number>;
  /** The system's clock by default. */
  now?: () => Date;
}

/** Starts a server with its own database. Webhooks are delivered immediately. */
export async function startSandbox({
  shareDatabaseWith,
  withControl = true,
  deliverEvent = async () => 200,
  now = () => new Date(),
}: SandboxOptions = {}): Promise<TestSandbox> {
  const pool = shareDatabaseWith?.pool ?? (await createDatabase());
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
    money: { currency: 'usd', format: (amount) => `$${(amount / 100).toLocaleString('en-US')}` },
    deliverEvent,
  });
  await app.register(sandbox.routes);
  app.addHook('onClose', () => sandbox.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    ...callsOf(url, sandbox, secretKey),
    url,
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

/** For all tests of a file. Until they begin it has no properties. */
export function useSandbox(options: SandboxOptions = {}): TestSandbox {
  const later = {} as TestSandbox;
  beforeAll(async () => Object.assign(later, await startSandbox(options)));
  afterAll(() => later.close());
  return later;
}

/** The calls of a merchant's server and of a browser. */
const callsOf = (url: string, sandbox: CardSandbox, secretKey: string) => ({
  /** Sends an HTTP request like a browser; posts a `form`. */
  async request(
    path: string,
    { form, headers = {} }: { form?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<TestResponse> {
    return readResponse(
      await fetch(url + path, { headers, ...(form && { method: 'POST', body: new URLSearchParams(form) }) }),
    );
  },

  /** Calls the sandbox's Stripe API like the SDK; posts a `form`. */
  async callApi(
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
  },

  /** Creates a payment intent with metadata. */
  async createIntent(): Promise<{ id: string; clientSecret: string }> {
    const { status, text, body } = await this.callApi('/v1/payment_intents', {
      ...intentParameters,
      'metadata[orderId]': 'order-1',
    });
    if (status !== 200) throw new Error(`The sandbox refused: ${text}`);
    return { id: body.id, clientSecret: body.client_secret };
  },

  /** Confirms a payment like the card form, with a test token. */
  confirmIntent(
    { id, clientSecret }: { id: string; clientSecret: string },
    paymentMethod = 'pm_card_visa',
  ): Promise<TestResponse> {
    return this.request(`/sandbox/stripe/v1/payment_intents/${id}/confirm`, {
      form: { key: 'pk_test_sandbox', client_secret: clientSecret, payment_method: paymentMethod },
    });
  },

  async readIntentStatus(id: string): Promise<string> {
    return (await this.callApi(`/v1/payment_intents/${id}`)).body.status;
  },

  async readControl(): Promise<ControlBody> {
    return (await (await fetch(`${url}/sandbox/stripe/control`)).json()) as ControlBody;
  },

  /** Changes the sandbox through its control endpoint. @throws Error with the refusal's status and body */
  async changeControl(change: object): Promise<void> {
    const response = await fetch(`${url}/sandbox/stripe/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
    });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  },
});

/** The fields of the control endpoint that tests read. */
interface ControlBody {
  processing: boolean;
  intents: { id: string; status: string }[];
  refunds: { payment_intent: string; amount: number }[];
  disputes: { id: string; status: string }[];
  deliveries: { tries: number }[];
  events: { type: string; pending_webhooks: number }[];
}

/** Required parameters of a payment intent of $1,139.43. */
export const intentParameters = {
  amount: '113943',
  currency: 'usd',
  'allowed_payment_method_types[0]': 'card',
};

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
