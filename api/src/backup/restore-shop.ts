import path from 'node:path';
import { findClientTools } from '@parts-forge/embedded-postgres/client-tools';
import { restoreDatabase } from '@parts-forge/embedded-postgres/restore-database';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { resolvePicturesFolder } from '#src/images/picture-files.ts';
import { holdUnpaidOrders } from '#src/orders/move-order.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { markRestored } from '#src/platform/database/instance.ts';
import { countMigrations, migrate, migrateToVersion, withSetupLock } from '#src/platform/database/migrate.ts';
import { type BackupParts, contents } from './back-up-shop.ts';
import { loadDump } from './dump.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { copyPictures } from './pictures.ts';
import { loadRows, readRowsFolder } from './rows.ts';
import { rowSchemas, shopSchemas } from './schemas.ts';

export interface RestoreParts extends BackupParts {
  /** Whether a shop that is there may be replaced. */
  replaces: boolean;
  /** How the shop's own PostgreSQL is called. */
  embeddedNames: { user: string; database: string; socketFolderPrefix: string };
  open(connection: pg.PoolConfig): Database;
}

/**
 * Makes a shop of a backup, in the place that the settings name: a copy with an id of its own, its tables of the present
 * version, that gives no money of the backed-up shop back until it takes that one's place.
 * @returns the manifest, and the folder with what was there before, if anything was put aside
 * @throws StartError when the backup is damaged or does not fit, or a shop is there; EmbeddedPostgresError
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
  await copyPictures(path.join(folder, contents.pictures), resolvePicturesFolder(config), signal);
  return { manifest, aside };
}

/** @throws StartError, EmbeddedPostgresError; the data folder is as it was then */
async function restoreToDataFolder(parts: RestoreParts, manifest: Manifest): Promise<string | null> {
  const { config, folder, replaces, embeddedNames, open, signal, say } = parts;
  if (manifest.kind === 'dump') {
    throw new StartError('This backup was made by pg_dump: set DATABASE_URL to the database that it is for.');
  }
  return restoreDatabase({
    dataDir: config.dataDir,
    source: manifest.kind === 'files' ? path.join(folder, contents.files) : null,
    replaces,
    ...embeddedNames,
    onBegin: () => say('Restoring the database …'),
    signal,
    async prepare(connection) {
      const database = open(connection);
      try {
        if (manifest.kind === 'rows') await restoreRows(parts, database, manifest);
        else await markRestored(database.db, new Date(manifest.madeAt));
        await bringUpToDate(database);
      } finally {
        await database.close();
      }
    },
  });
}

/** @returns null: what was there is gone. @throws StartError */
async function restoreToUrl(parts: RestoreParts, manifest: Manifest, databaseUrl: string): Promise<null> {
  const { folder, open, signal, say } = parts;
  if (manifest.kind === 'files') {
    throw new StartError(
      'This backup has the files of an embedded database: restore it without DATABASE_URL, or make one with --rows.',
    );
  }
  const tools = manifest.kind === 'dump' ? await findClientTools(manifest.tools ?? 0) : undefined;
  if (manifest.kind === 'dump' && !tools) {
    throw new StartError(`pg_restore of PostgreSQL ${manifest.tools} or newer is needed; install it first.`);
  }
  const database = open({ connectionString: databaseUrl });
  try {
    await makeRoom(parts, database);
    say('Restoring the database …');
    if (tools) {
      await loadDump(tools.pgRestore, databaseUrl, path.join(folder, contents.dump), signal);
      await markRestored(database.db, new Date(manifest.madeAt));
    } else await restoreRows(parts, database, manifest);
    await bringUpToDate(database);
  } finally {
    await database.close();
  }
  return null;
}

/** Rows and the mark of a copy in one step: nobody can start a shop between them. */
async function restoreRows(
  { folder, signal }: RestoreParts,
  database: Database,
  manifest: Manifest,
): Promise<void> {
  await migrateToVersion(database, manifest.migrations);
  const rows = await readRowsFolder(path.join(folder, contents.rows));
  await loadRows(database, rowSchemas, rows, signal, (client) =>
    markRestored(drizzle(client), new Date(manifest.madeAt)),
  );
}

/**
 * Also gives every unpaid order its time anew, from the next start: it may have been paid since the backup, which the
 * provider will tell, and must not expire before.
 */
async function bringUpToDate(database: Database): Promise<void> {
  await migrate(database);
  await holdUnpaidOrders(database.db, null);
}

/** @throws StartError when a shop runs on the database, or it has tables and may not be replaced */
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
