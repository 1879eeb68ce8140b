import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeDataFolder } from './data-folder.ts';
import { hasDatabase, resolveDatabaseFolder, resolvePasswordFile } from './database-folder.ts';
import { type DatabaseNames, type PostgresConnection, startEmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { acquireOwnerLock } from './owner-lock.ts';
import { stopPostmaster } from './postmaster.ts';

export interface RestoreOptions extends DatabaseNames {
  dataDir: string;
  replaces: boolean;
  socketFolderPrefix?: string;
  prepare(connection: PostgresConnection): Promise<void>;
  /** Called before the first write. */
  onBegin?: () => void;
  signal?: AbortSignal;
}

/**
 * A failed or interrupted restore changes nothing.
 * @returns the data folder of the replaced database, or null
 * @throws EmbeddedPostgresError `database-exists`, `folder-in-use` and others; the errors of `prepare`
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
    // It may survive its owner and supervisor.
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
