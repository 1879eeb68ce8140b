import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { like } from 'drizzle-orm';
import { resolvePicturesFolder } from '#src/images/picture-files.ts';
import { imageAddresses } from '#src/images/schema.ts';
import type { Config } from '#src/platform/core/config.ts';
import { StartError } from '#src/platform/core/start-error.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { countAppliedMigrations } from '#src/platform/database/migrate.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { copyPictures, findMissingPictures } from './pictures.ts';
import { saveRows } from './rows.ts';
import { rowSchemas } from './schemas.ts';

export interface BackupParts {
  config: Pick<Config, 'dataDir' | 'databaseUrl'>;
  folder: string;
  /** An abort leaves nothing that looks like a backup or a shop. */
  signal: AbortSignal;
  say(text: string): void;
}

/** Folders within a backup. */
export const backupFolders = { rows: 'rows', pictures: 'images' } as const;

/**
 * The shop may run. Database first: pictures are only ever added, so every picture it knows is in the copy.
 * @throws StartError when the folder is in use or the database has no shop
 */
export async function backUpShop(parts: BackupParts & { database: Database }): Promise<Manifest> {
  const { config, database, folder, signal, say } = parts;
  const facts = await readFacts(database);
  const isNew = await claimFolder(folder, config.dataDir);
  try {
    const madeAt = new Date().toISOString();
    say('Copying the database …');
    await saveRows(database, rowSchemas, path.join(folder, backupFolders.rows), signal);
    say('Copying the pictures …');
    await copyPictures(resolvePicturesFolder(config), path.join(folder, backupFolders.pictures), signal);
    await warnOfMissingPictures(parts);
    signal.throwIfAborted();
    return await writeManifest(folder, { kind: 'rows', madeAt, ...facts });
  } catch (error) {
    await emptyFolder(folder, isNew);
    throw error;
  }
}

async function readFacts({ db, pool }: Database): Promise<Pick<Manifest, 'postgres' | 'migrations'>> {
  const migrations = await countAppliedMigrations(db);
  if (migrations === 0) throw new StartError('There is no shop in this database yet.');
  const version = "select current_setting('server_version_num')::int / 10000 as postgres";
  const { rows } = await pool.query<{ postgres: number }>(version);
  return { postgres: rows[0]?.postgres ?? 0, migrations };
}

/** @returns whether the folder is new. @throws StartError for a folder with content or of the shop itself */
async function claimFolder(folder: string, dataDir: string): Promise<boolean> {
  for (const own of ['postgres', 'images']) {
    const relative = path.relative(path.join(dataDir, own), folder);
    if (!relative.startsWith('..') && !path.isAbsolute(relative)) {
      throw new StartError(`${folder} belongs to the shop itself: choose another folder for the backup.`);
    }
  }
  const isNew = !existsSync(folder);
  if (isNew) await mkdir(folder, { recursive: true, mode: 0o700 });
  else if ((await readdir(folder)).length > 0) {
    throw new StartError(`${folder} is not empty: choose a new folder for the backup.`);
  }
  return isNew;
}

async function emptyFolder(folder: string, isNew: boolean): Promise<void> {
  if (isNew) return rm(folder, { recursive: true, force: true });
  for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true });
}

/** Some are missing when `DATA_DIR` belongs to another shop than `DATABASE_URL`. */
async function warnOfMissingPictures({ database, folder, say }: BackupParts & { database: Database }) {
  const known = await database.db
    .select({ hash: imageAddresses.hash })
    .from(imageAddresses)
    .where(like(imageAddresses.address, '/%'));
  const missing = await findMissingPictures(
    path.join(folder, backupFolders.pictures),
    known.map(({ hash }) => hash),
  );
  if (missing.length > 0) {
    say(`Warning: ${missing.length} pictures of the shop are not in DATA_DIR, and so not in the backup.`);
  }
}
