import path from 'node:path';
import { restoreDatabase } from '@parts-forge/embedded-postgres/restore-database';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { resolvePicturesFolder } from '#src/images/picture-files.ts';
import { holdUnpaidOrders } from '#src/orders/move-order.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { markRestored } from '#src/platform/database/instance.ts';
import { countMigrations, migrate, migrateToVersion, withSetupLock } from '#src/platform/database/migrate.ts';
import { type BackupParts, backupFolders } from './back-up-shop.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { copyPictures } from './pictures.ts';
import { loadRows, readRowsFolder } from './rows.ts';
import { rowSchemas, shopSchemas } from './schemas.ts';

export interface RestoreParts extends BackupParts {
  replaces: boolean;
  /** Role, database and socket folder of the embedded PostgreSQL. */
  embeddedNames: { user: string; database: string; socketFolderPrefix: string };
  open(connection: pg.PoolConfig): Database;
}

/**
 * Restores a copy with a new id and migrated tables. It refunds no payment of the original until it takes the
 * original's place.
 * @returns the manifest, and the folder of a replaced shop
 * @throws StartError for an unsuitable backup or an existing shop; EmbeddedPostgresError
 */
export async function restoreShop(
  parts: RestoreParts,
): Promise<{ manifest: Manifest; aside: string | null }> {
  const { config, folder, signal, say } = parts;
  say('Checking the backup …');
  const manifest = await readManifest(folder);
  if (manifest.migrations > countMigrations()) {
    throw new StartError('This backup was made by a newer version of the shop: restore it with that one.');
  }
  const aside =
    config.databaseUrl === null
      ? await restoreToDataFolder(parts, manifest)
      : await restoreToUrl(parts, manifest, config.databaseUrl);
  say('Restoring the pictures …');
  await copyPictures(path.join(folder, backupFolders.pictures), resolvePicturesFolder(config), signal);
  return { manifest, aside };
}

/** @throws StartError, EmbeddedPostgresError; the data folder is unchanged */
async function restoreToDataFolder(parts: RestoreParts, manifest: Manifest): Promise<string | null> {
  const { config, replaces, embeddedNames, open, signal, say } = parts;
  return restoreDatabase({
    dataDir: config.dataDir,
    replaces,
    ...embeddedNames,
    onBegin: () => say('Restoring the database …'),
    signal,
    async prepare(connection) {
      const database = open(connection);
      try {
        await restoreRows(parts, database, manifest);
      } finally {
        await database.close();
      }
    },
  });
}

/** @returns null: nothing is put aside. @throws StartError */
async function restoreToUrl(parts: RestoreParts, manifest: Manifest, databaseUrl: string): Promise<null> {
  const { open, say } = parts;
  const database = open({ connectionString: databaseUrl });
  try {
    await makeRoom(parts, database);
    say('Restoring the database …');
    await restoreRows(parts, database, manifest);
  } finally {
    await database.close();
  }
  return null;
}

/**
 * Rows and copy mark share a transaction, so that no shop starts between them. Unpaid orders expire later:
 * payments since the backup must be read from the provider first.
 */
async function restoreRows(
  { folder, signal, say }: RestoreParts,
  database: Database,
  manifest: Manifest,
): Promise<void> {
  await migrateToVersion(database, manifest.migrations);
  const rows = await readRowsFolder(path.join(folder, backupFolders.rows));
  const leftOut = await loadRows(database, rowSchemas, rows, signal, (client) =>
    markRestored(drizzle(client), new Date(manifest.madeAt)),
  );
  if (leftOut.length > 0)
    say(`Warning: these tables are not the shop's and were left out: ${leftOut.join(', ')}.`);
  await migrate(database);
  await holdUnpaidOrders(database.db, null);
}

/** @throws StartError while a shop runs there, or for a database with tables unless it `replaces` them */
async function makeRoom({ replaces, say }: RestoreParts, database: Database): Promise<void> {
  const { rows } = await database.pool.query<{ isInUse: boolean; hasTables: boolean }>(
    `select
       exists (select from pg_stat_activity
               where datname = current_database() and application_name = 'parts-forge' and pid <> pg_backend_pid())
         as "isInUse",
       exists (select from pg_tables where schemaname = any($1)) as "hasTables"`,
    [shopSchemas],
  );
  const [{ isInUse, hasTables } = { isInUse: true, hasTables: true }] = rows;
  if (isInUse) throw new StartError('A shop runs on this database: stop it first.');
  if (!hasTables) return;
  if (!replaces) {
    throw new StartError(
      'This database has tables already: name an empty one, or add --replace to remove everything in it first.',
    );
  }
  say('Removing what is in the database …');
  const schemas = shopSchemas.join(', ');
  await withSetupLock(database, (client) =>
    client.query(`drop schema if exists ${schemas} cascade; create schema public`),
  );
}
