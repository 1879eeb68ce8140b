import { MAX_OPEN_QUOTES } from '@parts-forge/contract/calls/bounds';
import type { Quote } from '@parts-forge/contract/prices/quotes';
import type { Product } from '@parts-forge/contract/products/products';
import { addDays, beginDay, readDay } from '@parts-forge/contract/text/days';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeReminders } from '#src/mail/write-reminders.ts';
import { mailOutbox } from '#src/mail-outbox/schema.ts';
import { findMailsTo } from '#src/mail-outbox/store.ts';
import { products } from '#src/products/schema.ts';
import { aProduct, orderBody, type Person, signedInAgain, signedInAs } from '#test/builders.ts';
import { startMailServer } from '#test/mail-server.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { prepared, useShop } from '#test/use-shop.ts';
import { queueBehind } from '#test/waiting-statements.ts';
import { agreedPrices, quotes } from './schema.ts';

const ZONE = 'Europe/Berlin';
const clock = createMovableClock();
const server = prepared(startMailServer, (s) => s.close());
const shop = useShop(() => ({ clock, env: { ...server.env, SHOP_TIME_ZONE: ZONE } }));
const neighbour = useShop(() => ({ clock, env: server.env, shareDatabaseWith: shop }));
let admin: Person;
let customer: Person;
let part: Product;
beforeEach(async () => {
  clock.aheadMs = 0;
  await shop.db.delete(mailOutbox);
  await shop.db.delete(agreedPrices);
  server.mails.length = 0;
  [admin, customer] = [await signedInAs(shop, 'admin'), await signedInAs(shop, 'user')];
  part = await aProduct(shop, { price: 64.5, quantity: 100, orderStep: 25 });
});

const inDays = (count: number) => addDays(readDay(clock.now(), ZONE), count);
const ask = (body: object = {}, person = customer, headers = {}) =>
  person.post('/quote', { lines: [{ productId: part._id, quantity: 500 }], ...body }, headers);
const aQuote = async (body?: object): Promise<Quote> => (await ask(body)).body.data;
const answer = ({ _id }: Pick<Quote, '_id'>, body: object = {}, person = admin) =>
  person.post(`/quote/${_id}/answer`, {
    lines: [{ productId: part._id, fromQuantity: 50, price: 60 }],
    until: inDays(9),
    ...body,
  });
const list = async (query = '', person = customer): Promise<Quote[]> =>
  (await person.get(`/quote${query}`)).body.data;
const readErrors = ({ status, body }: Awaited<ReturnType<typeof ask>>) => {
  expect(status).toBe(422);
  return body.errors.map(({ path, message }: Record<string, string>) => `${path}: ${message}`);
};
const readMails = async ({ email } = customer) => {
  await shop.services.mailer.sendDue();
  return server.to(email).map(({ subject }) => subject);
};

describe('asking for prices', () => {
  test('gives a quote that its customer and administrators see', async () => {
    const lines = [{ productId: part._id, quantity: 500, wished: 58 }];
    const { status, body } = await ask({ lines, note: ' Weekly from January. ' });
    expect([status, body.data]).toMatchObject([
      200,
      {
        state: 'asked',
        customer: { email: customer.email },
        lines: [{ product: { _id: part._id, price: 64.5 }, quantity: 500, wished: 58, prices: [] }],
        note: 'Weekly from January.',
      },
    ]);
    expect(body.data.number).toBeGreaterThan(100);
    expect(await list()).toEqual([body.data]);
    for (const q of [part.number, ` q-${body.data.number}`]) {
      expect(await list(`?state=asked&q=${encodeURIComponent(q)}`, admin)).toEqual([body.data]);
    }
    expect(await list(`?q=Q-${body.data.number + 1}`, admin)).toEqual([]);
    expect(await list('?state=answered')).toEqual([]);
    expect(await list('', await signedInAs(shop, 'user'))).toEqual([]);
  });

  test('refuses each line with its place', async () => {
    const gone = await aProduct(shop);
    await admin.delete(`/product/${gone._id}`);
    const lines = [
      { productId: part._id, quantity: 500 },
      { productId: part._id, quantity: 525 },
      { productId: gone._id, quantity: 500 },
      { productId: (await aProduct(shop, { orderStep: 25 }))._id, quantity: 490 },
      { productId: (await aProduct(shop))._id, quantity: 49 },
    ];
    expect(readErrors(await ask({ lines }))).toEqual([
      'lines.1.productId: Each part once',
      'lines.2.productId: No part on sale has this id',
      'lines.3.quantity: Please order in steps of 25',
      'lines.4.quantity: Please order minimum 50',
    ]);
    expect((await ask({ lines: [] })).status).toBe(422);
    expect((await ask({ note: 'x'.repeat(501) })).status).toBe(422);
  });

  test('asks once for a repeated key', async () => {
    const headers = { 'idempotency-key': 'press-1' };
    const answers = await Promise.all([ask({}, customer, headers), ask({}, customer, headers)]);
    expect(new Set(answers.map(({ body }) => body.data._id)).size).toBe(1);
    expect((await ask({ note: 'Other' }, customer, headers)).status).toBe(422);
  });

  test('waits for answers to ten at most, also when sent at once', async () => {
    const asked = await Promise.all(Array.from({ length: MAX_OPEN_QUOTES + 2 }, () => ask()));
    const refused = asked.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body.type)).toEqual(
      Array(2).fill(expect.stringContaining('too-many-quotes')),
    );
    const [first] = await list();
    expect((await customer.post(`/quote/${first?._id}/withdraw`, {})).body.data.state).toBe('withdrawn');
    expect((await ask()).status).toBe(200);
  });
});

describe('an answer', () => {
  test('is what the customer pays until its end', async () => {
    const quote = await aQuote();
    const { status, body } = await answer(quote, { note: 'From these pieces upwards.' });
    const prices = [{ fromQuantity: 50, price: 60, until: inDays(9) }];
    expect([status, body.data]).toMatchObject([
      200,
      { state: 'answered', until: inDays(9), answerNote: 'From these pieces upwards.', lines: [{ prices }] },
    ]);
    expect(await list('?state=answered')).toEqual([body.data]);
    const { data } = (await customer.get('/agreed-price')).body;
    expect(data).toMatchObject([{ price: 60, quote: { _id: quote._id, number: quote.number } }]);
    const placed = await customer.post('/order', { ...orderBody(customer, part, 50), totalPrice: 3000 });
    expect(placed.status).toBe(200);
  });

  test('stands beside a price agreed by hand, and the lower counts', async () => {
    const key = { customer: customer.email, productId: part._id, fromQuantity: 50 };
    await admin.put('/agreed-price', { ...key, price: 62 });
    await answer(await aQuote());
    const own = (await customer.get(`/price?products=${part._id}`)).body.data;
    expect(own[0].ownPrices.map(({ price }: { price: number }) => price)).toEqual([60, 62]);
    clock.aheadMs = beginDay(inDays(10), ZONE).getTime() - Date.now();
    customer = await signedInAgain(shop, customer);
    const placed = await customer.post('/order', { ...orderBody(customer, part, 50), totalPrice: 3100 });
    expect(placed.status).toBe(200);
  });

  test('is given once by two administrators at once', async () => {
    const quote = await aQuote();
    const other = await signedInAs(shop, 'admin');
    const tries = await Promise.all([
      answer(quote),
      answer(quote, {}, other),
      other.post(`/quote/${quote._id}/decline`, {}),
      customer.post(`/quote/${quote._id}/withdraw`, {}),
    ]);
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await shop.db.$count(agreedPrices)).toBe(
      tries.slice(0, 2).some((each) => each.status === 200) ? 1 : 0,
    );
  });

  test('refuses each line with its place, and an end in the past', async () => {
    const quote = await aQuote();
    const line = { productId: part._id, fromQuantity: 50, price: 60 };
    const other = { ...line, productId: (await aProduct(shop))._id };
    expect(readErrors(await answer(quote, { lines: [line, other, line] }))).toEqual([
      'lines.1.productId: Nobody asked for this part',
      'lines.2.fromQuantity: Each quantity of a part once',
    ]);
    await admin.delete(`/product/${part._id}`);
    expect(readErrors(await answer(quote))).toEqual(['lines.0.productId: No part on sale has this id']);
    await shop.db.update(products).set({ deletedAt: null }).where(eq(products.id, part._id));
    const late = await answer(quote, { until: inDays(-1) });
    expect(readErrors(late)).toEqual(['until: Must be today or later']);
    expect((await answer(quote, { lines: [line, { ...line, fromQuantity: 500, price: 58 }] })).status).toBe(
      200,
    );
  });

  test('is not for customers, strangers and keys without the scope', async () => {
    const quote = await aQuote();
    const stranger = await signedInAs(shop, 'user');
    expect((await answer(quote, {}, customer)).status).toBe(403);
    expect((await stranger.post(`/quote/${quote._id}/withdraw`, {})).status).toBe(404);
    const { key } = (await customer.post('/key', { name: 'ERP', scopes: ['orders:read'] })).body;
    for (const path of ['/quote', '/agreed-price', `/price?products=${part._id}`]) {
      expect((await shop.request(path, { token: key })).status, path).toBe(403);
    }
  });
});

describe('mails', () => {
  test('tell administrators of a quote, and the customer of its answer', async () => {
    const quote = await aQuote();
    expect(await readMails(admin)).toEqual([`Asked for prices: ${customer.name}`]);
    await answer(quote, { note: 'Thanks for asking.' });
    expect(await readMails()).toEqual([expect.stringMatching(/^Your prices until \d+ \w+ \d+$/)]);
    const text = server.to(customer.email)[0]?.text;
    expect(text).toContain('You have your own price for 1 part until');
    expect(text).toContain('Thanks for asking.');
    await admin.post(`/quote/${(await aQuote())._id}/decline`, { note: 'Not now.' });
    expect((await readMails()).at(-1)).toBe('Your request for prices was declined');
  });

  test('say nothing of a withdrawn quote', async () => {
    await customer.post(`/quote/${(await aQuote())._id}/withdraw`, {});
    expect(await readMails(admin)).toEqual([]);
  });

  test('tell of ends three days before, once a day for all parts', async () => {
    const other = await aProduct(shop);
    const agree = ({ _id: productId }: Product, days: number) =>
      admin.put('/agreed-price', {
        customer: customer.email,
        productId,
        fromQuantity: 50,
        price: 15,
        until: inDays(days),
      });
    await agree(part, 6);
    await agree(other, 6);
    await agree(await aProduct(shop), 3);
    // Has ended before the mail.
    await answer(await aQuote(), { until: inDays(1) });
    await shop.db.delete(mailOutbox);
    const end = new Date(inDays(6)).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
    const round = () => Promise.all([writeReminders(shop.services), writeReminders(neighbour.services)]);
    await round();
    expect(await readMails()).toEqual([]);
    clock.aheadMs = beginDay(inDays(3), ZONE).getTime() - Date.now();
    await round();
    await round();
    expect(await readMails()).toEqual([`Your price ends on ${end}: 2 parts`]);
    expect(server.to(customer.email)[0]?.text).toContain(other.number);
    expect(await findMailsTo(shop.db, customer.userId)).toHaveLength(1);
  });

  test('tell of a great many ends in several rounds', async () => {
    const people = [customer.userId, (await signedInAs(shop, 'user')).userId].sort();
    await shop.pool.query(
      `insert into agreed_prices (id, user_id, product_id, from_quantity, price_cents, until, created_at)
       select gen_random_uuid(), customer, $2, pieces, 100, $3, now()
       from unnest($1::uuid[], '{20000, 1}'::int[]) as told (customer, prices), generate_series(1, prices) as pieces`,
      [people, part._id, inDays(1)],
    );
    for (const count of [1, 2, 2]) {
      await writeReminders(shop.services);
      expect(await shop.db.$count(mailOutbox)).toBe(count);
    }
    expect(await shop.db.$count(agreedPrices, eq(agreedPrices.endKnown, true))).toBe(20_001);
  });
});

test('an account’s prices and quotes are exported and removed with it', async () => {
  await answer(await aQuote({ note: 'Mine' }));
  const { body } = await customer.get(`/user/${encodeURIComponent(customer.email)}/data`);
  expect(body.prices).toMatchObject([{ product: { _id: part._id }, fromQuantity: 50, price: 60 }]);
  expect(body.quotes).toMatchObject([{ state: 'answered', note: 'Mine', lines: [{ quantity: 500 }] }]);
  expect((await admin.delete(`/user/${encodeURIComponent(customer.email)}`)).status).toBe(200);
  expect(await shop.db.$count(agreedPrices)).toBe(0);
  expect((await list('', admin)).filter(({ customer: of }) => of._id === customer.userId)).toEqual([]);
  expect(await shop.db.$count(quotes)).toBeGreaterThan(0);
});

test('an answer while its account is removed leaves no price', async () => {
  const quote = await aQuote();
  const [, removed] = await queueBehind(
    shop,
    ['lock table trail in exclusive mode'],
    () => answer(quote),
    () => customer.delete(`/user/${encodeURIComponent(customer.email)}`),
  );
  expect(removed.status).toBe(200);
  expect(await shop.db.$count(agreedPrices)).toBe(0);
});
