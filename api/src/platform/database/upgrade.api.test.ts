import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Order } from '@parts-forge/contract/orders/orders';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import { expect, test } from 'vitest';
import { findStockDifferences } from '#src/activity/find-stock-differences.ts';
import { expireOrders } from '#src/orders/expire-orders.ts';
import { createOrderPayments } from '#src/payments/order-payments.ts';
import { readConfig } from '#src/platform/core/config.ts';
import { openDatabase } from '#src/platform/database/connection.ts';
import { anOrder, type Person, readProduct, signedInAs } from '#test/builders.ts';
import { anOpenPayment, cancelOrder, paymentRows, readCode } from '#test/paying.ts';
import { newEmptyDatabase, startShop } from '#test/start-shop.ts';
import { readLedger, readTrail } from '#test/trail.ts';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** A folder with only the first migrations, as in an earlier release. */
function earlierMigrations(count: number): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'parts-forge-migrations-'));
  cpSync(migrations, folder, { recursive: true });
  const file = path.join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  return folder;
}

const price = 1999;
const quantity = 50;
const total = price * quantity;

test('a shop of the first release keeps all orders and payments', async () => {
  const database = await newEmptyDatabase();
  const before = openDatabase(database.connection, readConfig({}), () => {});
  const folder = earlierMigrations(1);
  const [userId, productId, deletedProductId] = [randomUUID(), randomUUID(), randomUUID()];
  const ids = {
    due: randomUUID(),
    dueGivenBack: randomUUID(),
    pending: randomUUID(),
    paid: randomUUID(),
    cancelled: randomUUID(),
    cancelledRefundDue: randomUUID(),
  };
  const email = 'amara@fieldrepair.example';
  try {
    await applyMigrations(drizzle(before.pool), {
      migrationsFolder: folder,
      migrationsSchema: 'public',
      migrationsTable: 'migrations',
    });
    const { pool } = before;
    await pool.query('insert into users (id, email, name) values ($1, $2, $3)', [
      userId,
      email,
      'Amara Okafor',
    ]);
    await pool.query(
      `insert into products (id, name, description, price_cents, quantity, minimum_order, image)
       values ($1, 'Display', 'Flexible.', ${price}, 1000, 50, '/images/x.webp')`,
      [productId],
    );
    await pool.query(
      `insert into products (id, name, description, price_cents, quantity, minimum_order, image, deleted_at)
       values ($1, 'Coil', 'Gone.', ${price}, 7, 50, '/images/x.webp', now())`,
      [deletedProductId],
    );
    const insertOrder = (id: string, status: string, transactionId: string | null, isCancelled: boolean) =>
      pool.query(
        `insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
           quantity, total_cents, status, transaction_id, cancelled_at, created_at)
         values ($1, $2, $3, 'Display', '/images/x.webp', ${price}, 'Amara Okafor', $7, 'Accra', '12345',
           ${quantity}, ${total}, $4, $5, $6, '2026-01-01T00:00:00Z')`,
        [id, userId, productId, status, transactionId, isCancelled ? new Date() : null, email],
      );
    const insertPayment = (id: string, orderId: string, state: string) =>
      pool.query(
        `insert into payments (id, order_id, attempt, amount_cents, currency, state)
         values ($1, $2, 1, ${total}, 'usd', $3)`,
        [id, orderId, state],
      );
    await insertOrder(ids.due, 'due', null, false);
    await insertOrder(ids.dueGivenBack, 'due', null, false);
    await insertOrder(ids.pending, 'pending', 'pi_pending', false);
    await insertOrder(ids.paid, 'paid', 'pi_paid', false);
    await insertOrder(ids.cancelled, 'due', null, true);
    await insertOrder(ids.cancelledRefundDue, 'due', null, true);
    await insertPayment('pi_open', ids.due, 'open');
    await insertPayment('pi_given_back', ids.dueGivenBack, 'refunded');
    await insertPayment('pi_pending', ids.pending, 'applied');
    await insertPayment('pi_paid', ids.paid, 'applied');
    await insertPayment('pi_canceled', ids.cancelled, 'canceled');
    await insertPayment('pi_due', ids.cancelledRefundDue, 'refund_due');
  } finally {
    await before.close();
    rmSync(folder, { recursive: true });
  }

  const shop = await startShop({ connection: database.connection, env: { PAYMENT_HOURS: '72' } });
  try {
    const admin = await signedInAs(shop, 'admin');
    const { token } = await shop.services.changes.write((tx) => shop.services.tokens.issue(tx, userId));
    const customer: Person = { userId, email, name: 'Amara Okafor', token };
    const list = async (query: string): Promise<Order[]> =>
      (await shop.request(`/order?${query}`, { token: admin.token })).body.data;
    const summary = (found: Order[]) =>
      found
        .map(({ _id, status, closed, refund, disputed }) => [_id, status, closed, refund, disputed])
        .sort();
    const standing = [
      [ids.due, 'due'],
      [ids.dueGivenBack, 'due'],
      [ids.pending, 'pending'],
      [ids.paid, 'paid'],
    ];
    expect(summary(await list(''))).toEqual(
      standing.map(([id, status]) => [id, status, undefined, undefined, undefined]).sort(),
    );
    expect(summary(await list('closed=true'))).toEqual(
      [ids.cancelled, ids.cancelledRefundDue]
        .map((id) => [id, 'due', 'cancelled', undefined, undefined])
        .sort(),
    );
    const numbered = [...(await list('')), ...(await list('closed=true'))];
    expect(numbered.map(({ number }) => number).sort()).toEqual([10001, 10002, 10003, 10004, 10005, 10006]);
    expect(numbered.map(({ price: each }) => each)).toEqual(Array(6).fill(price / 100));
    expect(await readProduct(shop, productId)).toMatchObject({
      kind: 'Other',
      images: ['/images/x.webp'],
      priceBreaks: [],
    });
    const own = `email=${encodeURIComponent(email)}`;
    expect(await list(own)).toHaveLength(4);

    // The hold starts at the upgrade, as the orders are old.
    const began = Date.now();
    await expireOrders(shop.services, createOrderPayments(shop.services));
    const due = (await list('status=due')).map(({ heldUntil }) => Date.parse(heldUntil ?? ''));
    expect(due).toHaveLength(2);
    for (const heldUntil of due) expect(heldUntil - began).toBeGreaterThan(71.9 * 3_600_000);
    const [paid] = await list('status=paid');
    expect(paid).not.toHaveProperty('heldUntil');

    // Refunds that were due are still due.
    const { rows } = await shop.services.database.pool.query(
      'select payment_id, order_id, amount_cents, state from refunds',
    );
    expect(rows).toEqual([
      { payment_id: 'pi_due', order_id: ids.cancelledRefundDue, amount_cents: total, state: 'pending' },
    ]);

    // Each payment is its one order's share; a payment of several orders has one share each.
    const shares = await shop.services.database.pool.query(
      'select id, order_id from payments where amount_cents = $1 and payment_cents = $1 order by id',
      [total],
    );
    expect(shares.rows).toEqual([
      { id: 'pi_canceled', order_id: ids.cancelled },
      { id: 'pi_due', order_id: ids.cancelledRefundDue },
      { id: 'pi_given_back', order_id: ids.dueGivenBack },
      { id: 'pi_open', order_id: ids.due },
      { id: 'pi_paid', order_id: ids.paid },
      { id: 'pi_pending', order_id: ids.pending },
    ]);

    // An order with a refunded payment is payable again, under a new attempt.
    const [, refunded] = await Promise.all([
      list(''),
      shop.request(`/order/${ids.dueGivenBack}`, { token: customer.token }),
    ]);
    await anOpenPayment(shop, customer, refunded.body);
    expect((await paymentRows(shop, refunded.body)).map(({ state, attempt }) => [state, attempt])).toEqual([
      ['refunded', 1],
      ['open', 2],
    ]);

    // A newly cancelled order returns its pieces to the stock.
    const [order] = (await list('status=due')).filter(({ _id }) => _id === ids.due);
    if (!order) throw new Error('The order is not there.');
    const cancelled = await cancelOrder(shop, customer, order);
    expect([cancelled.status, readCode(cancelled)]).toEqual([200, 'undefined']);
    expect((await readProduct(shop, productId)).quantity).toBe(1000 + quantity);

    // The ledger's first line includes the earlier orders, but not their later changes.
    const product = await readProduct(shop, productId);
    await anOrder(shop, customer, product, 60);
    const ledger = await readLedger(shop, productId);
    expect(ledger.map(({ kind, change, balance }) => [kind, change, balance])).toEqual([
      ['order', -60, 990],
      ['cancel', quantity, 1050],
      ['initial', 1000, 1000],
    ]);
    expect(ledger[2]).toEqual({
      at: expect.stringMatching(/^\d{4}-/),
      kind: 'initial',
      change: 1000,
      balance: 1000,
      by: { kind: 'system' },
    });
    expect(await readLedger(shop, deletedProductId)).toMatchObject([{ kind: 'initial', change: 7 }]);
    expect(await findStockDifferences(shop.services.database.db, 100)).toEqual([]);
    expect((await readTrail(shop, admin, ids.paid)).map(({ event }) => event)).toEqual(['ordered']);
  } finally {
    await shop.close();
    await database.drop();
  }
});

test('old sign-ins last up to thirty days and get new access tokens', async () => {
  const database = await newEmptyDatabase();
  const before = openDatabase(database.connection, readConfig({}), () => {});
  const folder = earlierMigrations(2);
  const [userId, subject] = [randomUUID(), randomUUID()];
  const day = 86_400_000;
  const startedAt = { lately: new Date(Date.now() - day), longAgo: new Date(Date.now() - 29 * day) };
  try {
    await applyMigrations(drizzle(before.pool), {
      migrationsFolder: folder,
      migrationsSchema: 'public',
      migrationsTable: 'migrations',
    });
    const { pool } = before;
    await pool.query(
      `insert into users (id, email, name) values ($1, 'amara@fieldrepair.example', 'Amara')`,
      [userId],
    );
    await pool.query(
      `insert into access_tokens (hash, user_id, expires_at) values ('\\x01', $1, now() + interval '15 minutes')`,
      [userId],
    );
    await pool.query(
      `insert into identity."user" (id, name, email) values ($1, 'Amara', 'amara@fieldrepair.example')`,
      [subject],
    );
    for (const [id, createdAt] of Object.entries(startedAt)) {
      await pool.query(
        `insert into identity.session (id, token, user_id, created_at, expires_at)
         values ($1, $1, $2, $3, now() + interval '7 days')`,
        [id, subject, createdAt],
      );
    }
  } finally {
    await before.close();
    rmSync(folder, { recursive: true });
  }

  const shop = await startShop({ connection: database.connection });
  try {
    const { pool } = shop.services.database;
    const { rows: tokens } = await pool.query('select 1 from access_tokens');
    expect(tokens).toEqual([]);
    const { rows } = await pool.query<{ id: string; expires_at: Date; second_factor: boolean }>(
      'select id, expires_at, second_factor from identity.session',
    );
    const ends = Object.fromEntries(rows.map(({ id, expires_at }) => [id, expires_at.getTime()]));
    expect(rows.map(({ second_factor }) => second_factor)).toEqual([false, false]);
    expect(ends.longAgo).toBe(startedAt.longAgo.getTime() + 30 * day);
    expect(ends.lately).toBeGreaterThan(Date.now() + 6.9 * day);
  } finally {
    await shop.close();
    await database.drop();
  }
});

test('stored texts are found without their marks after the upgrade', async () => {
  const database = await newEmptyDatabase();
  const before = openDatabase(database.connection, readConfig({}), () => {});
  const folder = earlierMigrations(23);
  const [userId, productId] = [randomUUID(), randomUUID()];
  try {
    await applyMigrations(drizzle(before.pool), {
      migrationsFolder: folder,
      migrationsSchema: 'public',
      migrationsTable: 'migrations',
    });
    await before.pool.query(
      `insert into users (id, email, name) values ($1, 'jo@connor.example', 'Jörg O’Connor')`,
      [userId],
    );
    await before.pool.query(
      `insert into products (id, name, number, description, price_cents, quantity, minimum_order, image, fits)
       values ($1, 'Pack 5,000 mAh', 'PF-B5001', 'Cell.', ${price}, 1000, 50, '/images/x.webp', '{Norda 12s}')`,
      [productId],
    );
    await before.pool.query(
      `insert into orders (id, user_id, product_id, product_name, image, price_cents, name, email, address, phone,
         quantity, total_cents)
       values ($1, $2, $3, 'Pack 5,000 mAh', '/images/x.webp', ${price}, 'Jörg O’Connor', 'jo@connor.example',
         'King’s Road', '12345', ${quantity}, ${total})`,
      [randomUUID(), userId, productId],
    );
  } finally {
    await before.close();
    rmSync(folder, { recursive: true });
  }
  const shop = await startShop({ connection: database.connection });
  try {
    const { token } = await signedInAs(shop, 'admin');
    const count = async (address: string) =>
      Number((await shop.request(address, { token })).headers.get('x-total-count'));
    for (const q of ['pfb5001', '5000mah', 'norda 12s', 'PF–B5001']) {
      expect([q, await count(`/product?q=${encodeURIComponent(q)}`)]).toEqual([q, 1]);
    }
    for (const q of ["O'Connor", 'Joerg', "king's", '5000mah']) {
      expect([q, await count(`/order?q=${encodeURIComponent(q)}`)]).toEqual([q, 1]);
    }
    expect(await count(`/user?q=${encodeURIComponent("o'connor")}`)).toBe(1);
    const { rows } = await shop.services.database.pool.query('select model from phone_models');
    expect(rows).toEqual([{ model: 'norda 12 s' }]);
  } finally {
    await shop.close();
  }
});

test('lines and problems of a file of parts become rows', async () => {
  const { connection } = await newEmptyDatabase();
  const database = openDatabase(connection, readConfig({}), () => {});
  const { entries } = JSON.parse(readFileSync(path.join(migrations, 'meta', '_journal.json'), 'utf8'));
  const count = entries.findIndex(({ tag }: { tag: string }) => tag.endsWith('rows_of_imports'));
  const folder = earlierMigrations(count);
  const apply = (migrationsFolder: string) =>
    applyMigrations(drizzle(database.pool), {
      migrationsFolder,
      migrationsSchema: 'public',
      migrationsTable: 'migrations',
    });
  try {
    await apply(folder);
    const lines = [{ line: 4 }, { line: 2 }];
    const problems = [2, 3, 3, 5].map((line, index) => ({ line, column: 'price', message: String(index) }));
    await database.pool.query(
      `insert into product_imports (id, user_id, name, columns, notes, counts, lines, problems, left_out)
       values (gen_random_uuid(), gen_random_uuid(), 'parts', '[]', '[]', '{}', $1, $2, '[2]')`,
      [JSON.stringify(lines), JSON.stringify(problems)],
    );
    await apply(migrations);
    const { rows } = await database.pool.query(
      `select change, problems, left_out from product_import_lines join product_imports on id = import_id order by place`,
    );
    const [ofLeftOut, ...ofRefused] = problems;
    expect(rows).toEqual([
      { change: { line: 4 }, problems: [], left_out: 1 },
      { change: { line: 2 }, problems: [ofLeftOut], left_out: 1 },
      { change: null, problems: ofRefused.slice(0, 2), left_out: 1 },
      { change: null, problems: ofRefused.slice(2), left_out: 1 },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
    await database.close();
  }
});
