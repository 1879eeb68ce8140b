import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { mailOutbox } from '#src/mail-outbox/schema.ts';
import { findMails, takeDueMails } from '#src/mail-outbox/store.ts';
import { MAX_ATTEMPTS } from '#src/platform/database/claim.ts';
import { markRestored, takeOver } from '#src/platform/database/instance.ts';
import { aProduct, orderBody, signedInAs } from '#test/builders.ts';
import { startMailServer } from '#test/mail-server.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { startShop } from '#test/start-shop.ts';
import { prepared, startForTest, useShop } from '#test/use-shop.ts';

const clock = createMovableClock();
const HOUR_MS = 3_600_000;

const server = prepared(startMailServer, (s) => s.close());
const shop = useShop(() => ({
  clock,
  env: {
    ...server.env,
    ORIGIN: 'https://parts.example',
    PAYMENTS: 'sandbox',
    SELLER_NAME: 'Fjord Parts AS',
    SELLER_ADDRESS: 'Havnegata 4, Oslo',
  },
}));
beforeEach(async () => {
  await shop.db.delete(mailOutbox);
  server.mood = 'takes';
  server.mails.length = 0;
  server.attempts = 0;
  server.beforeAnswer = async () => {};
});

const readOutbox = async () => (await findMails(shop.db, {})).rows;

/** A new customer's order of 50 pieces of a display. */
async function placeOrder(name = 'Amara Okafor', productName?: string) {
  const customer = await signedInAs(shop, 'user', { name });
  const product = await aProduct(shop, { price: 64.5, ...(productName && { name: productName }) });
  return { customer, product, order: await customer.orders(product) };
}

test('a placed order is mailed once as text and HTML', async () => {
  const { customer, product, order } = await placeOrder();
  expect(await shop.services.mailer.sendDue()).toMatchObject({ sent: 1, retried: 0, dead: 0 });
  expect(await shop.services.mailer.sendDue()).toMatchObject({ sent: 0 });

  const [mail, ...more] = server.to(customer.email);
  expect(more).toEqual([]);
  expect(mail?.from).toMatchObject({ name: 'Parts Forge', address: 'shop@partsforge.example' });
  expect(mail?.to).toMatchObject([{ name: 'Amara Okafor', address: customer.email }]);
  expect(mail?.subject).toMatch(/^Order \d+ placed: pay until \d+ \w+ \d{4}, \d\d:\d\d UTC$/);
  expect(mail?.messageId).toMatch(/^<[\da-f-]{36}@partsforge\.example>$/);
  for (const body of [mail?.text, mail?.html]) {
    expect(body).toContain('Your order is placed');
    expect(body).toContain(product.name);
    expect(body).toContain('$3,225.00');
    expect(body).toContain(`https://parts.example/dashboard/payment/${order._id}`);
    expect(body).toContain('Amara Okafor');
    expect(body).toContain('Fjord Parts AS, Havnegata 4, Oslo');
  }
  expect((await readOutbox()).map(({ state, attempts }) => ({ state, attempts }))).toEqual([
    { state: 'sent', attempts: 1 },
  ]);
});

test('a started mailer sends immediately after an order', async () => {
  const eager = await startShop({ shareDatabaseWith: shop, env: server.env });
  const arrived = Promise.withResolvers<void>();
  server.beforeAnswer = async () => arrived.resolve();
  eager.services.mailer.start();
  const { customer } = await placeOrder();
  await arrived.promise;
  await eager.close();
  expect(server.to(customer.email)).toHaveLength(1);
});

test("a mail comes from the shop's name with its logo inside", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shop-logo-'));
  const logo = path.join(folder, 'logo.svg');
  writeFileSync(
    logo,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0Z"/></svg>',
  );
  const name = 'Łódź & Søn "Teile"';
  const env = { ...server.env, SHOP_NAME: name, SHOP_LOGO: logo, MAIL_FROM: 'shop@lodz.example' };
  const own = await startForTest({ shareDatabaseWith: shop, clock, env });
  const { customer } = await placeOrder();
  expect(await own.services.mailer.sendDue()).toMatchObject({ sent: 1 });
  rmSync(folder, { recursive: true });
  const [mail] = server.to(customer.email);
  expect(mail?.from).toMatchObject({ name, address: 'shop@lodz.example' });
  expect(mail?.html).toContain('<img src="cid:logo"');
  expect(mail?.attachments).toMatchObject([
    { mimeType: 'image/png', contentId: '<logo>', disposition: 'inline' },
  ]);
});

test('a refused or rolled-back order sends nothing', async () => {
  const customer = await signedInAs(shop, 'user');
  const product = await aProduct(shop);
  const refused = await customer.post('/order', orderBody(customer, product, product.quantity + 1));
  expect(refused.status).toBe(409);
  const key = { method: 'POST', token: customer.token, headers: { 'idempotency-key': 'one' } } as const;
  await shop.request('/order', { ...key, body: orderBody(customer, product) });
  await shop.request('/order', { ...key, body: orderBody(customer, product) });
  expect(await readOutbox()).toHaveLength(1);

  // The real statement in a rolled-back transaction: the mail disappears with the order.
  const client = await shop.pool.connect();
  await client.query('begin');
  await client.query(
    'insert into mail_outbox (id, kind, user_id, next_attempt_at) values (gen_random_uuid(), $1, $2, now())',
    ['order-placed', customer.userId],
  );
  await client.query('rollback');
  client.release();
  await shop.services.mailer.sendDue();
  expect(server.mails).toHaveLength(1);
});

test('a busy server leads to later retries with the same Message-ID', async () => {
  server.mood = 'busy';
  await placeOrder();
  expect(await shop.services.mailer.sendDue()).toMatchObject({ retried: 1 });
  // Not before its time.
  expect(await shop.services.mailer.sendDue()).toMatchObject({ retried: 0 });
  clock.aheadMs += 60_000;
  expect(await shop.services.mailer.sendDue()).toMatchObject({ retried: 1 });
  clock.aheadMs += 60_000;
  expect(await shop.services.mailer.sendDue()).toMatchObject({ retried: 0 });
  clock.aheadMs += 60_000;
  server.mood = 'takes';
  expect(await shop.services.mailer.sendDue()).toMatchObject({ sent: 1 });
  const [row] = await readOutbox();
  expect(row).toMatchObject({ state: 'sent', attempts: 3 });
  expect(server.mails.map(({ messageId }) => messageId)).toEqual([`<${row?.id}@partsforge.example>`]);
});

test('an unreachable server loses no mail', async () => {
  const gone = await startForTest({
    shareDatabaseWith: shop,
    clock,
    env: { ...server.env, SMTP_URL: 'smtp://127.0.0.1:1' },
  });
  await placeOrder();
  expect(await gone.services.mailer.sendDue()).toMatchObject({ retried: 1 });
  expect(await readOutbox()).toMatchObject([{ state: 'waiting', lastError: 'ECONNREFUSED' }]);
});

test('a mail given up after all attempts is recorded and logged', async () => {
  server.mood = 'busy';
  const { customer, order } = await placeOrder();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    expect(await shop.services.mailer.sendDue()).toMatchObject({ dead: attempt === MAX_ATTEMPTS ? 1 : 0 });
    clock.aheadMs += 4 * HOUR_MS;
  }
  expect(await readOutbox()).toMatchObject([{ state: 'dead', attempts: MAX_ATTEMPTS, lastError: '451' }]);
  shop.expectErrors([{ msg: 'a mail was given up', reason: '451' }]);
  const admin = await signedInAs(shop, 'admin');
  const { body } = await admin.get('/activity?what=mail-undeliverable');
  expect(body.data).toMatchObject([
    {
      by: { kind: 'system' },
      order: order._id,
      user: { _id: customer.userId },
      after: { kind: 'order-placed', reason: '451' },
    },
  ]);
});

test('a permanently refused mail is given up at once', async () => {
  server.mood = 'refuses';
  await placeOrder();
  expect(await shop.services.mailer.sendDue()).toMatchObject({ dead: 1 });
  expect(await readOutbox()).toMatchObject([{ state: 'dead', attempts: 1, lastError: '554' }]);
  shop.expectErrors([{ msg: 'a mail was given up', reason: '554' }]);
});

test('two processes send each mail once', async () => {
  const other = await startForTest({ shareDatabaseWith: shop, clock, env: server.env });
  for (let orders = 0; orders < 12; orders += 1) await placeOrder();
  const rounds = await Promise.all([shop, other].map(({ services }) => services.mailer.sendDue()));
  expect(rounds.reduce((sum, { sent }) => sum + sent, 0)).toBe(12);
  expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(12);
  expect(server.mails).toHaveLength(12);
});

test('one process sends at most four mails at a time', async () => {
  for (let orders = 0; orders < 12; orders += 1) await placeOrder();
  let underWay = 0;
  let most = 0;
  const four = Promise.withResolvers<void>();
  server.beforeAnswer = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    if (underWay === 4) four.resolve();
    await four.promise;
    // Long enough for a second round to take its mails from the same database.
    await shop.pool.query('select pg_sleep(0.2)');
    underWay -= 1;
  };
  const { mailer } = shop.services;
  await Promise.all([mailer.sendDue(), mailer.sendDue(), mailer.sendDue()]);
  expect(server.mails).toHaveLength(12);
  expect(most).toBe(4);
});

test('a claim skips mails that another process is claiming', async () => {
  await placeOrder();
  await placeOrder();
  await shop.db.transaction(async (tx) => {
    const [first, ...more] = await takeDueMails(tx, clock.now(), 1);
    expect(more).toEqual([]);
    const others = await takeDueMails(shop.db, clock.now(), 5);
    expect(others).toHaveLength(1);
    expect(others[0]?.id).not.toBe(first?.id);
  });
});

test('a crash after delivery repeats a mail once under its Message-ID', async () => {
  const { customer } = await placeOrder();
  const [row] = await readOutbox();
  // The state after a crash between delivery and its record: the mail is out, its row waits.
  await shop.services.mailer.sendDue();
  await shop.db.update(mailOutbox).set({ state: 'waiting', endedAt: null });
  expect(await shop.services.mailer.sendDue()).toMatchObject({ sent: 0 });
  clock.aheadMs += 60_000;
  expect(await shop.services.mailer.sendDue()).toMatchObject({ sent: 1 });
  clock.aheadMs += HOUR_MS;
  expect(await shop.services.mailer.sendDue()).toMatchObject({ sent: 0 });
  const ids = server.to(customer.email).map(({ messageId }) => messageId);
  expect(ids).toEqual([`<${row?.id}@partsforge.example>`, `<${row?.id}@partsforge.example>`]);
});

test('text in a name or part is neither a header nor HTML', async () => {
  const name = 'Eve\r\nBcc: all@evil.example\r\n\r\n<b>hi</b>';
  const customer = await signedInAs(shop, 'user', { name });
  const product = await aProduct(shop, { name: '<img src=x onerror=alert(1)>\r\nSubject: Free' });
  await customer.orders(product);
  await shop.services.mailer.sendDue();
  const [mail] = server.mails;
  expect(mail?.to?.map(({ address }) => address)).toEqual([customer.email]);
  expect([mail?.cc, mail?.bcc]).toEqual([undefined, undefined]);
  expect(mail?.headers.filter(({ key }) => key === 'subject')).toHaveLength(1);
  expect(mail?.html).not.toMatch(/<img|<b>/);
  expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;');
});

test("a cancelled order's placement mail is dropped", async () => {
  const { customer, order } = await placeOrder();
  await customer.delete(`/order/${order._id}`);
  expect(await shop.services.mailer.sendDue()).toMatchObject({ dropped: 1, sent: 0 });
  expect(server.mails).toEqual([]);
});

test('a mail that waited three days is dropped', async () => {
  const never = await placeOrder();
  clock.aheadMs += 73 * HOUR_MS;
  expect(await shop.services.mailer.sendDue()).toMatchObject({ dropped: 1, sent: 0 });
  expect(server.to(never.customer.email)).toEqual([]);
});

test('a deleted person gets no mail, and the outbox stores no address', async () => {
  const admin = await signedInAs(shop, 'admin');
  const { customer } = await placeOrder();
  const { rows } = await shop.pool.query('select mail_outbox::text as row from mail_outbox');
  expect(JSON.stringify(rows)).not.toContain(customer.email);
  const path = `/user/${encodeURIComponent(customer.email)}`;
  expect((await admin.delete(path)).status).toBe(200);
  expect(await readOutbox()).toMatchObject([{ state: 'dropped' }]);
  await shop.services.mailer.sendDue();
  expect(server.mails).toEqual([]);
});

test('a restored copy sends nothing before it takes over', async () => {
  await placeOrder();
  await shop.db.transaction((tx) => markRestored(tx, new Date()));
  const copy = await startForTest({ shareDatabaseWith: shop, clock, env: server.env });
  expect(await copy.services.mailer.sendDue()).toMatchObject({ sent: 0 });
  expect(await readOutbox()).toMatchObject([{ state: 'waiting', attempts: 0 }]);
  await takeOver(shop.db, new Date());
  const successor = await startForTest({ shareDatabaseWith: shop, clock, env: server.env });
  expect(await successor.services.mailer.sendDue()).toMatchObject({ sent: 1 });
});

test('without a mail server, mails wait and nothing fails', async () => {
  const silent = await startForTest({ shareDatabaseWith: shop, clock });
  silent.services.mailer.start();
  await placeOrder();
  expect(await silent.services.mailer.sendDue()).toEqual({ sent: 0, retried: 0, dead: 0, dropped: 0 });
  expect(await readOutbox()).toMatchObject([{ state: 'waiting', kind: 'order-placed' }]);
});
