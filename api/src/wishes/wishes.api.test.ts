import { randomUUID } from 'node:crypto';
import type { Product } from '@parts-forge/contract/products/products';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeReminders } from '#src/mail/write-reminders.ts';
import { mailOutbox } from '#src/mail-outbox/schema.ts';
import { findMailsTo } from '#src/mail-outbox/store.ts';
import { expireOrders } from '#src/orders/expire-orders.ts';
import { createOrderPayments } from '#src/payments/order-payments.ts';
import { products } from '#src/products/schema.ts';
import { users } from '#src/users/schema.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { applyFile } from '#test/imports.ts';
import { startMailServer } from '#test/mail-server.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { expectRefusal, readCode } from '#test/paying.ts';
import type { TestShop } from '#test/start-shop.ts';
import { prepared, startForTest, useShop } from '#test/use-shop.ts';
import { wishes } from './schema.ts';

let admin: Person;
let customer: Person;
const clock = createMovableClock();
const HOUR_MS = 3_600_000;

const server = prepared(startMailServer, (s) => s.close());
const shop = useShop(() => ({ clock, env: server.env }));
const neighbour = useShop(() => ({ clock, env: server.env, shareDatabaseWith: shop }));
beforeEach(async () => {
  server.mood = 'takes';
  server.mails.length = 0;
  await shop.db.delete(mailOutbox);
  await shop.db.delete(wishes);
  [admin, customer] = [await signedInAs(shop, 'admin'), await aCustomer()];
});

/** With a confirmed address. */
async function aCustomer(): Promise<Person> {
  const person = await signedInAs(shop, 'user');
  await shop.db.update(users).set({ emailVerified: true }).where(eq(users.id, person.userId));
  return person;
}

const aScarcePart = () => aProduct(shop, { quantity: 20, minimumOrder: 50 });
const ask = (method: string, { _id }: Pick<Product, '_id'>, { token } = customer, on = shop) =>
  on.request(`/product/${_id}/wish`, { method, token });
const isWaiting = async (part: Product, person = customer) => (await ask('GET', part, person)).body.waiting;
const act = (method: string, path: string, body: object, headers: Record<string, string> = {}) =>
  shop.request(path, { method, token: admin.token, body, headers });
const correctStock = ({ _id }: Product, quantity: number) => act('PUT', `/product/${_id}`, { quantity });

/** Subjects of all mails to the person, after a round of the jobs. */
async function readMails({ email } = customer): Promise<(string | undefined)[]> {
  await writeReminders(shop.services);
  await shop.services.mailer.sendDue();
  return server.to(email).map(({ subject }) => subject);
}
const subjectOf = ({ name }: Product) => `Can be ordered again: ${name}`;
const readStopToken = () => /#token=([\w.-]+)/.exec(server.to(customer.email).at(-1)?.text ?? '')?.[1];

describe('a wish', () => {
  test('waits until the stock reaches the minimum order, and is mailed once', async () => {
    const part = await aScarcePart();
    expect((await ask('POST', part)).body).toEqual({ waiting: true });
    expect((await ask('POST', part)).status).toBe(200);
    await correctStock(part, 49);
    expect(await readMails()).toEqual([]);
    expect(await isWaiting(part)).toBe(true);
    await correctStock(part, 50);
    expect(await readMails()).toEqual([subjectOf(part)]);
    expect(await isWaiting(part)).toBe(false);
    await correctStock(part, 10);
    await correctStock(part, 500);
    expect(await readMails()).toHaveLength(1);
    const [mail] = server.to(customer.email);
    expect(mail?.text).toContain('50 pieces are in stock now');
    expect(mail?.text).toContain(`/products/${part._id}/`);
  });

  test('rests while its customer is an administrator', async () => {
    const part = await aScarcePart();
    await ask('POST', part);
    const setRole = (role: 'admin' | 'user') =>
      shop.db.update(users).set({ role }).where(eq(users.id, customer.userId));
    await setRole('admin');
    await correctStock(part, 500);
    expect(await readMails()).not.toContain(subjectOf(part));
    await setRole('user');
    expect(await readMails()).toContain(subjectOf(part));
  });

  test('can be made again after its mail', async () => {
    const part = await aScarcePart();
    for (const round of [1, 2]) {
      await correctStock(part, 10);
      await ask('POST', part);
      await correctStock(part, 500);
      expect(await readMails()).toHaveLength(round);
    }
  });

  const ways: Record<string, (part: Product) => Promise<unknown>> = {
    'a restock': ({ _id }) =>
      act(
        'POST',
        `/product/${_id}/stock`,
        { add: 400, reason: 'restock' },
        { 'idempotency-key': randomUUID() },
      ),
    'a file': ({ number }) => applyFile(admin, `number,add\n${number},400`),
    'a correction': (part) => correctStock(part, 500),
  };
  test.each(Object.keys(ways))('is mailed after %s', async (way) => {
    const part = await aScarcePart();
    await ask('POST', part);
    await ways[way]?.(part);
    expect(await readMails()).toEqual([subjectOf(part)]);
  });

  test('is mailed after a lowered minimum', async () => {
    const part = await aProduct(shop, { quantity: 60, minimumOrder: 70 });
    await ask('POST', part);
    const { status } = await act(
      'PATCH',
      `/product/${part._id}`,
      { minimumOrder: 50 },
      { 'if-match': '"1"' },
    );
    expect(status).toBe(200);
    expect(await readMails()).toEqual([subjectOf(part)]);
  });

  test.each(['cancelled', 'expired', 'refunded'])('is mailed after an order is %s', async (end) => {
    const [part, buyer] = [await aProduct(shop, { quantity: 60, minimumOrder: 50 }), await aCustomer()];
    const order = await buyer.orders(part);
    await ask('POST', part);
    expect(await readMails()).toEqual([]);
    if (end === 'cancelled') await buyer.cancels(order);
    if (end === 'refunded') {
      await buyer.pays(order);
      await admin.refunds(order, { returnStock: true });
    }
    if (end === 'expired') {
      clock.aheadMs += 73 * HOUR_MS;
      await expireOrders(shop.services, createOrderPayments(shop.services));
    }
    expect(await readMails()).toEqual([subjectOf(part)]);
  });

  test('is mailed once by two processes', async () => {
    const parts = await Promise.all(Array.from({ length: 5 }, aScarcePart));
    for (const part of parts) {
      await ask('POST', part);
      await correctStock(part, 500);
    }
    const round = async ({ services }: TestShop) => {
      await writeReminders(services);
      await services.mailer.sendDue();
    };
    await Promise.all([round(shop), round(neighbour), round(shop), round(neighbour)]);
    expect(await readMails()).toEqual([expect.stringMatching(/^Can be ordered again: .* and 2 more$/)]);
    for (const { name } of parts) expect(server.to(customer.email)[0]?.text).toContain(name);
  });

  test('is mailed by a later attempt after the server’s refusal', async () => {
    const part = await aScarcePart();
    await ask('POST', part);
    await correctStock(part, 500);
    server.mood = 'busy';
    expect(await readMails()).toEqual([]);
    expect(await isWaiting(part)).toBe(true);
    server.mood = 'takes';
    clock.aheadMs += HOUR_MS;
    expect(await readMails()).toEqual([subjectOf(part)]);
    expect(await findMailsTo(shop.db, customer.userId)).toHaveLength(1);
  });

  test('survives a part that sells out before its mail', async () => {
    const part = await aScarcePart();
    await ask('POST', part);
    await correctStock(part, 500);
    await writeReminders(shop.services);
    await correctStock(part, 10);
    expect(await readMails()).toEqual([]);
    expect(await isWaiting(part)).toBe(true);
    await correctStock(part, 500);
    expect(await readMails()).toEqual([subjectOf(part)]);
  });

  test('ends when the server refuses its mail for good', async () => {
    const part = await aScarcePart();
    await ask('POST', part);
    await correctStock(part, 500);
    server.mood = 'refuses';
    await readMails();
    server.mood = 'takes';
    expect(await readMails()).toEqual([]);
    expect(await isWaiting(part)).toBe(false);
    shop.expectErrors([{ msg: 'a mail was given up', reason: '554' }]);
  });

  test('stopped while its mail waits is not mailed', async () => {
    const part = await aScarcePart();
    await ask('POST', part);
    await correctStock(part, 500);
    await writeReminders(shop.services);
    expect((await ask('DELETE', part)).body).toEqual({ deletedCount: 1 });
    expect((await ask('DELETE', part)).body).toEqual({ deletedCount: 0 });
    expect(await readMails()).toEqual([]);
  });
});

describe('asking', () => {
  test('is refused for a part that can be ordered', async () => {
    const part = await aProduct(shop);
    expectRefusal(await ask('POST', part), 409, 'can-be-ordered');
    expect(await isWaiting(part)).toBe(false);
  });

  test('is refused for an unknown or deleted part', async () => {
    const gone = await aScarcePart();
    await admin.delete(`/product/${gone._id}`);
    for (const _id of [gone._id, randomUUID(), 'x']) expect((await ask('POST', { _id })).status).toBe(404);
  });

  test('needs a confirmed address', async () => {
    const stranger = await signedInAs(shop, 'user');
    expectRefusal(await ask('POST', await aScarcePart(), stranger), 403, 'email-not-verified');
  });

  test('is refused above a hundred wishes, also when sent at once', async () => {
    const parts = await Promise.all(Array.from({ length: 102 }, aScarcePart));
    const answers = await Promise.all(parts.map((part) => ask('POST', part)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(readCode)).toEqual(['too-many-wishes', 'too-many-wishes']);
    const first = parts[answers.findIndex(({ status }) => status === 200)] as Product;
    expect((await ask('POST', first)).status).toBe(200);
  });

  test('is not offered without a mail server', async () => {
    const silent = await startForTest({ clock, shareDatabaseWith: shop });
    expect((await silent.request('/config')).body.wishes).toBe(false);
    const part = await aScarcePart();
    expect((await ask('POST', part, customer, silent)).status).toBe(404);
    await ask('POST', part);
    await correctStock(part, 500);
    await writeReminders(silent.services);
    expect(await findMailsTo(shop.db, customer.userId)).toEqual([]);
    expect((await ask('DELETE', part, customer, silent)).body).toEqual({ deletedCount: 1 });
  });
});

describe('the link of the mail', () => {
  const stop = (token: unknown) => shop.request('/wish/stop', { method: 'POST', body: { token } });

  test('ends all wishes of its reader without a sign-in', async () => {
    const [back, other] = [await aScarcePart(), await aScarcePart()];
    for (const part of [back, other]) await ask('POST', part);
    const neighbours = await aCustomer();
    await ask('POST', other, neighbours);
    await correctStock(back, 500);
    await readMails();
    const token = readStopToken();
    expect(await isWaiting(other)).toBe(true);
    expect((await stop(token)).body).toEqual({ deletedCount: 1 });
    expect((await stop(token)).body).toEqual({ deletedCount: 0 });
    expect([await isWaiting(other), await isWaiting(other, neighbours)]).toEqual([false, true]);
  });

  test('is dead when forged', async () => {
    const part = await aScarcePart();
    await ask('POST', part);
    await correctStock(part, 500);
    await readMails();
    const [, mac] = readStopToken()?.split('.') ?? [];
    for (const token of [customer.userId, `${customer.userId}.`, `${admin.userId}.${mac}`, 'ü.ü']) {
      expectRefusal(await stop(token), 409, 'dead-link');
    }
    expect((await stop('')).status).toBe(422);
  });

  test('is neither stored nor shown to administrators', async () => {
    const part = await aScarcePart();
    await ask('POST', part);
    await correctStock(part, 500);
    await readMails();
    const token = readStopToken() ?? '';
    const { rows } = await shop.pool.query(
      'select t::text from mail_outbox t union all select t::text from settings t',
    );
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[1]);
    const [mail] = await findMailsTo(shop.db, customer.userId);
    const { status, body } = await admin.get(`/mail/${mail?.id}`);
    expect([status, body.text.includes(token)]).toEqual([200, false]);
  });
});

describe('the wishes of an account', () => {
  test('are in its data export', async () => {
    const part = await aScarcePart();
    await ask('POST', part);
    const { body } = await customer.get(`/user/${encodeURIComponent(customer.email)}/data`);
    expect(body.wishes).toEqual([{ product: part._id, name: part.name, at: expect.any(String) }]);
  });

  test.each(['an administrator', 'the customer'])('end when %s deletes it', async (by) => {
    const part = await aScarcePart();
    await ask('POST', part);
    const deleter = by === 'the customer' ? customer : admin;
    const path = `/user/${encodeURIComponent(customer.email)}`;
    expect((await deleter.delete(path)).status).toBe(200);
    expect(await shop.db.$count(wishes)).toBe(0);
    await correctStock(part, 500);
    expect(await readMails()).toEqual([]);
  });
});

test('wishes of a deleted part end with the next round', async () => {
  const part = await aScarcePart();
  await ask('POST', part);
  await admin.delete(`/product/${part._id}`);
  await shop.db.update(products).set({ quantity: 500 }).where(eq(products.id, part._id));
  expect(await readMails()).toEqual([]);
  expect(await shop.db.$count(wishes)).toBe(0);
});

test('administrators read how many wait for each part, most first', async () => {
  const [few, many] = [await aScarcePart(), await aScarcePart()];
  for (const part of [few, many]) await ask('POST', part);
  await ask('POST', many, await aCustomer());
  const { body } = await admin.get('/wish');
  expect(body.data).toEqual([
    { product: many._id, count: 2 },
    { product: few._id, count: 1 },
  ]);
});
