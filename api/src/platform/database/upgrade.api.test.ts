import { createHash, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findInvoice } from '#src/invoices/store.ts';
import { findOrderEvenClosed } from '#src/orders/store.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { newEmptyDatabase } from '#test/start-shop.ts';
import { type Database, openDatabase } from './connection.ts';
import { migrate, migrateToVersion } from './migrate.ts';
import { runOnce } from './run-once.ts';

const migrations = readdirSync(new URL('../../../migrations', import.meta.url))
  .filter((file) => file.endsWith('.sql'))
  .toSorted();
const countOfRelease = migrations.indexOf('0033_models_by_name.sql') + 1;

let place: Awaited<ReturnType<typeof newEmptyDatabase>>;
let database: Database;
beforeEach(async () => {
  place = await newEmptyDatabase();
  database = openDatabase(place.connection, readConfig({}), () => {});
  await migrateToVersion(database, countOfRelease);
});
afterEach(async () => {
  await database.close();
  await place.drop();
});

const insertUser = (id: string) =>
  database.pool.query(
    `insert into users (id, email, name) values ($1, 'amara@fieldrepair.example', 'Amara')`,
    [id],
  );
const insertProduct = (id: string) =>
  database.pool.query(
    `insert into products (id, name, description, price_cents, quantity, minimum_order, image)
     values ($1, 'Display', 'Flexible.', 100, 1000, 50, '/images/x.webp')`,
    [id],
  );

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

  test('request keys and merged lists stay known', async () => {
    const [key, joinId] = [randomUUID(), randomUUID()];
    const digest = createHash('sha256').update('"restock"').digest();
    await database.pool.query(
      `insert into product_keys (user_id, key, body_hash, answer) values ($1, $2, $3, '{"a": 1}')`,
      [userId, key, digest],
    );
    await database.pool.query('insert into batch_joins (user_id, join_id) values ($1, $2)', [userId, joinId]);
    await migrate(database);
    const repeat = (repeatedKey: string, meaning: string) =>
      runOnce(database.db, { userId, key: repeatedKey, meaning, now: new Date() }, async () => ({
        ran: true,
      }));
    expect(await repeat(key, 'restock')).toEqual({ a: 1 });
    expect(await repeat(`join ${joinId}`, 'join')).toEqual({});
  });

  test('lines and problems of a file of parts become rows', async () => {
    const { pool } = database;
    await migrateToVersion(database, migrations.indexOf('0050_rows_of_imports.sql'));
    const lines = [{ line: 4 }, { line: 2 }];
    const problems = [2, 3, 3, 5].map((line, index) => ({ line, column: 'price', message: String(index) }));
    await pool.query(
      `insert into product_imports (id, user_id, name, columns, notes, counts, lines, problems, left_out)
       values (gen_random_uuid(), gen_random_uuid(), 'parts', '[]', '[]', '{}', $1, $2, '[2]')`,
      [JSON.stringify(lines), JSON.stringify(problems)],
    );
    await migrate(database);
    const { rows } = await pool.query(
      `select change, problems, left_out from product_import_lines join product_imports on id = import_id order by place`,
    );
    const [ofLeftOut, ...ofRefused] = problems;
    expect(rows).toEqual([
      { change: { line: 4 }, problems: [], left_out: 1 },
      { change: { line: 2 }, problems: [ofLeftOut], left_out: 1 },
      { change: null, problems: ofRefused.slice(0, 2), left_out: 1 },
      { change: null, problems: ofRefused.slice(2), left_out: 1 },
    ]);
  });
});

test('parts of 1.1.0 are found, and its file of parts waits on', async () => {
  const { pool } = database;
  const productId = randomUUID();
  await migrateToVersion(database, migrations.indexOf('0055_search_companies.sql') + 1);
  await insertProduct(productId);
  await pool.query(`update products set number = 'PF-D6101', kind = 'Displays', fits = '{Norda 12}'`);
  await pool.query(
    `insert into product_imports (id, user_id, name, columns, notes, counts, left_out)
     values (gen_random_uuid(), gen_random_uuid(), 'parts', '[]', '[]', '{}', 0)`,
  );
  const { rows: before } = await pool.query('select id, search from products');
  await migrate(database);
  const { rows } = await pool.query(
    'select id, search, also_known_as, replaced_by, expected_at from products',
  );
  expect(rows).toEqual([{ ...before[0], also_known_as: [], replaced_by: null, expected_at: null }]);
  expect(rows[0].search).toContain('norda 12');
  const files = await pool.query('select kind, applied_at, attempts from product_imports');
  expect(files.rows).toEqual([{ kind: 'parts', applied_at: null, attempts: 0 }]);
});
