import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { globSync, readFileSync } from 'node:fs';
import type { Delivery, Webhook } from '@parts-forge/contract/events/webhooks';
import { eq, sql } from 'drizzle-orm';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetEvents, numberEvents } from '#src/events/number-events.ts';
import { findMails } from '#src/mail-outbox/store.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { expectRefusal, readCode } from '#test/paying.ts';
import { readActivity } from '#test/trail.ts';
import { useShop } from '#test/use-shop.ts';
import { aReceiver, type Received, type Receiver } from '#test/webhook-receiver.ts';
import { webhooks } from './schema.ts';
import { createSender, startEvents } from './send-webhooks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const clock = createMovableClock();
const env = { WEBHOOK_HOSTS: '127.0.0.1, erp.example:443' };
const shop = useShop({ clock, env });
const other = useShop({ clock, env, shareDatabaseWith: shop });
let admin: Person;
let customer: Person;

const answerWith =
  (status: number, headers = {}): Receiver['answer'] =>
  (response) =>
    response.writeHead(status, headers).end();

afterEach(async () => {
  await shop.db.delete(webhooks);
});

const act = (method: string, path: string, body?: object) =>
  shop.request(path, { method, token: admin.token, ...(body && { body }) });

async function aWebhook(url: string, types: readonly string[] = ['order.placed']) {
  await numberEvents(shop.services);
  const answer = await act('POST', '/webhook', { url, types });
  if (answer.status !== 200) throw new Error(`It was refused: ${JSON.stringify(answer.body)}`);
  return answer.body as { secret: string; data: Webhook };
}
const read = async ({ data: { _id } }: { data: Webhook }): Promise<Webhook> =>
  (await act('GET', '/webhook')).body.data.find((each: Webhook) => each._id === _id);
const readDeliveries = async (made: { data: Webhook }): Promise<Delivery[]> => (await read(made)).deliveries;
const sendAll = ({ services } = shop) => createSender(services).run();
async function send(): Promise<void> {
  await numberEvents(shop.services);
  await sendAll();
}
/** @returns ms */
async function readWait({ data: { _id } }: { data: Webhook }): Promise<number> {
  const [row] = await shop.db.select().from(webhooks).where(eq(webhooks.id, _id));
  return Number(row?.nextAttemptAt) - clock.now().getTime();
}
beforeEach(() => pass(0));

/** Moves the clock, and signs the people in again. */
async function pass(ms: number): Promise<void> {
  clock.aheadMs += ms;
  [admin, customer] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'user')];
}
/** @returns their ids */
async function placeOrders(count: number): Promise<string[]> {
  const part = await aProduct(shop, { quantity: 50_000 });
  const ids: string[] = [];
  for (let placed = 0; placed < count; placed += 1) ids.push((await customer.orders(part))._id);
  return ids;
}
/** The verifier's own clock cannot be moved. */
function isSigned(request: Received | undefined, secret: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signed } = request?.headers ?? {};
  const expected = new Verifier(secret).sign(String(id), new Date(Number(at) * 1000), request?.body ?? '');
  return String(signed).split(' ').includes(expected);
}
const idsOf = ({ received }: Receiver) => received.map(({ id }) => id);

describe('sending', () => {
  test('a receiver verifies each event and gets all in order, once', async () => {
    const receiver = await aReceiver();
    const { secret } = await aWebhook(receiver.url);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const ids = await placeOrders(3);
    await send();
    await send();
    expect(idsOf(receiver)).toEqual(ids);
    for (const { headers, body, data } of receiver.received) {
      expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toEqual({
        type: 'order.placed',
        timestamp: data.at,
        data: expect.objectContaining({ id: headers['webhook-id'], order: data.order, change: -50 }),
      });
      expect(body).not.toContain(customer.email);
      expect(headers['user-agent']).toBe('shop-webhooks');
    }
  });

  test('a new webhook begins with the next event of its types', async () => {
    const receiver = await aReceiver();
    await placeOrders(1);
    const made = await aWebhook(receiver.url, ['part.deleted', 'order.paid']);
    await placeOrders(1);
    const part = await aProduct(shop);
    await act('DELETE', `/product/${part._id}`);
    await send();
    expect(receiver.received.map(({ data }) => [data.type, data.part])).toEqual([['part.deleted', part._id]]);
    expect(await read(made)).toMatchObject({ state: 'on', waiting: 0, last: { answer: '200' } });
  });

  test('several processes send each event once', async () => {
    const receiver = await aReceiver();
    await aWebhook(receiver.url);
    const ids = await placeOrders(6);
    await numberEvents(shop.services);
    await Promise.all([shop, other, shop, other].map(sendAll));
    expect(idsOf(receiver)).toEqual(ids);
  });

  test('an event that comes during a round is sent by it', async () => {
    const receiver = await aReceiver();
    await aWebhook(receiver.url);
    const [first = ''] = await placeOrders(1);
    let late: string[] = [];
    receiver.answer = async (response) => {
      receiver.answer = answerWith(200);
      late = await placeOrders(1);
      await numberEvents(other.services);
      await sendAll(other);
      response.end();
    };
    await send();
    expect(idsOf(receiver)).toEqual([first, ...late]);
  });

  test('a busy shop may pause after each event', async () => {
    const receiver = await aReceiver();
    await aWebhook(receiver.url);
    await placeOrders(2);
    await numberEvents(shop.services);
    const received: number[] = [];
    await createSender(shop.services, async () => received.push(receiver.received.length)).run();
    expect(received).toEqual([1, 2]);
  });

  test('an answer that no process recorded repeats the event with its id', async () => {
    const receiver = await aReceiver();
    await aWebhook(receiver.url);
    const [id] = await placeOrders(1);
    // As if the process died, and another took the webhook over.
    receiver.answer = async (response) => {
      receiver.answer = answerWith(200);
      await shop.db.update(webhooks).set({ nextAttemptAt: clock.now() });
      response.end();
    };
    await send();
    expect(idsOf(receiver)).toEqual([id, id]);
  });

  test('a shop that is open numbers and sends events', async () => {
    const receiver = await aReceiver();
    await aWebhook(receiver.url);
    const stop = startEvents(shop.services);
    const ids = await placeOrders(1);
    await vi.waitFor(() => expect(idsOf(receiver)).toEqual(ids), { timeout: 4_000 });
    await stop();
  });

  test('a shop that closes leaves its event to the next process', async () => {
    const receiver = await aReceiver();
    await aWebhook(receiver.url);
    const isAsked = new Promise<void>((resolve) => {
      receiver.answer = () => resolve();
    });
    const stop = startEvents(shop.services);
    const [id] = await placeOrders(1);
    await numberEvents(shop.services);
    await isAsked;
    await stop();
    receiver.answer = answerWith(200);
    await sendAll(other);
    expect(idsOf(receiver)).toEqual([id, id]);
  });

  test('an answer that comes before the shop closes is recorded', async () => {
    const receiver = await aReceiver();
    await aWebhook(receiver.url);
    const [id] = await placeOrders(1);
    await numberEvents(shop.services);
    const sender = createSender(shop.services);
    const close = vi.fn(() => sender.close());
    subscribe('http.client.response.finish', close);
    await sender.run();
    unsubscribe('http.client.response.finish', close);
    expect(close).toHaveBeenCalledOnce();
    await send();
    expect(idsOf(receiver)).toEqual([id]);
  });

  test('a restored copy sends nothing, tests included', async () => {
    const receiver = await aReceiver();
    const { data } = await aWebhook(receiver.url);
    await placeOrders(1);
    await numberEvents(shop.services);
    const copy = { ...shop.services, copiedAt: clock.now() };
    await createSender(copy).run();
    const services = shop.services as { copiedAt: Date | null };
    services.copiedAt = clock.now();
    // The calls were registered with these services.
    const refused = await act('POST', `/webhook/${data._id}/deliveries`, {});
    services.copiedAt = null;
    expectRefusal(refused, 409, 'restored-copy');
    expect(receiver.connections).toBe(0);
  });
});

describe('failures', () => {
  test('a dead receiver stops no other, and later gets all events', async () => {
    const [dead, well] = [await aReceiver(answerWith(500)), await aReceiver()];
    const made = await aWebhook(dead.url);
    await aWebhook(well.url);
    const ids = await placeOrders(2);
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await send();
      await pass(10 * MINUTE_MS);
    }
    ids.push(...(await placeOrders(1)));
    await send();
    expect(idsOf(well)).toEqual(ids);
    expect(new Set(idsOf(dead))).toEqual(new Set([ids[0]]));
    expect(await read(made)).toMatchObject({
      state: 'behind',
      waiting: 3,
      last: { type: 'order.placed', answer: '500' },
    });
    dead.answer = answerWith(204);
    dead.received.length = 0;
    await pass(HOUR_MS);
    await send();
    expect(idsOf(dead)).toEqual(ids);
    expect(await read(made)).toMatchObject({ state: 'on', waiting: 0 });
    expect(await readDeliveries(made)).toMatchObject([
      { type: 'order.placed', state: 'sent', answer: '204' },
    ]);
  });

  test('a failure is tried again within half a minute, then ever later', async () => {
    const receiver = await aReceiver(answerWith(500));
    const made = await aWebhook(receiver.url);
    await placeOrders(1);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await send();
      expect(receiver.received).toHaveLength(attempt);
      const wait = await readWait(made);
      waits.push(wait / MINUTE_MS);
      await pass(wait + 1000);
    }
    expect(waits[0]).toBeLessThan(0.31);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.at(-1)).toBeGreaterThan(300);
  });

  test('an event that is refused for an hour is set aside', async () => {
    const receiver = await aReceiver();
    const made = await aWebhook(receiver.url);
    const [refused, ...rest] = await placeOrders(3);
    receiver.answer = (response, { id }) => response.writeHead(id === refused ? 422 : 200).end();
    for (let minutes = 0; minutes < 60; minutes += 10) {
      await send();
      await pass(10 * MINUTE_MS);
    }
    expect(new Set(idsOf(receiver))).toEqual(new Set([refused]));
    await pass(30 * MINUTE_MS);
    await send();
    expect(idsOf(receiver).slice(-2)).toEqual(rest);
    expect(await read(made)).toMatchObject({ state: 'on', waiting: 0 });
    const [aside] = await readDeliveries(made);
    expect(aside).toMatchObject({ state: 'set-aside', answer: '422' });
    const again = { event: aside?.event };
    const path = `/webhook/${made.data._id}/deliveries`;
    expect((await act('POST', path, again)).body.data).toMatchObject({ state: 'failed' });
    expect(await readDeliveries(made)).toMatchObject([{ state: 'set-aside' }]);
    receiver.answer = answerWith(200);
    expect((await act('POST', path, again)).body.data).toMatchObject({ state: 'sent', answer: '200' });
    expect(idsOf(receiver).at(-1)).toBe(refused);
  });

  test('an outage between refusals does not restart their hour', async () => {
    const receiver = await aReceiver();
    const made = await aWebhook(receiver.url);
    await placeOrders(1);
    receiver.answer = (response) => response.writeHead(receiver.received.length % 2 ? 400 : 503).end();
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await send();
      await pass((await readWait(made)) + 1000);
    }
    await pass(HOUR_MS);
    await send();
    expect(await readDeliveries(made)).toMatchObject([{ state: 'set-aside', answer: '400', attempts: 7 }]);
  });

  test('an outage before a refusal counts as no hour of refusals', async () => {
    const receiver = await aReceiver(answerWith(503));
    const made = await aWebhook(receiver.url);
    await placeOrders(1);
    await send();
    await pass(5 * HOUR_MS);
    receiver.answer = answerWith(404);
    await send();
    await pass(HOUR_MS / 2 - 1);
    expect(await readDeliveries(made)).toMatchObject([{ state: 'failed', answer: '404', attempts: 2 }]);
    expect(await read(made)).toMatchObject({ state: 'behind', waiting: 1 });
  });

  test('a webhook goes off after five days, with a mail to administrators', async () => {
    const receiver = await aReceiver(answerWith(500));
    const made = await aWebhook(receiver.url);
    const ids = await placeOrders(1);
    await send();
    for (let attempt = 2; attempt <= 5; attempt += 1) {
      await pass((await readWait(made)) + 1000);
      await send();
    }
    await pass(5 * DAY_MS - HOUR_MS);
    await send();
    expect(await read(made)).toMatchObject({ state: 'behind' });
    await pass(7 * HOUR_MS);
    await send();
    expect(await read(made)).toMatchObject({ state: 'off', waiting: 1 });
    const mails = (await findMails(shop.db, {})).rows;
    expect(
      mails.filter(({ kind, userId }) => kind === 'webhook-off' && userId === admin.userId),
    ).toHaveLength(1);
    const [mail] = mails.filter(({ kind }) => kind === 'webhook-off');
    expect((await act('GET', `/mail/${mail?.id}`)).body.text).toContain('A webhook is switched off');
    expect((await readActivity(shop, '?what=webhook-changed'))[0]).toMatchObject({
      by: { kind: 'system' },
      before: { state: 'on' },
      after: { state: 'off', webhook: made.data._id },
    });
    const attempts = receiver.received.length;
    await pass(DAY_MS);
    await send();
    expect(receiver.received).toHaveLength(attempts);
    receiver.answer = answerWith(200);
    expect((await act('PATCH', `/webhook/${made.data._id}`, { state: 'on' })).body.data.state).toBe('on');
    await send();
    expect(idsOf(receiver).at(-1)).toBe(ids[0]);
  });

  test('a shop that stood still gives a webhook five attempts', async () => {
    const receiver = await aReceiver(answerWith(500));
    const made = await aWebhook(receiver.url);
    await placeOrders(1);
    await send();
    await pass(6 * DAY_MS);
    await send();
    expect(await read(made)).toMatchObject({ state: 'behind' });
    receiver.answer = answerWith(422);
    await send();
    await pass(2 * HOUR_MS);
    await send();
    expect(await readDeliveries(made)).toMatchObject([{ state: 'failed', attempts: 3 }]);
  });

  test('a clock that is set back delays no event', async () => {
    const receiver = await aReceiver();
    await aWebhook(receiver.url);
    await placeOrders(1);
    await send();
    await pass(-HOUR_MS);
    await placeOrders(1);
    await send();
    clock.aheadMs += HOUR_MS;
    expect(receiver.received).toHaveLength(2);
  });

  test('a change of the secret keeps the days of failures', async () => {
    const receiver = await aReceiver(answerWith(500));
    const made = await aWebhook(receiver.url);
    await placeOrders(1);
    await send();
    await act('PATCH', `/webhook/${made.data._id}`, { secret: 'new', state: 'on' });
    expect(await read(made)).toMatchObject({ state: 'behind' });
  });

  test('a webhook that fails to be recorded stops no other', async () => {
    const [broken, well] = [await aReceiver(), await aReceiver()];
    const made = await aWebhook(broken.url);
    await aWebhook(well.url);
    const ids = await placeOrders(2);
    await numberEvents(shop.services);
    const isBroken = Promise.withResolvers<void>();
    broken.answer = async (response) => {
      await shop.db.execute(
        sql`alter table webhooks add constraint broken check (url <> ${sql.raw(`'${broken.url}'`)}) not valid`,
      );
      response.end();
      isBroken.resolve();
    };
    well.answer = async (response) => {
      await isBroken.promise;
      // Takes longer than the other's refused update.
      await placeOrders(3);
      response.end();
    };
    await expect(sendAll()).rejects.toThrow();
    await shop.db.execute(sql`alter table webhooks drop constraint broken`);
    expect(idsOf(well)).toEqual(ids);
    expect(await read(made)).toMatchObject({ waiting: 2 });
  });

  test('an address that is gone (410) is switched off at once', async () => {
    const receiver = await aReceiver(answerWith(410));
    const made = await aWebhook(receiver.url);
    await placeOrders(1);
    await send();
    expect(await read(made)).toMatchObject({ state: 'off', last: { answer: '410' } });
  });

  test('events that were forgotten before they were sent leave one row', async () => {
    const receiver = await aReceiver();
    const made = await aWebhook(receiver.url);
    await placeOrders(1);
    await send();
    await placeOrders(2);
    await numberEvents(shop.services);
    await pass(31 * DAY_MS);
    const [kept] = await placeOrders(1);
    await numberEvents(shop.services);
    await forgetEvents(shop.services);
    await send();
    await send();
    expect(idsOf(receiver).at(-1)).toBe(kept);
    expect(receiver.received).toHaveLength(2);
    expect(await read(made)).toMatchObject({ state: 'on', waiting: 0 });
    expect(await readDeliveries(made)).toMatchObject([{ state: 'set-aside', answer: 'EVENTS_GONE' }]);
  });

  test('waiting events are counted within the next ten thousand', async () => {
    const made = await aWebhook('https://erp.example/');
    await shop.db.execute(sql`insert into events (id, type, at)
      select gen_random_uuid(), 'order.placed', ${clock.now().toISOString()} from generate_series(1, 10001)`);
    expect(await read(made)).toMatchObject({ state: 'on', waiting: 10_000 });
    await shop.db.execute(sql`delete from events where order_id is null and type = 'order.placed'`);
  });

  test('the newest hundred deliveries are kept', async () => {
    const receiver = await aReceiver();
    const { data } = await aWebhook(receiver.url);
    const path = `/webhook/${data._id}/deliveries`;
    for (let sent = 0; sent < 103; sent += 1) await act('POST', path, {});
    expect(await readDeliveries({ data })).toHaveLength(100);
  });
});

describe('administrators', () => {
  test('send a test, after which a failing webhook tries again', async () => {
    const receiver = await aReceiver(answerWith(500));
    const made = await aWebhook(receiver.url);
    const [id] = await placeOrders(1);
    await send();
    receiver.answer = answerWith(200);
    const { body } = await act('POST', `/webhook/${made.data._id}/deliveries`, {});
    expect(body.data).toEqual({ state: 'sent', answer: '200', ms: expect.any(Number) });
    expect((await readDeliveries(made))[0]).toMatchObject({ type: 'test', state: 'sent', attempts: 1 });
    expect(isSigned(receiver.received.at(-1), made.secret)).toBe(true);
    await send();
    expect(idsOf(receiver).at(-1)).toBe(id);
  });

  test('change the secret, and the former one verifies for a day', async () => {
    const receiver = await aReceiver();
    const made = await aWebhook(receiver.url);
    const lost = await act('PATCH', `/webhook/${made.data._id}`, { secret: 'new' });
    const { body } = await act('PATCH', `/webhook/${made.data._id}`, { secret: 'new' });
    const verified = async (secret: string) => {
      await placeOrders(1);
      await send();
      return isSigned(receiver.received.at(-1), secret);
    };
    const secrets = [made.secret, lost.body.secret, body.secret];
    for (const secret of secrets) expect(await verified(secret)).toBe(true);
    await pass(DAY_MS + 1000);
    expect([await verified(made.secret), await verified(body.secret)]).toEqual([false, true]);
  });

  test('changed six times, five former secrets sign beside the newest', async () => {
    const receiver = await aReceiver();
    const made = await aWebhook(receiver.url);
    const secrets = [made.secret];
    for (let changes = 0; changes < 6; changes += 1) {
      const { body } = await act('PATCH', `/webhook/${made.data._id}`, { secret: 'new' });
      secrets.push(body.secret);
    }
    await placeOrders(1);
    await send();
    const request = receiver.received.at(-1);
    expect(secrets.map((secret) => isSigned(request, secret))).toEqual([false, ...Array(6).fill(true)]);
  });

  test('switch off and remove a webhook', async () => {
    const receiver = await aReceiver();
    const made = await aWebhook(receiver.url);
    const path = `/webhook/${made.data._id}`;
    await act('PATCH', path, { state: 'off' });
    await placeOrders(1);
    await send();
    expect(idsOf(receiver)).toEqual([]);
    expect((await act('DELETE', path)).body).toEqual({ deletedCount: 1 });
    expect((await act('DELETE', path)).status).toBe(404);
    expect((await act('PATCH', path, { secret: 'new' })).status).toBe(404);
  });

  test("end with their maker's role, unless another administrator takes them over", async () => {
    const [maker, receiver] = [await signedInAs(shop, 'admin'), await aReceiver()];
    const own = await aWebhook(receiver.url);
    const body = { url: receiver.url, types: ['order.placed'] };
    const make = async () => (await maker.post('/webhook', body)).body as typeof own;
    const [ended, kept] = [await make(), await make()];
    const { name, email, userId: _id } = maker;
    expect(await read(ended)).toMatchObject({ madeBy: { _id, name, email }, createdAt: expect.any(String) });
    expect((await act('PATCH', `/webhook/${kept.data._id}`, { state: 'on' })).status).toBe(200);
    await act('PUT', `/user/admin/${email}`, { role: 'user' });
    const readStates = async () =>
      (await Promise.all([own, ended, kept].map(read))).map(({ state }) => state);
    expect(await readStates()).toEqual(['on', 'off', 'on']);
    await placeOrders(1);
    await send();
    expect(receiver.received).toHaveLength(2);
    const entries = await readActivity(shop, '?what=webhook-changed');
    expect(entries[0]).toMatchObject({ by: { _id: admin.userId }, after: { state: 'off' } });
    await act('PATCH', `/webhook/${ended.data._id}`, { state: 'on' });
    expect((await read(ended)).madeBy?._id).toBe(admin.userId);
    // As they were before makers were kept.
    await shop.db.update(webhooks).set({ madeBy: null });
    const [file = ''] = globSync('migrations/*_webhook_makers.sql', { cwd: 'api' });
    await shop.db.execute(sql.raw(readFileSync(`api/${file}`, 'utf8').split('breakpoint').at(-1) ?? ''));
    expect((await read(own)).madeBy?._id).toBe(admin.userId);
    expect([await readStates(), (await read(kept)).madeBy?.name]).toEqual([['on', 'off', 'off'], maker.name]);
  });

  test('send no event that is unknown', async () => {
    const receiver = await aReceiver();
    const { data } = await aWebhook(receiver.url);
    const path = `/webhook/${data._id}/deliveries`;
    expect((await act('POST', path, { event: 99_999_999 })).status).toBe(404);
    expect((await act('POST', `/webhook/${randomUUID()}/deliveries`, {})).status).toBe(404);
    for (const event of [0, -1, 1.5, '7', 1e300])
      expect((await act('POST', path, { event })).status).toBe(422);
    expect(receiver.connections).toBe(0);
  });

  test('have at most ten webhooks, also when they make many at once', async () => {
    const body = { url: 'https://erp.example/events', types: ['order.paid'] };
    const answers = await Promise.all(Array.from({ length: 12 }, () => act('POST', '/webhook', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.errors).toEqual([
      { path: 'url', message: 'The shop has 10 webhooks already; remove one first' },
    ]);
  });

  test('need a recent sign-in for secrets', async () => {
    const { data } = await aWebhook('https://erp.example/');
    clock.aheadMs += 11 * MINUTE_MS;
    const path = `/webhook/${data._id}`;
    const late = [
      await act('POST', '/webhook', { url: 'https://erp.example/', types: ['order.paid'] }),
      await act('PATCH', path, { secret: 'new' }),
    ];
    expect(late.map(readCode)).toEqual(Array(2).fill('sign-in-again'));
    expect((await act('PATCH', path, { state: 'off' })).status).toBe(200);
  });

  test('see no secret again', async () => {
    const made = await aWebhook('https://erp.example/');
    const shown = [
      await act('GET', '/webhook'),
      await act('PATCH', `/webhook/${made.data._id}`, { state: 'off' }),
    ];
    const entries = await readActivity(shop, `?who=${admin.userId}`);
    expect(JSON.stringify([shown.map(({ body }) => body), entries])).not.toContain('whsec_');
    const [row] = await shop.db.select().from(webhooks).where(eq(webhooks.id, made.data._id));
    expect(row?.secret).toBe(made.secret);
  });
});

describe('refused addresses', () => {
  test.each([
    'http://erp.example/',
    'ftp://erp.example/',
    'ftp://127.0.0.1/',
    'erp.example',
    'https://',
    'https://user:pw@erp.example/',
    'https://user@erp.example/',
    'https://erp.example/#part',
    'https://erp.example/#',
    'https://127.0.0.2/',
    'https://metadata.google.internal/',
    'https://localhost/',
    'https://erp.localhost./',
    'https://168.63.129.16/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://172.16.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://0.0.0.0/',
    'https://2130706434/',
    'https://0x7f.2/',
    'https://0177.0.0.2/',
    'https://127.2/',
    'https://127.0.0.2./',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[64:ff9b:1::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[ff02::1]/',
    'https://[2001:0:7f00:1::]/',
    'https://[::127.0.0.2]/',
    'https://[4000::1]/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'http://2130706433.erp.example/',
    `https://erp.example/${'x'.repeat(500)}`,
    7,
    null,
  ])('POST /webhook refuses the address %j', async (url) => {
    const { status, body } = await act('POST', '/webhook', { url, types: ['order.paid'] });
    expect([status, body.errors]).toEqual([422, [{ path: 'url', message: expect.any(String) }]]);
  });

  test('PATCH /webhook refuses another address and odd states', async () => {
    const { data } = await aWebhook('https://erp.example/');
    for (const body of [{ url: 'https://mail.example/' }, { types: ['order.paid'] }, { state: 'no' }]) {
      const { status, body: refusal } = await act('PATCH', `/webhook/${data._id}`, body);
      expect([status, refusal.errors[0].path]).toEqual([422, Object.keys(body)[0]]);
    }
    expect(await read({ data })).toMatchObject({ url: 'https://erp.example/', types: ['order.placed'] });
  });

  test.each([[[]], [['order.paid', 'order.paid']], [['order.*']], ['order.paid'], [undefined]])(
    'POST /webhook refuses the types %j',
    async (types) => {
      const { status, body } = await act('POST', '/webhook', { url: 'https://erp.example/', types });
      expect([status, body.errors[0].path]).toEqual([422, expect.stringMatching(/^types/)]);
    },
  );

  test('a redirect is not followed', async () => {
    const secret = await aReceiver();
    const receiver = await aReceiver(answerWith(302, { location: secret.url }));
    const made = await aWebhook(receiver.url);
    await placeOrders(1);
    await send();
    await act('POST', `/webhook/${made.data._id}/deliveries`, {});
    expect(secret.connections).toBe(0);
    const answers = (await readDeliveries(made)).map(({ state, answer }) => [state, answer]);
    expect(answers).toEqual(Array(2).fill(['failed', '302']));
  });

  test('a name of this machine gets no connection', async () => {
    const receiver = await aReceiver();
    const url = `https://localhost:${new URL(receiver.url).port}/`;
    const made = await aWebhook('https://erp.example/');
    await shop.db.update(webhooks).set({ url }).where(eq(webhooks.id, made.data._id));
    await placeOrders(1);
    await send();
    const { body } = await act('POST', `/webhook/${made.data._id}/deliveries`, {});
    expect(body.data.state).toBe('failed');
    expect(await read(made)).toMatchObject({ state: 'behind' });
    expect(receiver.connections).toBe(0);
  });

  test.each(['http://127.0.0.2/', 'https://[::ffff:169.254.169.254]/', 'https://2130706434/'])(
    'the stored address %s gets no connection',
    async (url) => {
      const made = await aWebhook('https://erp.example/');
      await shop.db.update(webhooks).set({ url }).where(eq(webhooks.id, made.data._id));
      const { body } = await act('POST', `/webhook/${made.data._id}/deliveries`, {});
      expect(body.data).toMatchObject({ state: 'failed', answer: 'PRIVATE_ADDRESS' });
    },
  );
});
