import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOW_STOCK_MINIMUM_ORDERS } from '@parts-forge/contract/bounds';
import { findRunningPostgres, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import {
  backUp,
  keepOrdering,
  parseRows,
  type Rows,
  readPictures,
  readRows,
  register,
  restore,
  succeed,
} from '#test/backups.ts';
import { createDatabase } from '#test/databases.ts';
import { cleanUps, isOpen, newFolder, run, settings, startShopProcess } from '#test/processes.ts';
import { embeddedNames } from './connect-database.ts';

/** A busy machine must not decide whether the shop is right. */
const patience = { timeout: 60_000, interval: 10 };

type Settings = Record<string, string> & { PORT: string; DATA_DIR: string };

/** The demonstration shop, for any number of orders and without any of its own. */
const demoShop = async (): Promise<Settings> => ({
  ...(await settings()),
  SEED: 'catalogue',
  RATE_LIMITS: 'off',
});
const buildUrl = ({ PORT }: Settings) => `http://127.0.0.1:${PORT}`;

/** The database of a shop that does not run, without a shop that would work on it. */
async function readClosedShop(dataDir: string): Promise<Rows> {
  const postgres = await startEmbeddedPostgres({ dataDir, ...embeddedNames });
  try {
    return await readRows(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

/** Backs the shop up while a customer orders, and asks `reader` for all rows when the orders have ended. */
async function backUpUnderOrders(given: Settings, reader: () => Promise<Rows>, folder: string) {
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
function expectOneMoment(
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

describe('npm run backup and npm run restore', () => {
  test('copy a shop that takes orders meanwhile, at one moment, with its pictures', async () => {
    const given = await demoShop();
    const shop = startShopProcess(given);
    await isOpen(shop);
    const folder = join(newFolder(), 'backup');
    const reader = () => readRows(findRunningPostgres(given.DATA_DIR, embeddedNames) ?? {});
    const facts = await backUpUnderOrders(given, reader, folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);

    const elsewhere = { ...(await demoShop()), SEED: 'none' };
    await succeed(restore(elsewhere, folder));
    expectOneMoment(await readClosedShop(elsewhere.DATA_DIR), facts);
    expect(readPictures(elsewhere.DATA_DIR)).toEqual(readPictures(given.DATA_DIR));

    // Both run side by side, and the copy says what it is until it takes the other's place.
    const copy = startShopProcess(elsewhere);
    await isOpen(copy);
    expect(copy.said()).toContain('It gives no money of that shop back before it is started once with');
    expect((await fetch(`${buildUrl(elsewhere)}/readyz`)).status).toBe(200);
    copy.child.kill('SIGTERM');
    expect(await copy.ended).toBe(0);
    const hasty = run(['api/src/process/main.ts', '--take-over'], elsewhere);
    expect(await hasty.ended).toBe(1);
    expect(hasty.said()).toContain('Say which invoice was the last that the other shop has issued');
    const numbers = ['--last-invoice=2026-00041', '--last-credit-note=none'];
    const successor = run(['api/src/process/main.ts', '--take-over', ...numbers], elsewhere);
    await isOpen(successor);
    expect(successor.said()).toContain('This shop has taken the place of the one that was backed up');
    successor.child.kill('SIGTERM');
    expect(await successor.ended).toBe(0);
  });

  test('copy a shop that does not run, every row of it, also as rows for any other PostgreSQL', async () => {
    const given = await demoShop();
    const shop = startShopProcess(given);
    await isOpen(shop);
    const orders = keepOrdering(buildUrl(given), await register(buildUrl(given)));
    await expect.poll(() => orders.confirmed.length, patience).toBeGreaterThan(10);
    await orders.stop();
    shop.child.kill('SIGTERM');
    await shop.ended;
    const source = await readClosedShop(given.DATA_DIR);
    for (const options of [[], ['--rows']]) {
      const folder = newFolder();
      await succeed(backUp(given, folder, ...options));
      const elsewhere = await settings();
      await succeed(restore(elsewhere, folder));
      expect(await readClosedShop(elsewhere.DATA_DIR)).toEqual(source);
      expect(readPictures(elsewhere.DATA_DIR)).toEqual(readPictures(given.DATA_DIR));
    }
  });

  test('copy a shop on a PostgreSQL of its owner, by its tools and by rows', async ({ skip }) => {
    const server = await startInstalledPostgres();
    if (!server) return skip('no PostgreSQL is installed here');
    const databaseFor = async (name: string) => readAddress(await createDatabase(server, name));
    const given = { ...(await demoShop()), DATABASE_URL: await databaseFor('source') };
    const shop = startShopProcess(given);
    await isOpen(shop);
    const folder = newFolder();
    const reader = () => readRows({ connectionString: given.DATABASE_URL });
    const facts = await backUpUnderOrders(given, reader, folder);
    expect(readdirSync(folder)).toContain('database.dump');
    const rows = newFolder();
    await succeed(backUp(given, rows, '--rows'));
    shop.child.kill('SIGTERM');
    await shop.ended;

    const dumped = { ...(await settings()), DATABASE_URL: await databaseFor('dumped') };
    await succeed(restore(dumped, folder));
    expectOneMoment(await readRows({ connectionString: dumped.DATABASE_URL }), facts);
    expect(readPictures(dumped.DATA_DIR)).toEqual(readPictures(given.DATA_DIR));
    const refused = restore(dumped, rows);
    expect(await refused.ended).toBe(1);
    expect(refused.said()).toContain('This database has tables already');
    await succeed(restore(dumped, rows, '--replace'));
    const replaced = await readRows({ connectionString: dumped.DATABASE_URL });
    expect(replaced.get('public.orders')).toEqual(facts.source.get('public.orders'));
  });
});

describe('what is no backup, or would be lost by one, is refused in one sentence', () => {
  test('a damaged file, and a shop that is there already, until it may be put aside', async () => {
    const given = await settings();
    const shop = startShopProcess(given);
    await isOpen(shop);
    const folder = newFolder();
    await succeed(backUp(given, folder));
    const again = backUp(given, folder);
    expect(await again.ended).toBe(1);
    expect(again.said()).toBe(`${folder} is not empty: choose a new folder for the backup.\n`);
    const onRunning = restore(given, folder, '--replace');
    expect(await onRunning.ended).toBe(1);
    expect(onRunning.said()).toContain(`Another shop is using this data folder: ${given.DATA_DIR}\n`);
    expect(onRunning.said()).not.toContain('Restoring');
    shop.child.kill('SIGTERM');
    await shop.ended;

    const onClosed = restore(given, folder);
    expect(await onClosed.ended).toBe(1);
    expect(onClosed.said()).toContain('add --replace to put that shop aside.');
    expect(onClosed.said()).not.toContain('Restoring');
    const replacing = restore(given, folder, '--replace');
    await succeed(replacing);
    const aside = /What was there before is in (\S+)\.\n/.exec(replacing.said())?.[1] ?? '';
    expect(existsSync(join(aside, 'postgres', 'PG_VERSION'))).toBe(true);

    const file = join(folder, 'database', 'postgres', 'global', 'pg_control');
    const bytes = readFileSync(file);
    bytes[100] = (bytes[100] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const elsewhere = await settings();
    const damaged = restore(elsewhere, folder);
    expect(await damaged.ended).toBe(1);
    expect(damaged.said()).toContain(
      'The backup is damaged: database/postgres/global/pg_control is not as it was written.',
    );
    expect(existsSync(elsewhere.DATA_DIR)).toBe(false);
  });

  test('Ctrl-C leaves nothing that could be taken for a backup', async () => {
    const given = await settings();
    const shop = startShopProcess(given);
    await isOpen(shop);
    const folder = join(newFolder(), 'backup');
    const command = backUp(given, folder);
    await expect.poll(() => existsSync(join(folder, 'database', 'postgres', 'base')), patience).toBe(true);
    command.child.kill('SIGINT');
    expect(await command.ended).toBe(130);
    expect(command.said()).toContain('Stopped; nothing was left behind.');
    expect(existsSync(folder)).toBe(false);
    expect((await fetch(`${buildUrl(given)}/readyz`)).status).toBe(200);
  });

  test('a folder without a shop, and an option that does not exist', async () => {
    const given = await settings();
    const nothing = backUp(given, join(newFolder(), 'backup'));
    expect(await nothing.ended).toBe(1);
    expect(nothing.said()).toBe(
      `There is no shop in ${given.DATA_DIR}: set DATA_DIR to the folder of the shop.\n`,
    );
    expect(existsSync(given.DATA_DIR)).toBe(false);
    const unknown = run(['api/src/process/main.ts', '--takeover'], given);
    expect(await unknown.ended).toBe(1);
    expect(unknown.said()).toBe('--takeover is no option of npm start; --take-over is the only one.\n');
  });
});

/** @returns `undefined` where none is installed */
async function startInstalledPostgres(): Promise<pg.PoolConfig | undefined> {
  const postgres = await startEmbeddedPostgres({
    dataDir: newFolder(),
    source: 'installed',
    transport: 'tcp',
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'no-binaries') return undefined;
    throw error;
  });
  if (!postgres) return undefined;
  cleanUps.push(() => postgres.stop());
  const { user, password, host, port, database } = postgres.connection;
  return { connectionString: `postgres://${user}:${password}@${host}:${port}/${database}` };
}

const readAddress = ({ connectionString = '' }: pg.PoolConfig): string => connectionString;
