import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { updateUser } from '#src/users/store.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { aLink, askForDownload, downloadFile, openLink } from '#test/downloads.ts';
import { createMovableClock } from '#test/movable-clock.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, readCode } from '#test/paying.ts';
import { startForTest, useShop } from '#test/use-shop.ts';

const clock = createMovableClock();
const lines: string[] = [];
const shop = useShop({ clock, onLine: (line) => lines.push(line) });

describe('a download link', () => {
  test('works once, without a sign-in, for the first reader', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const asked = await askForDownload(customer, { what: 'invoice', order: order._id });
    expect(asked.body).toEqual({
      url: expect.stringMatching(/^\/downloads\/[\w-]{43}$/),
      expiresIn: 60,
    });
    const opened = await Promise.all(Array.from({ length: 4 }, () => openLink(shop, asked.body.url)));
    const [first, ...others] = opened.map(({ status }) => status).sort();
    expect(first).toBe(200);
    // Refused as used up or above the person's limit; never a second file.
    for (const status of others) expect([404, 429]).toContain(status);
  });

  test('works in every process', async () => {
    const other = await startForTest({ shareDatabaseWith: shop, clock });
    const { customer, order } = await aPendingOrder(shop);
    const link = await aLink(customer, { what: 'invoice', order: order._id });
    expect((await openLink(other, link)).status).toBe(200);
    expect((await openLink(shop, link)).status).toBe(404);
  });

  test('expires after a minute', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const ask = () => aLink(customer, { what: 'invoice', order: order._id });
    const [inTime, late] = [await ask(), await ask()];
    clock.aheadMs += 30_000;
    expect((await openLink(shop, inTime)).status).toBe(200);
    clock.aheadMs += 31_000;
    expect((await openLink(shop, late)).status).toBe(404);
  });

  test('survives a HEAD request', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const link = await aLink(customer, { what: 'invoice', order: order._id });
    const head = await fetch(shop.url + link, { method: 'HEAD' });
    expect([405, 404]).toContain(head.status);
    expect((await openLink(shop, link)).status).toBe(200);
  });

  test.each([
    ['range', 'bytes=0-1'],
    ['sec-purpose', 'prefetch'],
    ['purpose', 'prefetch'],
  ])('survives a request with the header %s', async (name, value) => {
    const { customer, order } = await aPendingOrder(shop);
    const link = await aLink(customer, { what: 'invoice', order: order._id });
    await (await fetch(shop.url + link, { headers: { [name]: value } })).arrayBuffer();
    await expect.poll(async () => (await openLink(shop, link)).status).toBe(200);
    expect((await openLink(shop, link)).status).toBe(404);
  });

  test('opens nothing if it is unknown', async () => {
    for (const token of ['x', 'x'.repeat(43), '..%2f..', '%00']) {
      expect([404, 400]).toContain((await openLink(shop, `/downloads/${token}`)).status);
    }
  });

  test('opens nothing for a former administrator', async () => {
    const admin = await signedInAs(shop, 'admin');
    const link = await aLink(admin, { what: 'activity' });
    await updateUser(shop.db, admin.userId, { role: 'user' }, clock.now());
    expect((await openLink(shop, link)).status).toBe(404);
  });

  test('opens nothing for a user who became an administrator later', async () => {
    const customer = await signedInAs(shop, 'user');
    const former = await aLink(customer, { what: 'orders' });
    await shop.services.changes.write(async (tx, changed) => {
      await updateUser(tx, customer.userId, { role: 'admin' }, clock.now());
      changed('users');
    });
    expect((await openLink(shop, former)).status).toBe(404);
    expect((await openLink(shop, await aLink(customer, { what: 'orders' }))).status).toBe(200);
  });

  test('is absent from the log, which names reader and file', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const link = await aLink(customer, { what: 'invoice', order: order._id });
    await openLink(shop, link);
    const token = link.split('/').at(-1) ?? '';
    expect(lines.filter((line) => line.includes(token))).toEqual([]);
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ file: 'invoice', order: order._id, user: customer.userId }),
    );
  });
});

const anId = randomUUID();

describe('permission for a file', () => {
  const refuse = async (who: Person, body: Parameters<typeof askForDownload>[1]) => {
    const { status, body: problem, headers } = await askForDownload(who, body);
    return [status, readCode({ status, body: problem, headers })];
  };

  test('an invoice is open to its customer and administrators', async () => {
    const { customer, order } = await aPendingOrder(shop);
    const [other, admin] = [await signedInAs(shop, 'user'), await signedInAs(shop, 'admin')];
    const invoice = { what: 'invoice', order: order._id } as const;
    expect(await refuse(other, invoice)).toEqual([404, 'not-found']);
    expect(await refuse(other, { ...invoice, order: randomUUID() })).toEqual([404, 'not-found']);
    expect((await askForDownload(customer, invoice)).status).toBe(200);
    expect((await askForDownload(admin, invoice)).status).toBe(200);
  });

  test('an invoice is refused before its payment or refund', async () => {
    const { customer, order } = await aDueOrder(shop);
    expect(await refuse(customer, { what: 'invoice', order: order._id })).toEqual([409, 'no-invoice']);
    const paid = await aPendingOrder(shop);
    expect(await refuse(paid.customer, { what: 'credit-note', order: paid.order._id })).toEqual([
      409,
      'no-credit-note',
    ]);
  });

  test("shop lists and others' orders are for administrators", async () => {
    const [customer, other] = [await signedInAs(shop, 'user'), await signedInAs(shop, 'user')];
    expect(await refuse(customer, { what: 'activity' })).toEqual([403, 'admin-needed']);
    expect(await refuse(customer, { what: 'stock' })).toEqual([403, 'admin-needed']);
    const ofOther = { what: 'orders', filters: { email: other.email } } as const;
    expect(await refuse(customer, ofOther)).toEqual([403, 'not-yours']);
  });

  test.each([
    [{ what: 'everything' }, 'what'],
    [{ what: 'invoice' }, 'order'],
    [{ what: 'invoice', order: '10001' }, 'order'],
    [{ what: 'invoices', as: 'zip' }, 'orders'],
    [{ what: 'invoices', as: 'zip', month: '2026-11', orders: [randomUUID()] }, 'orders'],
    [{ what: 'invoices', as: 'zip', orders: [] }, 'orders'],
    [{ what: 'invoices', as: 'zip', orders: Array.from({ length: 501 }, () => randomUUID()) }, 'orders'],
    [{ what: 'invoices', as: 'zip', orders: [anId, anId.toUpperCase()] }, 'orders'],
    [{ what: 'invoices', as: 'zip', orders: ['10001'] }, 'orders.0'],
    [{ what: 'invoices', as: 'zip', month: '2026-13' }, 'month'],
    [{ what: 'invoices', as: 'tar', month: '2026-11' }, 'as'],
    [{ what: 'invoices', as: 'pdf', month: '2026-11', order: anId }, 'order'],
    [{ what: 'orders', filters: { status: 'lost' } }, 'filters.status'],
    [{ what: 'activity', filters: { from: 'yesterday' } }, 'filters.from'],
    [{ what: 'stock', filters: { product: 'x' } }, 'filters.product'],
  ])('an invalid request is refused by its field: %j', async (body, path) => {
    const admin = await signedInAs(shop, 'admin');
    const answer = await admin.post('/downloads', body);
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
  });
});

test("a file is named after the date in the shop's time zone", async () => {
  const zoned = await startForTest({
    shareDatabaseWith: shop,
    clock: { now: () => new Date('2026-11-21T03:30:00Z') },
    env: { SHOP_TIME_ZONE: 'America/Los_Angeles' },
  });
  const { headers } = await downloadFile(zoned, await signedInAs(zoned, 'user'), { what: 'orders' });
  expect(headers.get('content-disposition')).toBe('attachment; filename="orders-2026-11-20.csv"');
});

test('disconnected readers free their places', async () => {
  const customer = await signedInAs(shop, 'user');
  await customer.orders(await aProduct(shop));
  // More files than one process writes at a time.
  for (let round = 0; round < 12; round += 1) {
    const link = await aLink(customer, { what: 'orders' });
    const leaving = new AbortController();
    const response = await fetch(shop.url + link, { signal: leaving.signal });
    expect(response.status).toBe(200);
    leaving.abort();
    await response.body?.cancel().catch(() => {});
  }
});
