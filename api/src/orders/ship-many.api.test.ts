import { randomUUID } from 'node:crypto';
import type { Order } from '@parts-forge/contract/orders/orders';
import { describe, expect, test } from 'vitest';
import { findMailsTo } from '#src/mail-outbox/store.ts';
import type { Person } from '#test/builders.ts';
import { aPaidOrder } from '#test/paid-orders.ts';
import { aDueOrder } from '#test/paying.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { awaitWaiting } from '#test/waiting-statements.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');

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
  (await findMailsTo(shop.services.database.db, userId)).filter(({ kind }) => kind === 'parcel-sent').length;

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

  test('previews lock orders in one turn, in any order of lines', async () => {
    const orders = [
      (await aPaidOrder(shop, admin)).order._id,
      (await aPaidOrder(shop, admin)).order._id,
    ].sort();
    const other = await shop.services.database.pool.connect();
    const lock = (id?: string) => other.query('select from orders where id = $1 for update nowait', [id]);
    try {
      await other.query('begin');
      await lock(orders[0]);
      const preview = addParcels(
        orders.toReversed().map((id) => aLine(id)),
        { preview: true },
      );
      await awaitWaiting(other, 1);
      await lock(orders[1]);
      await other.query('commit');
      expect((await preview).body.data.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true]);
    } finally {
      other.release(true);
    }
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
