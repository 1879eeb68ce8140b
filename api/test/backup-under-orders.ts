import { LOW_STOCK_MINIMUM_ORDERS } from '@parts-forge/contract/calls/bounds';
import { startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import { expect } from 'vitest';
import { embeddedNames } from '#src/process/connect-database.ts';
import { backUp, keepOrdering, parseRows, type Rows, readRows, register, succeed } from './backups.ts';
import { type Settings, settings } from './processes.ts';

/** Generous: a busy machine must not fail a test. */
export const patience = { timeout: 60_000, interval: 10 };

export type ShopSettings = Record<string, string> & Settings;

/** The demo catalogue without orders and rate limits. */
export const demoShop = async (): Promise<ShopSettings> => ({
  ...(await settings()),
  SEED: 'catalogue',
  RATE_LIMITS: 'off',
});
export const buildUrl = ({ PORT }: Pick<Settings, 'PORT'>) => `http://127.0.0.1:${PORT}`;

export async function readClosedShop(dataDir: string): Promise<Rows> {
  const postgres = await startEmbeddedPostgres({ dataDir, ...embeddedNames });
  try {
    return await readRows(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

/** `reader` reads all rows after the last order. */
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

const growing = [
  'public.orders',
  'public.order_keys',
  'public.events',
  'public.webhook_events',
  'public.mail_outbox',
  'public.low_stock_notices',
];

/** Orders change stock and scarcity; jobs record their progress. */
const followsOrders = ['public.products', 'public.scarce_products', 'public.settings'];

/** One moment during the backup. */
export function expectOneMoment(
  copy: Rows,
  { before, during, confirmed, source }: Awaited<ReturnType<typeof backUpUnderOrders>>,
) {
  expect([...copy.keys()]).toEqual([...source.keys()]);
  // The copy lacks orders after the backup.
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
  // One transaction writes an order and its mail.
  const mailed = parseRows(copy, 'public.mail_outbox').filter(({ kind }) => kind === 'order-placed');
  expect(mailed.map(({ order_id }) => order_id).sort()).toEqual(ids.sort());
}

/** Stock plus ordered pieces, which orders do not change. */
const sumPieces = (rows: Rows): Record<string, number> => {
  const pieces: Record<string, number> = {};
  const add = (id: unknown, quantity: unknown) => {
    pieces[String(id)] = (pieces[String(id)] ?? 0) + Number(quantity);
  };
  for (const { id, quantity } of parseRows(rows, 'public.products')) add(id, quantity);
  for (const { product_id, quantity } of parseRows(rows, 'public.orders')) add(product_id, quantity);
  return pieces;
};

/** By remaining stock. */
const listScarce = (rows: Rows): string[] =>
  parseRows(rows, 'public.products')
    .filter(({ deleted_at, quantity, minimum_order }) => {
      const leftInMinimumOrders = Number(quantity) / Number(minimum_order);
      return deleted_at === null && leftInMinimumOrders < LOW_STOCK_MINIMUM_ORDERS;
    })
    .map(({ id }) => String(id))
    .sort();
