import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Call } from '@parts-forge/contract/calls/call';
import { calls } from '@parts-forge/contract/calls/calls';
import { needsAccessToken, type Policy, type Scope, scopesOf } from '@parts-forge/contract/calls/policies';
import type { Order } from '@parts-forge/contract/orders/orders';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { hashToken } from '#src/platform/core/hash-token.ts';
import { withOwnConnection } from '#src/platform/database/connection.ts';
import type { Answer } from '#test/answer.ts';
import {
  type Attempt,
  type Attempts,
  buildAttempts,
  type CallName,
  startShopForAttempts,
} from '#test/attempts.ts';
import { aProduct, type Person, readProduct, signedInAs } from '#test/builders.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { confirmCard, expectRefusal, readCode } from '#test/paying.ts';
import { loseEvents, withProvider } from '#test/payment-provider.ts';
import { startShop, type TestShop } from '#test/start-shop.ts';
import { awaitWaiting, countWaiting, whileLocked } from '#test/waiting-statements.ts';

// A right is checked where it is used: after the body has come, and within the transaction of the act.
let shop: TestShop;
let neighbour: TestShop;
let attempts: Attempts;
beforeAll(async () => {
  shop = await startShopForAttempts();
  neighbour = await startShop({ shareDatabaseWith: shop });
  attempts = { ...buildAttempts(shop), ...readyForAct };
  await loseEvents(shop);
});
afterEach(() => {
  vi.restoreAllMocks();
  expect([...shop.errors, ...neighbour.errors]).toEqual([]);
  expect(shop.services.database.counts.repeated).toBe(0);
});
afterAll(async () => {
  await neighbour.close();
  await shop.close();
});

/** In a state in which nothing but the caller's right prevents the act. */
const readyForAct: Partial<Attempts> = {
  acceptPayment: async () => ({
    path: `/order/accept/${(await aPendingOrder(shop)).order._id}`,
    body: { status: 'paid' },
  }),
  actOnOrders: async () => ({
    path: '/order/bulk',
    body: { act: 'accept', ids: [(await aPendingOrder(shop)).order._id] },
  }),
  refundOrder: async () => ({
    path: `/order/${(await aPendingOrder(shop)).order._id}/refund`,
    body: { returnStock: true },
  }),
  recordPayment: async (owner) => {
    const order = await owner.orders(await aProduct(shop));
    const { clientSecret, id } = await owner.opensPayment(order);
    await confirmCard(shop, clientSecret);
    return { path: `/order/${order._id}`, body: { transactionId: id } };
  },
  joinBatch: async () => ({
    path: '/batch/join',
    body: { join: randomUUID(), lines: [{ productId: (await aProduct(shop))._id, quantity: 50 }] },
  }),
  createDownload: async () => ({ path: '/downloads', body: { what: 'orders' } }),
};

interface Right {
  caller: 'an administrator' | 'a customer';
  by: 'a sign-in' | 'a key';
}
type Case = Right & { name: CallName; call: Call };

/** Nothing is done by a right that could end. */
const exempt: readonly string[] = [
  // Ends the caller's own sign-in.
  'logout by a sign-in of a customer',
  // Changes nothing for a customer.
  'restockProduct by a sign-in of a customer',
  // Reads a file and writes nothing.
  'readParcelFile by a sign-in of an administrator',
  'readParcelFile by a key of an administrator',
];

function listRights({ who, whose, scopes = [] }: Policy): Right[] {
  const isForAdmins = who === 'admin' || (who === 'signed-in' && whose === 'own-or-admin');
  const roles = [
    ...(isForAdmins ? (['admin'] as const) : []),
    ...(who === 'admin' ? [] : (['user'] as const)),
  ];
  return roles.flatMap((role): Right[] => {
    const caller = role === 'admin' ? 'an administrator' : 'a customer';
    const hasKey = scopes.some((scope) => scopesOf(role).includes(scope));
    return [{ caller, by: 'a sign-in' }, ...(hasKey ? [{ caller, by: 'a key' } as const] : [])];
  });
}

const cases: Case[] = Object.entries(calls)
  .filter(([, { method, policy }]) => method !== 'GET' && needsAccessToken(policy.who))
  .flatMap(([name, call]) =>
    listRights(call.policy).map((right) => ({ name: name as CallName, call: call as Call, ...right })),
  )
  .filter(({ name, by, caller }) => !exempt.includes(`${name} by ${by} of ${caller}`));

/** Someone with the right, and a request that uses it. */
async function prepare({ name, call, caller, by }: Case) {
  const role = caller === 'a customer' ? 'user' : 'admin';
  const person = await signedInAs(shop, role);
  const owner = role === 'user' ? person : await signedInAs(shop, 'user');
  const attempt = await attempts[name](owner);
  // What customers may list, too, is no longer a right of administrators.
  if (name === 'createDownload' && role === 'admin' && by === 'a sign-in')
    attempt.body = { what: 'activity' };
  const scopes = (call.policy.scopes ?? []).filter((scope) => scopesOf(role).includes(scope));
  const key = by === 'a key' ? await makeKey(person, scopes) : null;
  return { person, key, token: key?.text ?? person.token, attempt };
}
type Prepared = Awaited<ReturnType<typeof prepare>>;

async function makeKey({ token }: Person, scopes: readonly Scope[]) {
  const { body } = await shop.request('/key', { method: 'POST', token, body: { name: 'ERP', scopes } });
  return { id: body.data._id as string, text: body.key as string };
}

/** Through the shop, as people do. */
async function endRight({ caller, by }: Right, { person, key }: Prepared): Promise<void> {
  if (by === 'a key') {
    await person.delete(`/key/${key?.id}`);
  } else if (caller === 'a customer') {
    await person.post('/logout');
  } else await demote(person);
}

async function demote({ email }: Pick<Person, 'email'>, at = shop): Promise<void> {
  const { token } = await signedInAs(shop, 'admin');
  const answer = await at.request(`/user/admin/${email}`, { method: 'PUT', token, body: { role: 'user' } });
  expect(answer.status).toBe(200);
}

/** In a transaction that is not committed; the shop's caches do not hear of it. */
async function endRightWithin(client: pg.Client, { caller, by }: Right, { person, token }: Prepared) {
  if (by === 'a key') {
    await client.query("update access_tokens set expires_at = now() - interval '1 h' where hash = $1", [
      hashToken(token),
    ]);
  } else if (caller === 'a customer') {
    await client.query('delete from access_tokens where hash = $1', [hashToken(token)]);
  } else await client.query("update users set role = 'user' where id = $1", [person.userId]);
}

const countWritten = async () =>
  (
    await shop.pool.query(
      `select (select count(*) from trail) as trail, (select count(*) from mail_outbox) as mails,
        (select count(*) from orders) as orders, (select count(*) from product_imports) as imports,
        (select count(*) from batch_lines) as lines, (select count(*) from downloads) as downloads`,
    )
  ).rows[0];

interface Outcome {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire gave.
  body: any;
}

/** The refusals of an act; many acts in one request are refused line by line. */
const readRefusals = ({ status, body }: Outcome): unknown[] =>
  status === 200 && Array.isArray(body.data)
    ? body.data.map((line: { error?: { code: string } }) => line.error?.code)
    : [status < 300 ? status : readCode({ body })];
const lostRights = [
  'admin-needed',
  'sign-in-needed',
  'not-yours',
  'not-found',
  'customers-only',
  'not-for-keys',
];
const expectRefused = (outcome: Outcome): void => {
  for (const refusal of readRefusals(outcome)) expect(refusal).toBeOneOf(lostRights);
};

/** Sends all but the last byte. @returns sends it, and resolves with the answer */
function sendAllButTheEnd(call: Call, { path, body = {}, headers }: Attempt, token: string) {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const sent = httpRequest(shop.url + path, {
    method: call.method,
    agent: false,
    headers: {
      'content-type': 'application/json',
      ...headers,
      'content-length': bytes.length,
      authorization: `Bearer ${token}`,
    },
  });
  sent.write(bytes.subarray(0, -1));
  return async (): Promise<Outcome> => {
    const answered = once(sent, 'response');
    sent.end(bytes.subarray(-1));
    const [response] = await answered;
    const answer = await text(response);
    return { status: response.statusCode, body: answer === '' ? null : JSON.parse(answer) };
  };
}

describe('a body whose end comes after the right has ended', () => {
  test.each(cases)('$name by $by of $caller is refused', async (given) => {
    const prepared = await prepare(given);
    const lookUp = vi.spyOn(shop.services.tokens, 'findOwner');
    const sendEnd = sendAllButTheEnd(given.call, prepared.attempt, prepared.token);
    await expect.poll(() => lookUp.mock.settledResults.map(({ type }) => type)).toEqual(['fulfilled']);
    await endRight(given, prepared);
    const before = await countWritten();
    expectRefused(await sendEnd());
    expect(await countWritten()).toEqual(before);
  });
});

describe('a right that ends in another process during the act', () => {
  test.each(cases)('$name by $by of $caller waits, and is refused', async (given) => {
    const prepared = await prepare(given);
    const { path, ...options } = prepared.attempt;
    const before = await countWritten();
    const sent = await withOwnConnection(shop.services.database, async (client) => {
      await client.query('begin');
      await endRightWithin(client, given, prepared);
      const answer = shop.request(path, { method: given.call.method, token: prepared.token, ...options });
      // The use of a key is noted, too, by a statement that waits.
      await expect.poll(() => countWaiting(client)).toBeGreaterThan(0);
      await client.query('commit');
      return { answer };
    });
    expectRefused(await sent.answer);
    expect(await countWritten()).toEqual(before);
  });
});

test('an act that waits is refused once its key has ended', async () => {
  const [maker, other] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'admin')];
  const product = await aProduct(shop);
  const key = await makeKey(maker, ['stock:write']);
  const lock = ['select from users where id = $1 for update', maker.userId] as const;
  const { act } = await whileLocked(shop, lock, async (client) => {
    const act = shop.request(`/product/${product._id}/stock`, {
      method: 'POST',
      token: key.text,
      headers: { 'idempotency-key': randomUUID() },
      body: { add: 5, reason: 'restock' },
    });
    await awaitWaiting(client, 1);
    const ended = await other.delete(`/key/${key.id}`);
    expect(ended.status).toBe(200);
    return { act };
  });
  expect([(await act).status, readCode(await act)]).toEqual([401, 'sign-in-needed']);
  expect((await readProduct(shop, product._id)).quantity).toBe(product.quantity);
});

test('a payment is not opened for a customer who signs out meanwhile', async () => {
  const customer = await signedInAs(shop, 'user');
  const order = await customer.orders(await aProduct(shop));
  await customer.opensPayment(order);
  const answer = await whileAsked(
    () => customer.post('/logout'),
    () => customer.asksToPay(order),
  );
  expectRefusal(answer, 401, 'sign-in-needed');
});

/** Runs `onAsk` before each payment that the shop looks up at the provider. */
const whileAsked = (onAsk: () => Promise<unknown>, act: () => Promise<Answer>): Promise<Answer> => {
  const { findPayment } = shop.services.payments;
  const findLater = async (id: string) => {
    await onAsk();
    return findPayment(id);
  };
  return withProvider(shop, { findPayment: findLater }, act);
};

/** Requests without end, several at once, until the returned function is called. */
function insist(requests: (() => Promise<unknown>)[]): () => Promise<unknown> {
  let isOver = false;
  const repeat = async (send: () => Promise<unknown>) => {
    while (!isOver) await send();
  };
  const insisting = requests.map(repeat);
  return () => {
    isOver = true;
    return Promise.all(insisting);
  };
}

test('administrators who act on each other do not deadlock', async () => {
  const [one, other] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'admin')];
  const customer = await signedInAs(shop, 'user');
  const acts = [
    { method: 'PUT', path: '/user/tax/', body: { tax: 'standard' } },
    { method: 'PUT', path: '/user/admin/', body: { role: 'admin' } },
    { method: 'DELETE', path: '/user/' },
    { method: 'POST', path: '/user/', suffix: '/reset-link' },
  ];
  const pairs = [
    [one, other],
    [other, one],
    [one, customer],
    [one, one],
  ] as const;
  const answers = await Promise.all(
    pairs.flatMap(([by, on]) =>
      acts.flatMap(({ path, suffix = '', ...act }) =>
        [shop, neighbour].map((at) => at.request(`${path}${on.email}${suffix}`, { ...act, token: by.token })),
      ),
    ),
  );
  for (const { status } of answers) expect(status).toBeOneOf([200, 401, 404, 409]);
});

describe('an administrator who insists', () => {
  test('does not undo a demotion', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { token, email, userId } = await signedInAs(shop, 'admin');
      const body = { role: 'admin' };
      const end = insist(
        [shop, shop, shop, neighbour, neighbour].map(
          (at) => () => at.request(`/user/admin/${email}`, { method: 'PUT', token, body }),
        ),
      );
      await demote({ email }, round % 2 === 0 ? shop : neighbour);
      await expect.poll(async () => (await neighbour.request('/user', { token })).status).toBe(403);
      await end();
      const { rows } = await shop.pool.query('select role from users where id = $1', [userId]);
      expect(rows).toEqual([{ role: 'user' }]);
    }
  });

  test('does not hold off a demotion by other acts', async () => {
    const { token, email } = await signedInAs(shop, 'admin');
    const parts = await Promise.all(Array.from({ length: 12 }, () => aProduct(shop)));
    let acts = 0;
    const end = insist(
      parts.map(({ _id }, index) => async () => {
        const method = 'PUT';
        const at = index % 2 === 0 ? shop : neighbour;
        const { status } = await at.request(`/product/${_id}`, { method, token, body: { quantity: acts } });
        if (status === 200) acts += 1;
      }),
    );
    await expect.poll(() => acts).toBeGreaterThan(30);
    // Refused with 503 if the acts go on before it.
    await demote({ email });
    await end();
  });
});

describe('an administrator who is demoted while the provider is asked', () => {
  test('refunds nothing', async () => {
    const [admin, { order, customer }] = [await signedInAs(shop, 'admin'), await aPendingOrder(shop)];
    const answer = await whileAsked(
      () => demote(admin),
      () => admin.post(`/order/${order._id}/refund`, { returnStock: true }),
    );
    expectRefusal(answer, 403, 'admin-needed');
    expect((await customer.reads(order))?.refund).toBeUndefined();
  });

  test('accepts no order', async () => {
    const [admin, { order, customer }] = [await signedInAs(shop, 'admin'), await aPendingOrder(shop)];
    const answer = await whileAsked(
      () => demote(admin),
      () => admin.accepts(order),
    );
    expectRefusal(answer, 403, 'admin-needed');
    expect((await customer.reads(order))?.status).toBe('pending');
  });

  test('accepts the orders before it, and none after', async () => {
    const admin = await signedInAs(shop, 'admin');
    const pending: Awaited<ReturnType<typeof aPendingOrder>>[] = [];
    for (let count = 0; count < 6; count += 1) pending.push(await aPendingOrder(shop));
    let asked = 0;
    let demoted: Promise<unknown> | undefined;
    const answer = await whileAsked(
      async () => {
        asked += 1;
        if (asked >= 5) demoted ??= demote(admin);
        await demoted;
      },
      () => admin.post('/order/bulk', { act: 'accept', ids: pending.map(({ order }) => order._id) }),
    );
    const lines: { id: string; ok: boolean; error?: { code: string } }[] = answer.body.data;
    const refused = lines.filter(({ ok }) => !ok);
    expect(new Set(refused.map(({ error }) => error?.code))).toEqual(new Set(['admin-needed']));
    // Four are asked at once. One of them ends before the fifth is asked, and the two last wait for the demotion.
    expect(lines.some(({ ok }) => ok)).toBe(true);
    expect(refused.length).toBeGreaterThanOrEqual(2);
    for (const [index, { order, customer }] of pending.entries()) {
      const now = await customer.reads(order);
      expect(now?.status).toBe(lines[index]?.ok ? 'paid' : 'pending');
    }
  });
});

test('parcels of many orders end with the right of their administrator', async () => {
  const admin = await signedInAs(shop, 'admin');
  const orders: Order[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { order } = await aPendingOrder(shop);
    await admin.accepts(order);
    orders.push(order);
  }
  const parcels = orders.map(({ number }) => ({ order: String(number), carrier: 'DHL', number: '7' }));
  const secondOrder = ['select from orders where id = $1 for update', orders[1]?._id] as const;
  const { held } = await whileLocked(shop, secondOrder, async (client) => {
    const sent = admin.post('/shipment/bulk', { parcels });
    await awaitWaiting(client, 1);
    // The second parcel's transaction holds the right until it ends.
    const demoted = demote(admin);
    await awaitWaiting(client, 2);
    // The third parcel's order is looked up after the demotion.
    const held = whileLocked(shop, ['lock table orders in access exclusive mode'], async () => {
      await demoted;
      return { sent };
    });
    await awaitWaiting(client, 3);
    return { held };
  });
  const answer = await (await held).sent;
  const lines: { ok: boolean; error?: { code: string } }[] = answer.body.data;
  expect(lines.map(({ ok, error }) => error?.code ?? ok)).toEqual([true, true, 'admin-needed']);
});
