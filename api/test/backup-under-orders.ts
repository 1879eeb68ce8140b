import { LOW_STOCK_MINIMUM_ORDERS } from '@parts-forge/contract/bounds';
import { startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { expect } from 'vitest';
import { embeddedNames } from '#src/process/connect-database.ts';
import { backUp, keepOrdering, parseRows, type Rows, readRows, register, succeed } from './backups.ts';
import { type Settings, settings } from './processes.ts';

/** A busy machine must not decide whether the shop is right. */
export const patience = { timeout: 60_000, interval: 10 };

export type ShopSettings = Record<string, string> & Settings;

/** The demonstration shop, for any number of orders and without any of its own. */
export const demoShop = async (): Promise<ShopSettings> => ({
  ...(await settings()),
  SEED: 'catalogue',
  RATE_LIMITS: 'off',
});
export const buildUrl = ({ PORT }: Pick<Settings, 'PORT'>) => `http://127.0.0.1:${PORT}`;

/** The database of a shop that does not run, without a shop that would work on it. */
export async function readClosedShop(dataDir: string): Promise<Rows> {
  const postgres = await startEmbeddedPostgres({ dataDir, ...embeddedNames });
  try {
    return await readRows(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

/** Backs the shop up while a customer orders, and asks `reader` for all rows when the orders have ended. */
export async function backUpUnderOrders(given: ShopSettings, reader: () => Promise<Rows>, folder: string) {
  const orders = keepOrdering(buildUrl(given), await register(buildUrl(given)));
  await expect.poll(() => orders.confirmed.length, patience).toBeGreaterThan(10);
  const before = [...orders.confirmed];
  await succeed(backUp(given, folder));
  const during = orders.confirmed.length - before.length;
  await expect.poll(() => orders.confirmed.length, patience).toBeGreaterThan(before.length + during + 5);
  await orders.stop();
  return { before, during, confirmed: orders.confirmed, source: await reader() };
}

/** Tables that orders write to. */
const growing = [
  'public.orders',
  'public.order_keys',
  'public.webhook_events',
  'public.mail_outbox',
  'public.low_stock_notices',
];

/** The stock and how scarce it is change with each order, and the jobs note how far they are. */
const followsOrders = ['public.products', 'public.scarce_products', 'public.settings'];

/** The copy is the shop at one moment of the backup. */
export function expectOneMoment(
  copy: Rows,
  { before, during, confirmed, source }: Awaited<ReturnType<typeof backUpUnderOrders>>,
) {
  expect([...copy.keys()]).toEqual([...source.keys()]);
  // Orders went on, and those of after the backup are not in it.
  expect(during).toBeGreaterThan(3);
  const ids = parseRows(copy, 'public.orders').map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(before));
  expect(ids.length).toBeLessThan(confirmed.length);
  expect(confirmed).toEqual(expect.arrayContaining(ids));
  for (const [table, rows] of copy) {
    if (followsOrders.includes(table)) continue;
    expect(source.get(table), table).toEqual(expect.arrayContaining(rows));
    if (!growing.includes(table)) expect(rows, table).toEqual(source.get(table));
  }
  expect(sumPieces(copy)).toEqual(sumPieces(source));
  expect(listScarce(copy)).toEqual(
    parseRows(copy, 'public.scarce_products')
      .map(({ product_id }) => product_id)
      .sort(),
  );
  // An order and its mail are written in one step.
  const mailed = parseRows(copy, 'public.mail_outbox').filter(({ kind }) => kind === 'order-placed');
  expect(mailed.map(({ order_id }) => order_id).sort()).toEqual(ids.sort());
}

/** For each part what is in stock and what is ordered together, which no order changes. */
const sumPieces = (rows: Rows): Record<string, number> => {
  const pieces: Record<string, number> = {};
  const add = (id: unknown, quantity: unknown) => {
    pieces[String(id)] = (pieces[String(id)] ?? 0) + Number(quantity);
  };
  for (const { id, quantity } of parseRows(rows, 'public.products')) add(id, quantity);
  for (const { product_id, quantity } of parseRows(rows, 'public.orders')) add(product_id, quantity);
  return pieces;
};

/** The parts on sale that are scarce by what is left of them. */
const listScarce = (rows: Rows): string[] =>
  parseRows(rows, 'public.products')
    .filter(({ deleted_at, quantity, minimum_order }) => {
      const leftInMinimumOrders = Number(quantity) / Number(minimum_order);
      return deleted_at === null && leftInMinimumOrders < LOW_STOCK_MINIMUM_ORDERS;
    })
    .map(({ id }) => String(id))
    .sort();
