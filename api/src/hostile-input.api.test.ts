import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { signEvent } from '@parts-forge/card-sandbox/webhook-signature';
import { MAX_OPEN_QUOTES } from '@parts-forge/contract/calls/bounds';
import type { Order } from '@parts-forge/contract/orders/orders';
import { identityServiceCalls } from '@parts-forge/contract/people/identity-service';
import type { Product } from '@parts-forge/contract/products/products';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findMails } from '#src/mail-outbox/store.ts';
import { ensureSandboxSecrets } from '#src/payments/provider/create-provider.ts';
import { users } from '#src/users/schema.ts';
import { webhooks } from '#src/webhooks/schema.ts';
import { aPicture, aProduct, type Person, readProduct, signedInAs } from '#test/builders.ts';
import { type AnswerCheck, describedAnswers } from '#test/described-answers.ts';
import { describedOperations } from '#test/described-operations.ts';
import { atFullSize, printSeed, seed } from '#test/full-size.ts';
import {
  arbitraryRequest,
  type HostileRequest,
  type KnownValues,
  type Operation,
} from '#test/hostile-requests.ts';
import { hostileText, writeJson } from '#test/hostile-values.ts';
import { anAccount, fetchAccessToken, fetchIdToken } from '#test/identity.ts';
import { anImport } from '#test/imports.ts';
import { aShipment } from '#test/paid-orders.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';

/** All requests; more find more. */
const total = Number(process.env.FUZZ_CASES ?? atFullSize(16_000, 1_600));
/** Far above any response time, as the machine may be busy. */
const MAX_ANSWER_MS = 30_000;
/** How long (ms) a failure is shrunk. */
const MAX_SEARCH_MS = 30_000;

/** Refuses each connection. */
const webhookUrl = 'http://127.0.0.1:9/';
const shop: TestShop = await startShop({ env: { WEBHOOK_HOSTS: '127.0.0.1' } });
let checkAnswer: AnswerCheck;
const operations = await describedOperations(shop.app);
const callers = ['a visitor', 'a customer', 'an administrator'] as const;
type Caller = (typeof callers)[number];
const cells = operations.flatMap((operation) =>
  callers.map((caller) => ({ name: `${operation.method} ${operation.path}`, operation, caller })),
);
/** Products whose stock only orders change, with their initial stock. */
const stocks = new Map<string, number>();

const image = `/images/${'f'.repeat(64)}-1280.webp`;
let webhookSecret: string;
let idToken: string;
let account: { email: string };
/** For calls that change nothing of it. */
let still: World;

beforeAll(async () => {
  printSeed();
  checkAnswer = await describedAnswers(shop.app, 'hostile input');
  await aPicture(shop, 'f'.repeat(64));
  ({ webhookSecret } = await ensureSandboxSecrets(shop.services.database));
  const registered = await anAccount(shop);
  await fetchAccessToken(shop, registered);
  account = registered;
  idToken = await fetchIdToken(shop, registered);
  still = await aWorld('/order');
});
afterAll(() => shop.close());

/** Successful requests by operation. */
const successes = new Map<string, number>();
let sent = 0;

describe('hostile input', () => {
  test.each(cells)('$name answers hostile input of $caller as described, without internals', async (cell) => {
    const { name, operation, caller } = cell;
    const requests = await hostileRequests(operation, caller);
    const share = total / cells.length / (isClosed(operation, caller) ? 3 : 0.75);
    await fc.assert(
      fc.asyncProperty(arbitraryBatch(requests), async (hostile) => {
        const statuses = await Promise.all(hostile.map(expectGoodAnswer));
        const taken = statuses.filter((status) => status < 300).length;
        successes.set(name, (successes.get(name) ?? 0) + taken);
      }),
      {
        // With one seed for all, the set sizes of all cells would be alike.
        seed: seed + cells.indexOf(cell),
        numRuns: Math.ceil(share / MEAN_BATCH),
        interruptAfterTimeLimit: MAX_SEARCH_MS,
      },
    );
  });
});

/** Requests for a call; what they name exists and belongs to the caller. */
async function hostileRequests(operation: Operation, caller: Caller) {
  const { known, tokens } = await knownValues(operation, caller);
  return arbitraryRequest(operation, known, tokens).map((request) =>
    operation.security === 'stripeSignature' && caller !== 'a visitor' ? withSignature(request) : request,
  );
}

/** Most calls refuse a visitor at once. */
const isClosed = ({ security }: Operation, caller: Caller) =>
  security === 'accessToken' && caller === 'a visitor';

/** Concurrent requests; a failure shows the smallest set that fails. */
const arbitraryBatch = (requests: fc.Arbitrary<HostileRequest>) =>
  fc.array(requests, { minLength: 1, maxLength: 50, size: 'max' });
/** Mean size of `arbitraryBatch`, which prefers small sets. */
const MEAN_BATCH = 25;

interface World {
  customer: Person;
  other: Person;
  admin: Person;
  product: Product;
  orders: Awaited<ReturnType<typeof someOrders>>;
}

/** As a rule for one cell alone, so that cells do not affect each other. */
async function aWorld(path: string): Promise<World> {
  const [customer, other, admin] = await Promise.all([
    signedInAs(shop, 'user'),
    signedInAs(shop, 'user'),
    signedInAs(shop, 'admin'),
  ]);
  const product = await aProduct(shop, { price: 1, quantity: 1_000_000 });
  if (!changesStock.test(path)) stocks.set(product._id, product.quantity);
  // The longest part of a cell.
  const orders = concernsOrders.test(path) ? await someOrders(customer, other, product) : still.orders;
  return { customer, other, admin, product, orders };
}

const changesStock = /^\/product\/\{id\}(\/stock)?$/;
const concernsOrders =
  /^\/(order|shipment|create-payment-intent|user|webhooks|downloads|overview|activity|events)\b|^\/product\/\{id\}/;

async function someOrders(customer: Person, other: Person, product: Product) {
  const due = await customer.orders(product, 50);
  const paid = await customer.orders(product, 60);
  const others = await other.orders(product, 70);
  return { due, paid, others, transactionId: await customer.pays(paid) };
}

async function knownValues(operation: Operation, caller: Caller) {
  const isRefused = isClosed(operation, caller);
  const hasParcels = operation.path.includes('shipment') && !isRefused;
  const isRead = operation.method === 'GET' && !hasParcels;
  const world = isRefused || isRead ? still : await aWorld(operation.path);
  const { customer, other, admin, product } = world;
  const { due, paid, others, transactionId } = world.orders;
  const person = { 'a visitor': null, 'a customer': customer, 'an administrator': admin }[caller];
  const parcels = hasParcels ? await sendParcels(admin, paid) : [];
  const key = operation.path.startsWith('/images') ? await anUploadKey(admin) : '';
  // A verified address gets that answer even with a wrong secret.
  if (operation.method === 'PUT' && operation.path === '/user/{email}/verification') {
    await shop.db.update(users).set({ emailVerified: true }).where(eq(users.id, customer.userId));
  }
  const hooks = operation.path.startsWith('/webhook') ? await writeWebhooks(operation) : [];
  const mails = operation.path === '/mail/{id}' ? (await findMails(shop.db, {})).rows : [];
  const isExchange = operation.security === 'identityToken';
  // A reset link requires an account.
  const needsAccount = isExchange || operation.path === '/user/{email}/reset-link';
  const ids = operation.path.startsWith('/product/import/')
    ? [(await anImport(admin, `number,name\n${product.number},New name`))._id]
    : operation.path.startsWith('/product')
      ? [product._id]
      : parcels.length > 0
        ? [paid._id]
        : [due._id, paid._id, paid._id, others._id];
  const known: KnownValues = {
    id: [
      ...mails.map(({ id }) => id),
      ...hooks,
      ...(operation.path === '/key/{id}' && person ? await makeKeys(person) : []),
      ...(operation.path.startsWith('/review') ? await writeReviews(other) : []),
      ...(operation.path.startsWith('/quote/') && !isRefused ? await askForPrices(customer, product) : []),
      ...ids,
      randomUUID(),
    ],
    email: needsAccount
      ? [account.email, account.email.toUpperCase()]
      : [customer.email, customer.email, customer.email.toUpperCase(), other.email],
    productId: [product._id, product._id.toUpperCase()],
    order: operation.path === '/order/{id}' ? [paid._id] : [due._id, due._id, others._id],
    price: [50, 50, 50, 19.99],
    quantity: parcels.length > 0 ? [1] : [1000, 1000, 50],
    carrier: ['DHL'],
    totalPrice: [1000, 1000, 50],
    minimumOrder: [50],
    phone: ['233302771204', 233302771204],
    country: ['GH', ''],
    linkdin: ['https://www.linkedin.com/in/amara', ''],
    rating: [1, 4.5, 5],
    image: [image],
    transactionId: [transactionId, transactionId, 'pi_000000000000'],
    key: [key],
    type: ['payment_intent.succeeded', 'payment_intent.canceled', 'charge.refunded'],
    object: ['event'],
    data: [transactionId, 'pi_000000000000'].map((id) => ({ object: { id, object: 'payment_intent' } })),
    'Idempotency-Key': ['one', 'two', randomUUID()],
    'If-Match': ['"1"', '"1"', '"2"'],
    number: Array.from({ length: 300 }, () => `F-${randomUUID().slice(0, 8).toUpperCase()}`),
    kind: ['Boards'],
    fits: [['Norda 12'], []],
    attributes: [[{ name: 'Layers', value: '12' }], []],
    images: [[image]],
    orderStep: [1, 25],
    priceBreaks: [[], [{ quantity: 100, price: 10 }]],
    add: [50, 1],
    set: [product.quantity],
    was: [product.quantity],
    reason: ['restock', 'correction'],
    lines: [[aLine(operation, product)]],
    products: [product._id],
    until: ['2999-12-31'],
    join: [randomUUID(), randomUUID()],
    shipment: [...parcels, randomUUID()],
    sentAt: ['2025-11-21', '2025-11-21T09:30:00Z'],
    ids: [[paid._id, others._id]],
    month: ['2026-11'],
    orders: [[due._id]],
    filters: [{}],
    url: [webhookUrl],
    types: [['order.paid']],
    state: ['on', 'off'],
  };
  return { known, tokens: isExchange ? [idToken] : person ? [person.token] : [] };
}

const anUploadKey = async ({ token }: Person): Promise<string> =>
  (await shop.request('/images/key', { method: 'POST', token })).body.key;

async function sendParcels(admin: Person, order: Order): Promise<string[]> {
  await admin.accepts(order);
  const parcels = Array.from({ length: 20 }, (_, index) => ({ number: `JJD-${index + 1}`, quantity: 1 }));
  const sent = await Promise.all(parcels.map((parcel) => aShipment(admin, order, parcel)));
  return sent.map(({ _id }) => _id);
}

async function writeReviews({ email, token }: Person): Promise<string[]> {
  const body = { email, rating: 5, description: 'Consistent from batch to batch.' };
  const write = () => shop.request('/review', { method: 'POST', token, body });
  const written = await Promise.all(Array.from({ length: 20 }, write));
  return written.map((answer) => answer.body.insertedId);
}

const aLine = ({ path }: Operation, { _id: productId }: Product) => {
  if (path === '/quote/{id}/answer') return { productId, fromQuantity: 50, price: 1 };
  return path === '/quote' ? { productId, quantity: 50 } : { productId, quantity: 50, totalPrice: 50 };
};

/** As many as may wait for an answer. */
async function askForPrices({ token }: Person, { _id: productId }: Product): Promise<string[]> {
  const body = { lines: [{ productId, quantity: 50 }] };
  const ask = () => shop.request('/quote', { method: 'POST', token, body });
  const asked = await Promise.all(Array.from({ length: MAX_OPEN_QUOTES }, ask));
  return asked.map((answer) => answer.body.data._id);
}

/** More than a call may make, so that some are left after removals. */
async function makeKeys({ token }: Person): Promise<string[]> {
  const body = { name: 'ERP', scopes: ['orders:read'] };
  const make = () => shop.request('/key', { method: 'POST', token, body });
  return (await Promise.all([make(), make(), make()])).map((made) => made.body.data._id);
}

async function writeWebhooks({ path }: Operation): Promise<string[]> {
  await shop.db.delete(webhooks);
  if (path === '/webhook') return [];
  const rows = Array.from({ length: 20 }, () => ({
    id: randomUUID(),
    url: webhookUrl,
    types: ['order.paid' as const],
    secret: 'whsec_AAAA',
    place: 0,
    nextAttemptAt: new Date(),
  }));
  await shop.db.insert(webhooks).values(rows);
  return rows.map(({ id }) => id);
}

/** Signs the request like the payment provider. */
const withSignature = (request: HostileRequest): HostileRequest => ({
  ...request,
  headers: {
    ...request.headers,
    'stripe-signature': signEvent(request.body ?? '', webhookSecret, new Date()),
  },
});

/** Expects no failure of ours, in time, as described and without internals. */
async function expectGoodAnswer(request: HostileRequest): Promise<number> {
  const { method, url, body } = request;
  sent += 1;
  const start = performance.now();
  const answer = await (url.startsWith('/live') ? listen(request) : inject(request));
  const ms = performance.now() - start;
  const { status } = answer;
  const payload = decode(answer.bytes, answer.headers['content-encoding']);
  if (!isTurnedAway(url, answer, payload)) expect(status, payload).toBeLessThan(500);
  expect(ms).toBeLessThan(MAX_ANSWER_MS);
  if (status >= 400) expect(`${payload}${JSON.stringify(answer.headers)}`).not.toMatch(inside);
  checkAnswer(
    url,
    // A parser may omit a byte order mark (RFC 8259 §8.1), and ours does.
    { method, body: status < 300 ? body?.replace(/^\ufeff/, '') : undefined },
    {
      status,
      headers: new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
      body:
        payload === ''
          ? null
          : /json/.test(String(answer.headers['content-type']))
            ? JSON.parse(payload)
            : payload,
    },
  );
  return status;
}

interface HostileAnswer {
  status: number;
  headers: IncomingHttpHeaders | OutgoingHttpHeaders;
  bytes: Buffer;
}

async function inject({ method, url, headers, body }: HostileRequest): Promise<HostileAnswer> {
  const answer = await shop.app.inject({
    method: method as 'GET',
    url,
    headers,
    ...(body !== undefined && { payload: body }),
  });
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload };
}

/** Reads the first piece of a stream over a connection, then hangs up. */
async function listen({ method, url, headers }: HostileRequest): Promise<HostileAnswer> {
  const asked = request(shop.url, { method, path: url, headers }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let bytes = Buffer.alloc(0);
  for await (const piece of response) {
    bytes = piece;
    break;
  }
  return { status: response.statusCode ?? 0, headers: response.headers, bytes };
}

/** Few uploads run at a time; the next one is told when to retry. */
const isTurnedAway = (url: string, { status, headers }: HostileAnswer, payload: string) =>
  /^\/(?:images\/upload|product\/import|shipment\/file)\b/.test(url) &&
  status === 503 &&
  headers['retry-after'] !== undefined &&
  JSON.parse(payload).type === 'urn:parts-forge:problem:overloaded';

/** A request may ask for any encoding, and most responses are cached in two. */
function decode(body: Buffer, encoding: unknown): string {
  if (body.length === 0) return '';
  if (encoding === 'br') return brotliDecompressSync(body).toString();
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
}

/** Stack lines, SQL, names of libraries and files: no refusal may contain them. */
const inside =
  /\bat \S+ \(|\.[tj]s:\d+|node_modules|file:\/\/|\bselect\b.+\bfrom\b|insert into|drizzle|postgres|\bpg_|relation "|\bzod\b|fastify|FST_|ECONN|TypeError|SyntaxError|RangeError|Cannot read prop|undefined is not|\[object |better-auth/i;

test('endpoints beside the calls answer hostile input, too', async () => {
  const addresses = [
    'GET /',
    'GET /all-products',
    'GET /login',
    'GET /nothing/{}',
    'GET /assets/{}',
    'GET /docs/{}',
    'GET /images/{}',
    'GET /identity/{}',
    ...Object.values(identityServiceCalls).map(({ method, path }) => `${method} ${path}`),
    'GET /sandbox/stripe/{}',
    'GET /sandbox/stripe/v1/payment_intents/{}',
    'POST /sandbox/stripe/v1/payment_intents/{}/confirm',
    'GET /sandbox/stripe/challenge/{}',
    'POST /sandbox/stripe/challenge/{}',
  ];
  const request = fc
    .record({
      address: fc.constantFrom(...addresses),
      text: hostileText,
      query: hostileText,
      isForm: fc.boolean(),
    })
    .map(({ address, text, query, isForm }): HostileRequest => {
      const [method = '', path = ''] = address.split(' ');
      const named = path.replace('{}', () => encodeURIComponent(text.toWellFormed()));
      const form = new URLSearchParams({
        key: 'pk_test_sandbox',
        client_secret: query,
        [query]: text,
      }).toString();
      return {
        method,
        url: `${named}?${isForm ? form : encodeURIComponent(query.toWellFormed())}`,
        headers: {
          accept: 'text/html',
          ...(method === 'POST' && {
            origin: shop.url,
            'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
          }),
        },
        // An invalid or short password is refused before it is hashed, which is slow on purpose.
        body:
          method === 'GET'
            ? undefined
            : isForm
              ? form
              : writeJson({
                  email: text,
                  name: query,
                  password: query.slice(0, 5),
                  newPassword: query.slice(0, 5),
                  token: text,
                  code: query,
                }),
      };
    });
  await fc.assert(
    fc.asyncProperty(arbitraryBatch(request), async (hostile) => {
      await Promise.all(hostile.map(expectGoodAnswer));
    }),
    { seed, numRuns: 20, interruptAfterTimeLimit: MAX_SEARCH_MS },
  );
});

test('the requests were many, and each call accepted some', async () => {
  expect(sent).toBeGreaterThan(0.8 * total);
  // An upload is accepted only with a picture, a file only with parts or names.
  const uploads = ['POST /images/upload', 'POST /product/import', 'POST /batch/alias/file'];
  // This shop sends no mail.
  const wishes = ['POST /product/{id}/wish', 'POST /wish/stop'];
  const missed = operations.filter(({ method, path }) => {
    const name = `${method} ${path}`;
    return ![...uploads, ...wishes].includes(name) && !successes.get(name);
  });
  // A tenth of the requests may miss the fifth of the calls that rarely accept one.
  const never = missed.slice(atFullSize(0, Math.ceil(operations.length / 5)));
  const accepted = await Promise.all(never.map(acceptsOne));
  expect(never.filter((_operation, place) => !accepted[place])).toEqual([]);
});

/** A call may miss its luck in the requests of its cells: asks on, up to 500 times for each caller. */
async function acceptsOne(operation: Operation): Promise<boolean> {
  for (const caller of callers) {
    const requests = await hostileRequests(operation, caller);
    for (const request of fc.sample(requests, { seed, numRuns: 500 })) {
      if ((await expectGoodAnswer(request)) < 300) return true;
    }
  }
  return false;
}

test('the shop still sells afterwards, and its stock is right', async () => {
  const failures = (shop.errors as { code?: string }[]).filter(({ code }) => code !== 'overloaded');
  expect(failures).toEqual([]);
  // Its load decides how many were refused.
  shop.expectErrors();
  // An administrator's refund request itself says whether the pieces return.
  const { rows } = await shop.db.execute<{ id: string; quantity: number; ordered: number }>(sql`
    select product.id, product.quantity, coalesce(sum("order".quantity), 0)::int as ordered
    from products product left join orders "order" on "order".product_id = product.id and "order".closed_at is null
    where product.id not in (
      select refunded.product_id from orders refunded join refunds on refunds.order_id = refunded.id
      where refunds.requested_by is not null)
    group by product.id`);
  expect(rows.filter(({ quantity }) => quantity < 0)).toEqual([]);
  const wrong = rows.filter(({ id, quantity, ordered }) => {
    const began = stocks.get(id);
    return began !== undefined && quantity + ordered !== began;
  });
  expect(wrong).toEqual([]);
  expect(rows.length).toBeGreaterThan(stocks.size / 2);
  const [customer, product] = [await signedInAs(shop, 'user'), await aProduct(shop)];
  await customer.orders(product, 50);
  expect((await readProduct(shop, product._id)).quantity).toBe(product.quantity - 50);
  expect((await shop.request('/readyz')).status).toBe(200);
});
