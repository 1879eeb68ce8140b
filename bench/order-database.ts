import { createHash, randomBytes } from 'node:crypto';
import { startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { EmbeddedPostgresError } from '@parts-forge/embedded-postgres/errors';
import { type Database, openDatabase } from '../api/src/platform/database/connection.ts';
import { migrate } from '../api/src/platform/database/migrate.ts';
import { closing } from './closing.ts';
import { makeDataFolder } from './data-folder.ts';
import type { Customer } from './load.ts';

export const productCount = 1000;
/** 12 digits follow, so that pgbench can build ids. */
export const idPrefix = '00000000-0000-7000-8000-';
export const firstNumber = 100_000_000_000;
export const priceCents = 1999;
export const minimumOrder = 50;

/** Besides product, customer and key. */
export const order = {
  address: '12 Oxford Street, Osu, Accra',
  phone: '233302771204',
  productName: 'Display assembly',
  quantity: minimumOrder,
  totalPrice: (minimumOrder * priceCents) / 100,
  status: 'due',
  image: '/images/panel-1280.webp',
};

export interface Address {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/** Two databases with equal customers and products. */
export interface OrderDatabases {
  majorVersion: number;
  shop: Address;
  yardstick: Address;
  /** Each with a valid access token. */
  customers: Customer[];
  productIds: string[];
  countOrders(of: Address): Promise<number>;
  /** Flushes earlier writes. */
  checkpoint(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * PostgreSQL's default settings, durability included.
 * @returns null without an installed version 15 or newer
 */
export async function startOrderDatabases(customerCount: number): Promise<OrderDatabases | null> {
  const folder = makeDataFolder();
  const server = await startEmbeddedPostgres({
    dataDir: folder.path,
    source: 'installed',
    transport: 'tcp',
    // Not `postgres`, which has connections while the shop's database is copied.
    database: 'shop',
  }).catch(async (error: unknown) => {
    await folder.remove();
    if (error instanceof EmbeddedPostgresError) return null;
    throw error;
  });
  if (!server) return null;
  const shop: Address = { password: '', ...server.connection };
  const yardstick: Address = { ...shop, database: 'yardstick' };

  const stopServer = closing(server.stop);
  const stop = async () => {
    await stopServer();
    await folder.remove();
  };
  try {
    const customers = await withDatabase(shop, async (opened) => {
      await migrate(opened);
      return fill(opened, customerCount);
    });
    await withDatabase({ ...shop, database: 'postgres' }, ({ pool }) =>
      pool.query(`create database ${yardstick.database} template ${shop.database}`),
    );
    return {
      majorVersion: server.majorVersion,
      shop,
      yardstick,
      customers,
      productIds: Array.from({ length: productCount }, (_, index) => `${idPrefix}${firstNumber + index + 1}`),
      countOrders: (of) =>
        withDatabase(of, async ({ pool }) => {
          const { rows } = await pool.query<{ count: number }>('select count(*) from orders');
          return rows[0]?.count ?? 0;
        }),
      checkpoint: () => withDatabase(shop, async ({ pool }) => void (await pool.query('checkpoint'))),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fill({ pool }: Database, customerCount: number): Promise<Customer[]> {
  await pool.query(
    `insert into products (id, name, description, price_cents, quantity, minimum_order, image)
     select ('${idPrefix}' || (${firstNumber} + n))::uuid, 'Display assembly ' || n,
       repeat('Flexible panel bonded to its cover glass. ', 5), $1, 100000000, $2, '/images/panel-1280.webp'
     from generate_series(1, $3::int) n`,
    [priceCents, minimumOrder, productCount],
  );
  const customers: Customer[] = [];
  for (let index = 0; index < customerCount; index += 1) {
    const number = firstNumber + index;
    const customer = {
      email: `customer-${number}@bench.example`,
      name: `Customer ${number}`,
      token: randomBytes(32).toString('base64url'),
    };
    const id = `${idPrefix}${number}`;
    await pool.query(`insert into users (id, email, name) values ($1, $2, $3)`, [
      id,
      customer.email,
      customer.name,
    ]);
    // The shop stores tokens by their SHA-256.
    await pool.query(
      `insert into access_tokens (hash, user_id, expires_at) values ($1, $2, now() + interval '15 minutes')`,
      [createHash('sha256').update(customer.token).digest(), id],
    );
    customers.push(customer);
  }
  // Not the tables that orders fill, as in a new shop.
  await pool.query('vacuum analyze products, users, access_tokens');
  return customers;
}

async function withDatabase<T>(address: Address, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(
    { ...address },
    { statementTimeoutMs: 600_000, connectionTimeoutMs: 10_000 },
    () => {},
  );
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export const buildUrl = ({ host, port, user, password, database }: Address) =>
  `postgres://${user}:${password}@${host}:${port}/${database}`;
