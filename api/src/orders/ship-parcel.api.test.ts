import { randomUUID } from 'node:crypto';
import { readParcels as readParcelLines } from '@parts-forge/contract/files/parcel-file';
import { countToSend } from '@parts-forge/contract/orders/box';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { Shipment } from '@parts-forge/contract/orders/shipments';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { findMailsTo } from '#src/mail-outbox/store.ts';
import { shipments } from '#src/orders/schema.ts';
import { type Person, signedInAs } from '#test/builders.ts';
import { downloadFile } from '#test/downloads.ts';
import { aPaidOrder, aPendingOrder, aShipment } from '#test/paid-orders.ts';
import { aDueOrder, expectRefusal, readCode } from '#test/paying.ts';
import { readTrail } from '#test/trail.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { awaitWaiting, whileLocked } from '#test/waiting-statements.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');

const parcel = { carrier: 'DHL', number: '0034 0434', sentAt: '2025-11-21T09:30:00.000Z' };

const addParcel = (order: Pick<Order, '_id'>, change: object = {}) =>
  admin.post(`/order/${order._id}/shipment`, { ...parcel, ...change });

const removeParcel = (order: Pick<Order, '_id'>, { _id }: Pick<Shipment, '_id'>) =>
  admin.delete(`/order/${order._id}/shipment/${_id}`);

const readParcels = async (order: Order) => (await admin.reads(order))?.shipments;

const mailKinds = async ({ userId }: Person) =>
  (await findMailsTo(shop.db, userId)).filter(({ kind }) => kind === 'parcel-sent');

async function expectUnsent(order: Order, customer: Person) {
  const { shipments, sent } = (await admin.reads(order)) ?? {};
  expect([shipments, sent, await mailKinds(customer)]).toEqual([undefined, undefined, []]);
}

describe('POST /order/{id}/shipment', () => {
  test('adds several parcels to an order, in turn', async () => {
    const { order, customer } = await aPaidOrder(shop, admin);
    expect(await readParcels(order)).toBeUndefined();
    const first = await addParcel(order, { quantity: 50 });
    expect([first.status, first.body]).toEqual([
      200,
      { data: { _id: expect.any(String), ...parcel, quantity: 50 } },
    ]);
    const second = await aShipment(admin, order, {
      carrier: '  Harbour  Couriers ',
      number: 'A/1',
      sentAt: '2025-11-22',
      quantity: 7,
    });
    expect(second).toEqual({
      _id: expect.any(String),
      carrier: 'Harbour  Couriers',
      number: 'A/1',
      sentAt: '2025-11-22T00:00:00.000Z',
      quantity: 7,
    });
    expect((await customer.reads(order))?.shipments).toEqual([first.body.data, second]);
  });

  test('takes a parcel without a time as sent now', async () => {
    const { order } = await aPaidOrder(shop, admin);
    const before = new Date();
    const sentAt = new Date((await addParcel(order, { sentAt: undefined })).body.data.sentAt);
    expect(sentAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(sentAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test('answers the same carrier and number with the first parcel', async () => {
    const { order, customer } = await aPaidOrder(shop, admin);
    const first = await aShipment(admin, order, { quantity: 57 });
    const again = await Promise.all([
      aShipment(admin, order, { quantity: 57 }),
      aShipment(admin, order, { carrier: 'dhl', number: '00340434' }),
    ]);
    expect(again).toEqual([first, first]);
    expect(await mailKinds(customer)).toHaveLength(1);
    const events = (await readTrail(admin, order._id)).map(({ event }) => event);
    expect(events.filter((event) => event === 'parcel-sent')).toHaveLength(1);
    const other = await aPaidOrder(shop, admin);
    expect((await aShipment(admin, other.order))._id).not.toBe(first._id);
  });

  test('refuses orders that are not accepted', async () => {
    const [due, pending, cancelled] = [
      await aDueOrder(shop),
      await aPendingOrder(shop),
      await aDueOrder(shop),
    ];
    await admin.cancels(cancelled.order);
    for (const { order, customer } of [due, pending, cancelled]) {
      expectRefusal(await addParcel(order), 409, 'not-accepted');
      expect(await mailKinds(customer)).toEqual([]);
    }
    expectRefusal(await addParcel({ _id: randomUUID() }), 404, 'not-found');
  });

  test.each<[field: string, value: unknown, message: string]>([
    ['sentAt', '9999-12-31', 'Must not be in the future'],
    [
      'sentAt',
      'yesterday',
      'Must be a date, or a date and time with Z or an offset, such as 2026-11-21T09:30:00Z',
    ],
    ['number', 'x'.repeat(61), 'Must be no more than 60 characters'],
    ['number', ' \u200b ', 'number is Required'],
    ['number', '1,23E+12', 'A spreadsheet rounded it, and digits are lost. Write the number as on the label'],
    ['number', '####', expect.stringMatching(/^A spreadsheet has an error here/)],
    ['carrier', 'x'.repeat(61), 'Must be no more than 60 characters'],
    ['carrier', undefined, 'carrier is Required'],
    ['quantity', 0, 'Must be at least 1'],
    ['quantity', 1.5, 'Must be a whole number'],
    ['quantity', 58, 'Must be no more than the 57 pieces ordered'],
    ['despite', 'partly-refunded', 'Must be one of disputed, payment-refunded, more-than-left'],
    ['colour', 'red', expect.any(String)],
  ])('refuses %s of %j', async (field, value, message) => {
    const { order, customer } = await aPaidOrder(shop, admin);
    const { status, body } = await addParcel(order, { [field]: value });
    expect([status, body.errors]).toEqual([422, [{ path: field, message }]]);
    await expectUnsent(order, customer);
  });

  test('counts the pieces of all parcels, also at the same time', async () => {
    const { order } = await aPaidOrder(shop, admin);
    const answers = await Promise.all(
      ['2', '3', '4'].map((number) => addParcel(order, { number, quantity: 20 })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409]);
    expect((await addParcel(order, { number: '5', quantity: 17 })).status).toBe(200);
    const other = await addParcel(order, { number: '5', quantity: 16 });
    expect(other.body.errors).toEqual([
      { path: 'quantity', message: 'This parcel has other pieces: remove it first' },
    ]);
    expect((await addParcel(order, { number: '5', quantity: 17 })).status).toBe(200);
    for (const quantity of [1, undefined]) {
      const answer = await addParcel(order, { number: '6', quantity });
      expect([readCode(answer), answer.body.detail]).toEqual([
        'more-than-left',
        '0 of 57 pieces are to be sent: 57 are in parcels',
      ]);
    }
    expect((await addParcel(order, { number: '6', despite: 'more-than-left' })).status).toBe(200);
  });

  test.each([
    ['before acceptance', ['refund', 'accept'], 20, 37],
    ['after acceptance', ['accept', 'refund'], 20, 37],
    ['after a part was sent, with its pieces', ['accept', 'parcel', 'return'], 20, 7],
    ['after a part was sent, without its pieces', ['accept', 'parcel', 'refund'], 20, 27],
    ['after all was sent', ['accept', 'whole', 'return'], 20, 0],
    ['after a wrong parcel was removed', ['accept', 'parcel', 'remove', 'refund'], 20, 37],
    ['before the only parcel was removed', ['accept', 'whole', 'refund', 'remove'], 20, 37],
  ] as const)('leaves out what was refunded %s', async (_when, acts, quantity, left) => {
    const { order } = await aPendingOrder(shop);
    for (const act of acts) {
      if (act === 'accept') await admin.accepts(order, { despite: 'partly-refunded' });
      else if (act === 'parcel') await aShipment(admin, order, { number: '1', quantity: 30 });
      else if (act === 'whole') await aShipment(admin, order, { number: '1' });
      else if (act === 'remove') await removeParcel(order, (await readParcels(order))?.[0] as Shipment);
      else await admin.refunds(order, { quantity, returnStock: act === 'return' });
    }
    const shown = (await admin.reads(order)) as Order;
    expect(countToSend(shown)).toBe(left);
    expect(shown.refund?.unsure).toBe(shown.sent === undefined ? undefined : quantity);
    const tooMuch = await addParcel(order, { number: '9', quantity: left + 1 });
    expect(readCode(tooMuch)).toBe('more-than-left');
    if (left > 0) expect((await addParcel(order, { number: '9', quantity: left })).status).toBe(200);
  });

  test.each([
    ['payment-refunded', 'refund_state = $$pending$$, refund_cents = total_cents'],
    ['disputed', 'disputed = true'],
  ])('asks once about an order that is %s', async (code, change) => {
    const { order, customer } = await aPaidOrder(shop, admin);
    await shop.pool.query(`update orders set ${change} where id = $1`, [order._id]);
    expect(readCode(await addParcel(order))).toBe(code);
    expect(readCode(await addParcel(order, { despite: 'more-than-left' }))).toBe(code);
    expect(await mailKinds(customer)).toEqual([]);
    expect((await addParcel(order, { despite: code })).status).toBe(200);
  });

  test('a refund and a parcel at once never give the same pieces', async () => {
    const { order } = await aPaidOrder(shop, admin);
    const [refund, sent] = await Promise.all([
      admin.refunds(order, { quantity: 30, returnStock: true }),
      addParcel(order, { quantity: 57 }),
    ]);
    const shown = (await admin.reads(order)) as Order;
    expect(refund.status).toBe(200);
    expect([shown.sent, shown.refund?.unsure]).toEqual(
      sent.status === 200 ? [57, 30] : [undefined, undefined],
    );
  });
});

describe('DELETE /order/{id}/shipment/{shipment}', () => {
  test('removes a parcel, whose pieces another may have', async () => {
    const { order } = await aPaidOrder(shop, admin);
    const wrong = await aShipment(admin, order, { number: '1', quantity: 50 });
    // Has the seven that are left.
    const right = await aShipment(admin, order, { number: '2' });
    expect((await removeParcel(order, wrong)).body).toEqual({ deletedCount: 1 });
    expect(await readParcels(order)).toEqual([right]);
    expect((await addParcel(order, { number: '3', quantity: 50 })).status).toBe(200);
    const [, removed] = await readTrail(admin, order._id);
    expect(removed).toMatchObject({ event: 'parcel-removed', before: { carrier: 'DHL', number: '1' } });
  });

  test('an order that the upgrade counts as sent stays so', async () => {
    const { order } = await aPaidOrder(shop, admin);
    await shop.pool.query('update orders set sent_pieces = quantity where id = $1', [order._id]);
    const late = await aShipment(admin, order, { quantity: 20, despite: 'more-than-left' });
    expect((await admin.reads(order))?.sent).toBe(57);
    expect((await removeParcel(order, late)).status).toBe(200);
    expect((await admin.reads(order))?.sent).toBe(57);
  });

  test("refuses a removed parcel, and another order's", async () => {
    const [one, other] = [await aPaidOrder(shop, admin), await aPaidOrder(shop, admin)];
    const sent = await aShipment(admin, one.order);
    expect((await removeParcel(other.order, sent)).status).toBe(404);
    expect((await removeParcel(one.order, sent)).status).toBe(200);
    expectRefusal(await removeParcel(one.order, sent), 404, 'not-found');
  });
});

describe('the parcels of orders', () => {
  test('stand in lists, own data and one order alike', async () => {
    const { order, customer, product } = await aPaidOrder(shop, admin);
    const unpaid = await customer.orders(product);
    const sent = [
      await aShipment(admin, order, { quantity: 50 }),
      await aShipment(admin, order, { carrier: 'UPS', number: '7' }),
    ];
    const { data } = (await customer.get(`/order?email=${customer.email}`)).body;
    const own = (await customer.get(`/user/${customer.email}/data`)).body.orders;
    for (const list of [data, own]) {
      const shown = list.map(({ _id, shipments }: Order) => ({ _id, shipments }));
      expect(shown).toEqual([
        { _id: unpaid._id, shipments: undefined },
        { _id: order._id, shipments: sent },
      ]);
    }
    const { bytes } = await downloadFile(shop, customer, {
      what: 'orders',
      filters: { email: customer.email },
    });
    const [header, ...lines] = bytes
      .toString()
      .trimEnd()
      .split(/\r?\n(?=\d|$)/);
    expect(header).toMatch(/,Parcels,Invoice,/);
    const names = header?.split(',') ?? [];
    const parcels = names.indexOf('Parcels') - names.length;
    expect(lines.map((line) => line.split(',').at(parcels))).toEqual(['', '"DHL 0034 0434; UPS 7"']);
    const stranger = await signedInAs(shop, 'user');
    expect(await stranger.reads(order)).toBeNull();
  });
});

const addParcels = (parcels: unknown, more: object = {}) =>
  admin.post('/shipment/bulk', { parcels, ...more });

const aLine = (order: string, change: object = {}) => ({
  order,
  carrier: 'GLS',
  number: '7',
  sentAt: '2025-11-21',
  ...change,
});

const readNumbers = async (order: Order) =>
  (await admin.reads(order))?.shipments?.map(({ number }) => number);

const countMails = async ({ userId }: Person) =>
  (await findMailsTo(shop.db, userId)).filter(({ kind }) => kind === 'parcel-sent').length;

test('a file of spoilt numbers is refused by line and column', async () => {
  const { order, customer } = await aPaidOrder(shop, admin);
  const cells = ['"1,23E+12"', '####', '340434161094042000'];
  const answer = await admin.post(
    '/shipment/file',
    ['order,parcel number', ...cells.map((cell) => `${order.number},${cell}`)].join('\n'),
    { 'content-type': 'text/csv' },
  );
  const { data } = answer.body;
  const choice = { places: data.places, carrier: 'DHL', numbers: {}, today: '2025-11-21', timeZone: 'UTC' };
  const { lines } = readParcelLines(data, choice);
  expect(lines.flatMap(({ parcels }) => parcels)).toEqual([]);
  expect(lines.map(({ row, problem }) => [row.line, problem?.column, problem?.message])).toEqual([
    [2, 'parcel number', expect.stringMatching(/^A spreadsheet rounded it/)],
    [3, 'parcel number', expect.stringMatching(/^The spreadsheet has #### here/)],
    [4, 'parcel number', expect.stringMatching(/^Spreadsheets keep 15 digits/)],
  ]);
  await expectUnsent(order, customer);
});

describe('POST /shipment/bulk', () => {
  test('adds each parcel, and says which were refused', async () => {
    const [one, two] = [await aPaidOrder(shop, admin), await aPaidOrder(shop, admin)];
    const due = await aDueOrder(shop);
    const unknown = randomUUID();
    const { status, body } = await addParcels([
      aLine(String(one.order.number), { quantity: 50 }),
      aLine(two.order._id.toUpperCase()),
      aLine(` Order #${one.order.number} `, { number: '8', sentAt: '2025-11-21T09:30:00+05:30' }),
      aLine(String(due.order.number)),
      aLine(unknown),
      aLine('the one from Monday'),
      aLine(`Orders ${one.order.number}, ${two.order.number}`),
      aLine(one.order._id, { number: 'x'.repeat(61) }),
      aLine(one.order._id, { sentAt: '9999-01-01' }),
      aLine(one.order._id, { sentAt: '21.11.2025' }),
      aLine(one.order._id, { number: '9', quantity: 8 }),
      aLine(one.order._id, { carrier: '' }),
    ]);
    expect(status).toBe(200);
    const results = body.data.map(({ ok, error }: { ok: boolean; error?: object }) => (ok ? 'ok' : error));
    const refused = (code: string, detail: unknown) => ({ code, detail });
    expect(results).toEqual([
      'ok',
      'ok',
      'ok',
      refused('not-accepted', 'Only an accepted order is shipped'),
      refused('not-found', expect.any(String)),
      refused('not-found', 'There is no such order'),
      refused('not-found', 'There is no such order'),
      refused('invalid', 'number: Must be no more than 60 characters'),
      refused('invalid', 'Must not be in the future'),
      refused('invalid', expect.stringMatching(/^sentAt: Must be a date/)),
      refused('more-than-left', '0 of 57 pieces are to be sent: 57 are in parcels'),
      refused('invalid', 'carrier is Required'),
    ]);
    expect(body.data[4].id).toBe(unknown);
    expect(await readNumbers(one.order)).toEqual(['7', '8']);
    expect(await readNumbers(two.order)).toEqual(['7']);
  });

  test('repeated, adds and mails nothing again', async () => {
    const { order, customer } = await aPaidOrder(shop, admin);
    const lines = [aLine(order._id), aLine(order._id), aLine(String(order.number), { number: '8' })];
    const first = await addParcels(lines);
    expect((await addParcels(lines)).body).toEqual(first.body);
    expect(await readNumbers(order)).toEqual(['7', '8']);
    expect(await countMails(customer)).toBe(1);
  });

  test('previews each line after those before it, and keeps nothing', async () => {
    const [mine, other] = [await aPaidOrder(shop, admin), await aPaidOrder(shop, admin)];
    const parcels = [
      aLine(mine.order._id, { number: 'S1', quantity: 50 }),
      aLine(mine.order._id, { number: 'S2', quantity: 8 }),
      aLine(other.order._id, { number: 's 1', carrier: 'gls' }),
    ];
    const { data } = (await addParcels(parcels, { preview: true })).body;
    const { name, productName, number } = mine.order;
    const found = { customer: mine.customer.userId, name, productName, quantity: 50 };
    expect(data[0].order).toEqual({ ...found, shared: other.order.number });
    expect(data[1].error).toEqual(expect.objectContaining({ code: 'more-than-left' }));
    expect(data[2].order).toEqual(expect.objectContaining({ shared: number }));
    expect([await readNumbers(mine.order), await countMails(mine.customer)]).toEqual([undefined, 0]);
  });

  test('previews do not compare with removed parcels', async () => {
    const [mine, other] = [await aPaidOrder(shop, admin), await aPaidOrder(shop, admin)];
    const wrong = await aShipment(admin, other.order, { carrier: 'GLS', number: 'S3' });
    await shop.db.update(shipments).set({ removedAt: new Date() }).where(eq(shipments.id, wrong._id));
    const { data } = (await addParcels([aLine(mine.order._id, { number: 'S3' })], { preview: true })).body;
    expect(data[0].order.shared).toBe(undefined);
  });

  test('previews lock orders in one turn, in any order of lines', async () => {
    const orders = [
      (await aPaidOrder(shop, admin)).order._id,
      (await aPaidOrder(shop, admin)).order._id,
    ].sort();
    const lock = 'select from orders where id = $1 for update nowait';
    const { preview } = await whileLocked(shop, [lock, orders[0]], async (client) => {
      const preview = addParcels(
        orders.toReversed().map((id) => aLine(id)),
        { preview: true },
      );
      await awaitWaiting(client, 1);
      await client.query(lock, [orders[1]]);
      return { preview };
    });
    expect((await preview).body.data.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true]);
  });

  test('keeps and mails no number that a spreadsheet spoilt', async () => {
    const { order, customer } = await aPaidOrder(shop, admin);
    const spoilt = [
      '9.40011E+21',
      '9,40011E+21',
      '1.2e+13',
      '1E+20',
      '#N/A',
      '########',
      'Err:508',
      '0',
      'n/a',
    ];
    spoilt.push(
      '="0034"',
      "'0034",
      '340434161094042558.0',
      '1,234,567',
      '28.11.2026',
      'https://dhl.com/?id=7',
    );
    const { body } = await addParcels(spoilt.map((number) => aLine(order._id, { number })));
    for (const { error } of body.data)
      expect(error).toEqual({
        code: 'invalid',
        detail: expect.stringMatching(/^number: .* as on the label$/),
      });
    const real = [
      '1Z999AA10123456784',
      '9E1234567',
      '99.00.123456.12345678',
      'JJD 0003',
      '340434161094042000',
    ];
    const added = await addParcels(real.map((number) => aLine(order._id, { number })));
    expect(added.body.data.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
    expect(await readNumbers(order)).toEqual(real);
    expect(await countMails(customer)).toBe(1);
  });

  test('takes 1 to 500 lines of known fields', async () => {
    const line = aLine('1', { carrier: '', number: '' });
    expect((await addParcels(Array.from({ length: 500 }, () => line))).status).toBe(200);
    const message = 'Must be 1 to 500 parcels';
    for (const parcels of [[], Array.from({ length: 501 }, () => line), 'all', undefined]) {
      const { status, body } = await addParcels(parcels);
      expect([status, body.errors]).toEqual([422, [{ path: 'parcels', message }]]);
    }
    expect((await addParcels([{ ...line, colour: 'red' }])).status).toBe(422);
  });
});
