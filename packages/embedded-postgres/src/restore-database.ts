import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataFolder } from './data-folder.ts';
import { resolveDatabaseFolder, resolvePasswordFile } from './database-folder.ts';
import { type DatabaseNames, type PostgresConnection, startEmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { acquireOwnerLock } from './owner-lock.ts';
import { stopPostmaster } from './postmaster.ts';

export interface RestoreOptions extends DatabaseNames {
  dataDir: string;
  /** Puts a database that is there aside, in a folder of its own within `dataDir`. */
  replaces: boolean;
  socketFolderPrefix?: string;
  /** Fills the new database before it gets its place; when it throws, everything is as it was. */
  prepare(connection: PostgresConnection): Promise<void>;
  /** Told once nothing that is in the data folder refuses the restore, and before anything is written. */
  onBegin?: () => void;
  signal?: AbortSignal;
}

/** @returns whether a database is in the data folder */
export const hasDatabase = (dataDir: string): boolean => existsSync(join(dataDir, 'postgres', 'PG_VERSION'));

/**
 * Gives the data folder a new database. It is filled apart from the one that is there and then takes its place: an
 * interrupted or failed restore changes nothing.
 * @returns the folder that has what was there before, itself a data folder; null when nothing was
 * @throws EmbeddedPostgresError `database-exists`, `folder-in-use`, or another reason why no PostgreSQL can run; what
 *   `prepare` throws
 */
export async function restoreDatabase(options: RestoreOptions): Promise<string | null> {
  const { dataDir, replaces, prepare, onBegin, signal, ...names } = options;
  makeDataFolder(dataDir);
  const lock = acquireOwnerLock(dataDir);
  const restoring = join(dataDir, 'restoring');
  try {
    if (hasDatabase(dataDir) && !replaces) {
      throw new EmbeddedPostgresError({ code: 'database-exists', folder: dataDir });
    }
    onBegin?.();
    rmSync(restoring, { recursive: true, force: true });
    makeDataFolder(restoring);
    const postgres = await startEmbeddedPostgres({ dataDir: restoring, ...names });
    try {
      await prepare(postgres.connection);
    } finally {
      await postgres.stop();
    }
    signal?.throwIfAborted();
    return await takePlace(restoring, dataDir);
  } finally {
    rmSync(restoring, { recursive: true, force: true });
    lock.release();
  }
}

async function takePlace(restored: string, dataDir: string): Promise<string | null> {
  let aside: string | null = null;
  if (hasDatabase(dataDir)) {
    // Left running by an owner that was killed together with all that supervised it.
    await stopPostmaster(resolveDatabaseFolder(dataDir));
    aside = join(dataDir, `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
    makeDataFolder(aside);
    move(dataDir, aside);
  }
  mkdirSync(dataDir, { recursive: true });
  move(restored, dataDir);
  return aside;
}

function move(from: string, to: string): void {
  const password = resolvePasswordFile(from);
  if (existsSync(password)) renameSync(password, resolvePasswordFile(to));
  renameSync(join(from, 'postgres'), join(to, 'postgres'));
}
