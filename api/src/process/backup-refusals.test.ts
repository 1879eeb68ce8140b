import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRunningPostgres, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import pg from 'pg';
import { expect, test } from 'vitest';
import {
  backUpUnderOrders,
  buildUrl,
  demoShop,
  expectOneMoment,
  patience,
} from '#test/backup-under-orders.ts';
import { backUp, readPictures, readRows, restore, succeed } from '#test/backups.ts';
import { createDatabase } from '#test/databases.ts';
import {
  cleanUps,
  isOpen,
  newFolder,
  settings,
  settingsOfNewShop,
  startShopProcess,
} from '#test/processes.ts';
import { embeddedNames } from './connect-database.ts';

test('a shop on an installed PostgreSQL is backed up at one moment', async ({ skip }) => {
  const server = await startInstalledPostgres();
  if (!server) return skip('no PostgreSQL is installed here');
  const databaseFor = async (name: string) => readAddress(await createDatabase(server, name));
  const given = { ...(await demoShop()), DATABASE_URL: await databaseFor('source') };
  const shop = startShopProcess(given);
  await isOpen(shop);
  const folder = newFolder();
  const reader = () => readRows({ connectionString: given.DATABASE_URL });
  const facts = await backUpUnderOrders(given, reader, folder);
  shop.child.kill('SIGTERM');
  await shop.ended;

  const restored = { ...(await settingsOfNewShop()), DATABASE_URL: await databaseFor('restored') };
  await succeed(restore(restored, folder));
  const read = () => readRows({ connectionString: restored.DATABASE_URL });
  const rows = await read();
  expectOneMoment(rows, facts);
  expect(readPictures(restored.DATA_DIR)).toEqual(readPictures(given.DATA_DIR));
  const refused = restore(restored, folder);
  expect(await refused.ended).toBe(1);
  expect(refused.said()).toContain('This database has tables already');
  await succeed(restore(restored, folder, '--replace'));
  expect((await read()).get('public.orders')).toEqual(rows.get('public.orders'));
});

test('a restore refuses a damaged file and an existing shop without --replace', async () => {
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

  // A cron job from before the upgrade may still pass the option.
  await succeed(backUp(given, newFolder(), '--rows'));
  const onClosed = restore(given, folder);
  expect(await onClosed.ended).toBe(1);
  expect(onClosed.said()).toContain('add --replace to put that shop aside.');
  expect(onClosed.said()).not.toContain('Restoring');
  const replacing = restore(given, folder, '--replace');
  await succeed(replacing);
  const aside = /What was there before is in (\S+)\.\n/.exec(replacing.said())?.[1] ?? '';
  expect(existsSync(join(aside, 'postgres', 'PG_VERSION'))).toBe(true);

  const file = join(folder, 'rows', 'public.users.tsv');
  const bytes = readFileSync(file);
  bytes[10] = (bytes[10] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  const elsewhere = await settingsOfNewShop();
  const damaged = restore(elsewhere, folder);
  expect(await damaged.ended).toBe(1);
  expect(damaged.said()).toContain('The backup is damaged: rows/public.users.tsv is not as it was written.');
  expect(existsSync(elsewhere.DATA_DIR)).toBe(false);
});

test('Ctrl-C removes the unfinished backup', async () => {
  const given = await settings();
  const shop = startShopProcess(given);
  await isOpen(shop);
  const folder = join(newFolder(), 'backup');
  const client = new pg.Client(findRunningPostgres(given.DATA_DIR, embeddedNames));
  await client.connect();
  cleanUps.push(() => client.end());
  // The lock holds the backup for as long as the test needs.
  await client.query('begin; lock table users in access exclusive mode');
  const command = backUp(given, folder);
  await expect.poll(() => existsSync(join(folder, 'rows', 'public.users.tsv')), patience).toBe(true);
  command.child.kill('SIGINT');
  expect(await command.ended).toBe(130);
  await client.query('rollback');
  expect(command.said()).toContain('Stopped; nothing was left behind.');
  expect(existsSync(folder)).toBe(false);
  expect((await fetch(`${buildUrl(given)}/readyz`)).status).toBe(200);
});

/** @returns `undefined` if none is installed */
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
