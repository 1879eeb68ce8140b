import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptiedFolders } from './back-up-database.ts';
import { findBinaries } from './binaries.ts';
import { copyFile, copyFolder, makePrivateFolder } from './copy-files.ts';
import { makeDataFolder } from './data-folder.ts';
import { resolveDatabaseFolder, resolvePasswordFile } from './database-folder.ts';
import { type DatabaseNames, type PostgresConnection, startEmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { acquireOwnerLock } from './owner-lock.ts';
import { stopPostmaster } from './postmaster.ts';
import { isRoot, lookUpNobody, type Owner } from './run-as.ts';

export interface RestoreOptions extends DatabaseNames {
  dataDir: string;
  /** What `backUpDatabase` made; null makes a new database, for `prepare` to fill. */
  source: string | null;
  /** Puts a database that is there aside, in a folder of its own within `dataDir`. */
  replaces: boolean;
  socketFolderPrefix?: string;
  /** Works on the restored database before it gets its place; when it throws, everything is as it was. */
  prepare(connection: PostgresConnection): Promise<void>;
  /** Told once nothing that is in the data folder refuses the restore, and before anything is written. */
  onBegin?: () => void;
  signal?: AbortSignal;
}

/** Folders that a copy may have lost because nothing is in them, and that PostgreSQL does not make by itself. */
const requiredFolders = [
  ...emptiedFolders,
  'pg_commit_ts',
  'pg_logical/mappings',
  'pg_logical/snapshots',
  'pg_stat',
  'pg_tblspc',
  'pg_twophase',
];

/**
 * Files that a restore writes itself: settings such as `archive_command` in a backup from elsewhere would run commands.
 * What PostgreSQL is to know comes with each start.
 */
const createOwnFiles = (hasPassword: boolean): Readonly<Record<string, string>> => ({
  'postgresql.conf': '',
  'postgresql.auto.conf': '',
  'pg_ident.conf': '',
  'pg_hba.conf': hasPassword ? 'host all all all scram-sha-256\n' : 'local all all trust\n',
});

/** @returns whether a database is in the data folder */
export const hasDatabase = (dataDir: string): boolean => existsSync(join(dataDir, 'postgres', 'PG_VERSION'));

/**
 * Gives the data folder the database of a backup. It is started once, apart from the one that is there, and takes its
 * place only when it runs: an interrupted or failed restore changes nothing.
 * @returns the folder that has what was there before, itself a data folder; null when nothing was
 * @throws EmbeddedPostgresError `database-exists`, `folder-in-use`, `version-not-available`, or another reason why no
 *   PostgreSQL can run; whatever `prepare` throws
 */
export async function restoreDatabase(options: RestoreOptions): Promise<string | null> {
  const { dataDir, source, replaces, prepare, onBegin, signal, ...names } = options;
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
    if (source !== null) await copyBackup(source, restoring, signal);
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

async function copyBackup(source: string, dataDir: string, signal: AbortSignal | undefined): Promise<void> {
  const from = join(source, 'postgres');
  // Before anything is copied in vain.
  await findBinaries(Number.parseInt(readFileSync(join(from, 'PG_VERSION'), 'utf8'), 10), 'any');
  const owner = isRoot() ? lookUpNobody() : undefined;
  const folder = resolveDatabaseFolder(dataDir);
  const ownFiles = createOwnFiles(existsSync(resolvePasswordFile(source)));
  await copyFolder(from, folder, { owner, signal, wants: (path) => !(path in ownFiles) });
  for (const [name, text] of Object.entries(ownFiles))
    await writePrivateFile(join(folder, name), text, owner);
  for (const name of requiredFolders) await makePrivateFolder(join(folder, name), owner);
  await copyFile(resolvePasswordFile(source), resolvePasswordFile(dataDir), { owner });
}

async function writePrivateFile(file: string, text: string, owner: Owner | undefined): Promise<void> {
  await writeFile(file, text, { mode: 0o600, flush: true });
  if (owner) await chown(file, owner.uid, owner.gid);
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
