import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findInvoice } from '#src/invoices/store.ts';
import { findOrderEvenClosed } from '#src/orders/store.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { findProducts } from '#src/products/find-products.ts';
import { newEmptyDatabase } from '#test/start-shop.ts';
import { type Database, openDatabase } from './connection.ts';
import { migrate, migrateToVersion } from './migrate.ts';

const migrations = readdirSync(new URL('../../../migrations', import.meta.url))
  .filter((file) => file.endsWith('.sql'))
  .toSorted();
const countBefore = migrations.findIndex((file) => file.endsWith('_carry_over.sql'));

let place: Awaited<ReturnType<typeof newEmptyDatabase>>;
let database: Database;
beforeEach(async () => {
  expect(countBefore).toBeGreaterThan(0);
  place = await newEmptyDatabase();
  database = openDatabase(place.connection, readConfig({}), () => {});
  await migrateToVersion(database, countBefore);
});
afterEach(async () => {
  await database.close();
  await place.drop();
});

const insertUser = (id: string, role = 'user') =>
  database.pool.query(
    `insert into users (id, email, name, role) values ($1, 'amara@fieldrepair.example', 'Amara', $2)`,
    [id, role],
  );
const insertProduct = (id: string, name = 'Display') =>
  database.pool.query(
    `insert into products (id, name, description, price_cents, quantity, minimum_order, image)
     values ($1, $2, 'Flexible.', 100, 1000, 50, '/images/x.webp')`,
    [id, name],
  );

test('the upgrade sorts names naturally and joins USB-C with Type-C', async () => {
  const names = ['battery 9', 'Battery 10', 'Éclair lens', 'Edge', 'Port, Type C', 'USB‑C flex'];
  for (const name of names.toReversed()) await insertProduct(randomUUID(), name);
  await migrate(database);
  const list = async (search: Parameters<typeof findProducts>[1]) =>
    (await findProducts(database.db, search)).rows.map(({ name }) => name);
  expect(await list({ sort: 'name' })).toEqual(names);
  for (const q of ['type c', 'usb-c']) expect(await list({ q, sort: 'name' })).toEqual(names.slice(4));
});

test('the upgrade from the last release finds short words of parts', async () => {
  await migrateToVersion(database, migrations.indexOf('0029_clear_names.sql') + 1);
  for (const name of ['Flash chip 8 GB', 'Flex of 128 GB', 'Rear lens'])
    await insertProduct(randomUUID(), name);
  await migrate(database);
  const list = async (q: string) =>
    (await findProducts(database.db, { q, sort: 'name' })).rows.map(({ name }) => name);
  expect(await list('8 gb')).toEqual(['Flash chip 8 GB']);
  expect(await list('le')).toEqual(['Rear lens']);
});

test('the upgrade removes direction overrides and invisible characters from names', async () => {
  const { pool } = database;
  const [userId, productId] = [randomUUID(), randomUUID()];
  await insertUser(userId);
  await insertProduct(productId);
  await pool.query("update users set name = E'Ali \\u202Egnp.exe\\u202C'");
  await pool.query(
    `insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
       quantity, total_cents)
     values (gen_random_uuid(), $1, $2, 'Display', '/images/x.webp', 100, E'\\u200b\\u3164', 'amara@fieldrepair.example',
       'Accra', '12345', 50, 5000)`,
    [userId, productId],
  );
  await pool.query(
    `insert into reviews (id, user_id, name, rating_halves, description)
     values (gen_random_uuid(), $1, E'\\u2060Zoë\\u200f', 10, 'Good.'),
       (gen_random_uuid(), $1, E'علی\\u200cرضا', 10, 'Good.')`,
    [userId],
  );
  await migrate(database);
  const { rows } = await pool.query<{ name: string }>(
    'select name from users union all select name from orders union all select name from reviews',
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(
    ['Ali gnp.exe', 'amara@fieldrepair.example', 'Zoë', 'علی\u200cرضا'].sort(),
  );
});

describe('interrupted first start', () => {
  const since = '2026-11-22T10:36:44.000Z';
  beforeEach(async () => {
    await insertProduct(randomUUID());
    await database.pool.query(`insert into settings (name, value) values ('demo_history_due', $1)`, [since]);
  });
  const readMarks = async () =>
    (await database.pool.query("select name from settings where name like 'demo%'")).rows;

  test('an interrupted first start continues after the upgrade', async () => {
    await insertUser(randomUUID(), 'admin');
    await migrate(database);
    expect(await readMarks()).toEqual([{ name: 'demo_unfinished' }]);
  });

  const lives: Record<string, () => Promise<unknown>> = {
    'somebody has an account': () => insertUser(randomUUID()),
    'an administrator has changed something': () =>
      database.pool.query(
        `insert into trail (id, event, topic, actor, actor_id, request_id)
         values (gen_random_uuid(), 'product-changed', 'products', 'admin', gen_random_uuid(), gen_random_uuid())`,
      ),
  };
  test.each(Object.entries(lives))('an interrupted first start stops where %s', async (_, live) => {
    await live();
    await migrate(database);
    expect(await readMarks()).toEqual([]);
    expect((await database.pool.query('select from products')).rowCount).toBe(1);
  });
});

test('a refund that is impossible at the provider becomes unassigned money', async () => {
  const { pool, db } = database;
  const [userId, productId, byHand, byShop] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await insertUser(userId);
  await insertProduct(productId);
  for (const [id, payment] of [
    [byHand, 'pi_1'],
    [byShop, 'pi_2'],
  ]) {
    await pool.query(
      `insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
         quantity, total_cents, status, transaction_id, refund_cents, refund_state)
       values ($1, $2, $3, 'Display', '/images/x.webp', 100, 'Amara', 'amara@fieldrepair.example', 'Accra', '12345',
         50, 5000, 'paid', $4, 4000, 'failed')`,
      [id, userId, productId, payment],
    );
  }
  await pool.query(
    `insert into payments (id, order_id, amount_cents, payment_cents, currency, state, attempt)
     values ('pi_2', $1, 5000, 5000, 'usd', 'applied', 1)`,
    [byShop],
  );
  await pool.query(
    `insert into refunds (id, payment_id, order_id, amount_cents, state, next_look_at)
     values ($1, 'pi_2', $2, 4000, 'failed', now())`,
    [randomUUID(), byShop],
  );

  await migrate(database);
  // No money of the first order has been refunded; the second one's is on its way while the shop retries.
  const money = { refundCents: 0, unassignedCents: 4000, refundState: 'failed' };
  expect(await findOrderEvenClosed(db, byHand)).toMatchObject(money);
  expect(await findOrderEvenClosed(db, byShop)).toMatchObject({
    ...money,
    refundCents: 4000,
    unassignedCents: 0,
  });
});

describe('the upgrade from 1.0.0', () => {
  const [userId, productId] = [randomUUID(), randomUUID()];
  const insertOrder = async (closed: string | null): Promise<string> => {
    const id = randomUUID();
    await database.pool.query(
      `insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
         quantity, total_cents, reference, closed, closed_at)
       values ($1, $2, $3, 'Display', '/images/x.webp', 100, 'Amara', 'amara@fieldrepair.example',
         'Accra', '12345', 50, 5000, 'PO 17', $4, case when $4::text is not null then now() end)`,
      [id, userId, productId, closed],
    );
    return id;
  };
  const insertPayment = (orderId: string, state: string) =>
    database.pool.query(
      `insert into payments (id, order_id, attempt, amount_cents, payment_cents, currency, state)
       values ($1::text, $2, 1, 5000, 5000, 'usd', $3)`,
      [`pi_${orderId}`, orderId, state],
    );
  const readOrder = async (id: string) => {
    const order = await findOrderEvenClosed(database.db, id);
    return [order?.name, order?.email, order?.address, order?.phone, order?.reference];
  };
  const kept = ['Amara', 'amara@fieldrepair.example', 'Accra', '12345', 'PO 17'];
  const erased = ['Former customer', `${userId}@erased.invalid`, '', '', null];
  beforeEach(async () => {
    await migrateToVersion(database, migrations.indexOf('0033_models_by_name.sql') + 1);
    await insertUser(userId);
    await insertProduct(productId);
  });

  test("an erased account's unpaid orders lose the person", async () => {
    const orders = [await insertOrder('expired'), await insertOrder('cancelled')];
    const [unpaid = '', refunded = ''] = orders;
    await insertPayment(unpaid, 'canceled');
    await insertPayment(refunded, 'refunded');
    await database.pool.query(
      `update users set deleted_at = now(), email = id || '@erased.invalid', name = 'Former customer'`,
    );
    await migrate(database);
    expect([await readOrder(unpaid), await readOrder(refunded)]).toEqual([erased, kept]);
  });

  test('earlier refunds of the shop have all pieces', async () => {
    const insertPaid = async (refundCents: number, state: string, isByShop: boolean) => {
      const id = await insertOrder(null);
      await insertPayment(id, 'applied');
      await database.pool.query(
        `update orders set status = 'paid', transaction_id = 'pi_' || id::text, refund_cents = $2::bigint, refund_state = $3,
           failed_cents = case $3 when 'failed' then $2::bigint else 0 end
         where id = $1`,
        [id, refundCents, state],
      );
      if (isByShop) {
        await database.pool.query(
          `insert into refunds (id, payment_id, order_id, amount_cents, state)
           values (gen_random_uuid(), 'pi_' || $1::text, $1::uuid, $2, $3)`,
          [id, refundCents, state],
        );
      }
      return id;
    };
    const ids = [
      await insertPaid(5000, 'succeeded', true),
      await insertPaid(2000, 'succeeded', false),
      await insertPaid(2000, 'pending', false),
      await insertPaid(5000, 'failed', true),
    ];
    await migrate(database);
    const found = await Promise.all(ids.map((id) => findOrderEvenClosed(database.db, id)));
    expect(found.map((order) => [order?.settledCents, order?.lostCents, order?.refundedPieces])).toEqual([
      [5000, 0, 50],
      [2000, 0, 0],
      [0, 0, 0],
      [0, 0, 50],
    ]);
  });

  test('invoices keep the days of UTC', async () => {
    const order = await insertOrder(null);
    await database.pool.query(
      `insert into invoices (id, series, year, sequence, order_id, issued_at, transaction_id, order_number, currency,
         total_cents, seller, buyer, lines)
       values (gen_random_uuid(), 'invoice', 2025, 1, $1, '2025-12-31T23:30:00Z', 'pi_x', 10001, 'usd', 5000,
         '{}', '{}', '[]')`,
      [order],
    );
    await migrate(database);
    expect(await findInvoice(database.db, order)).toMatchObject({ year: 2025, timeZone: 'UTC' });
  });

  test('an account deleted by an administrator leaves its orders unchanged', async () => {
    const order = await insertOrder('expired');
    await database.pool.query('update users set deleted_at = now()');
    await migrate(database);
    expect(await readOrder(order)).toEqual(kept);
  });

  test('orders have the facts of their papers, and are found by them', async () => {
    const { pool } = database;
    await migrateToVersion(database, migrations.indexOf('0044_keys_of_orders.sql') + 1);
    const [open, billed, erasedOne] = [
      await insertOrder(null),
      await insertOrder(null),
      await insertOrder('cancelled'),
    ];
    await pool.query(`update users set company = 'Neue GmbH', tax_number = 'de 12-3.4', country = 'DE'`);
    await pool.query(`update orders set email = user_id || '@erased.invalid' where id = $1`, [erasedOne]);
    await insertPayment(billed, 'applied');
    await pool.query(
      `update orders set status = 'paid', transaction_id = 'pi_' || id::text, refunded_pieces = 20, settled_cents = 2000
       where id = $1`,
      [billed],
    );
    await pool.query(
      `insert into invoices (id, series, year, sequence, order_id, issued_at, day, time_zone, transaction_id,
         order_number, currency, total_cents, seller, buyer, lines)
       values (gen_random_uuid(), 'invoice', 2025, 1, $1, now(), now(), 'UTC', 'pi_x', 10002, 'usd', 5000, '{}',
         '{"company": "Alte AG", "taxNumber": "AT1", "address": "Graz"}', '[]')`,
      [billed],
    );
    await pool.query(
      `insert into shipments (id, order_id, carrier, number, sent_at, quantity, added_by)
       values (gen_random_uuid(), $1, 'DHL', '0034 0434-1', now(), 30, $2)`,
      [billed, userId],
    );
    const hook = (state: string) =>
      pool.query(
        `with made as (insert into webhooks (id, url, types, secret, state, place, next_attempt_at)
           values (gen_random_uuid(), 'https://a.example', '{}', 's', $1, 0, now()) returning id)
         insert into trail (id, event, topic, actor, actor_id, request_id, after)
         select gen_random_uuid(), 'webhook-made', 'people', 'admin', $2, gen_random_uuid(),
           jsonb_build_object('webhook', id) from made`,
        [state, userId],
      );
    await hook('on');
    await migrate(database);
    const { rows } = await pool.query(
      `select id, facts ->> 'company' as company, facts ->> 'taxNumber' as tax, facts ->> 'billingAddress' as address,
         sent_pieces, back_pieces, unsure_pieces, search like '%003404341%' as by_parcel,
         search like '%alte ag%' as by_company
       from orders order by number`,
    );
    const none = { sent_pieces: 0, back_pieces: 0, unsure_pieces: 0, by_parcel: false, by_company: false };
    expect(rows).toEqual([
      { ...none, id: open, company: 'Neue GmbH', tax: 'DE1234', address: '' },
      {
        id: billed,
        company: 'Alte AG',
        tax: 'AT1',
        address: 'Graz',
        by_parcel: true,
        by_company: true,

        sent_pieces: 30,
        back_pieces: 20,
        unsure_pieces: 20,
      },
      { ...none, id: erasedOne, company: null, tax: null, address: null },
    ]);
    const hooks = await pool.query('select made_by, state from webhooks');
    expect(hooks.rows).toEqual([{ made_by: userId, state: 'off' }]);
  });
});
