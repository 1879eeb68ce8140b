import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type BinarySource, findBinaries, type PostgresBinaries } from './binaries.ts';
import { giveToOwner } from './data-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { initdb } from './initdb.ts';
import { findRunAs, isRoot, lookUpNobody, type RunAs, runAsCurrentUser } from './run-as.ts';

/** The socket is private. Windows has only TCP. */
export type Transport = 'socket' | 'tcp';

export interface DatabaseFolder {
  /** Without symbolic links, to match process lists. */
  path: string;
  binaries: PostgresBinaries;
  runAs: RunAs;
  password: string | undefined;
}

interface FolderOptions {
  user: string;
  /** An existing database keeps its own. */
  transport: Transport;
  source: BinarySource;
  onProgress(text: string): void;
  onWait(): void;
}

/** The data folder must exist. */
export function resolveDatabaseFolder(dataDir: string): string {
  return join(realpathSync(dataDir), 'postgres');
}

const VERSION_FILE = 'PG_VERSION';

/** @throws EmbeddedPostgresError `folder-not-readable`, as another user's database is one */
export function hasDatabase(dataDir: string): boolean {
  const folder = join(dataDir, 'postgres');
  try {
    return statSync(join(folder, VERSION_FILE), { throwIfNoEntry: false }) !== undefined;
  } catch {
    throw new EmbeddedPostgresError({ code: 'folder-not-readable', folder });
  }
}

export function readPassword(dataDir: string): string | undefined {
  const file = resolvePasswordFile(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/**
 * Renames a new folder when it is complete, so an interrupted start leaves nothing. Owner only.
 * @throws EmbeddedPostgresError
 */
export async function prepareDatabaseFolder(
  dataDir: string,
  options: FolderOptions,
): Promise<DatabaseFolder> {
  const path = resolveDatabaseFolder(dataDir);
  if (!hasDatabase(dataDir)) {
    const binaries = await findBinaries(undefined, options.source);
    options.onProgress('Making the database');
    return makeDatabaseFolder(dataDir, path, binaries, options);
  }
  const version = Number.parseInt(readFileSync(join(path, VERSION_FILE), 'utf8'), 10);
  const binaries = await findBinaries(version, options.source);
  const runAs = await resolveRunAs(path, binaries);
  return { path, binaries, runAs, password: readPassword(dataDir) };
}

async function makeDatabaseFolder(
  dataDir: string,
  path: string,
  binaries: PostgresBinaries,
  { user, transport, onWait }: FolderOptions,
): Promise<DatabaseFolder> {
  const temporaryPath = `${path}.new`;
  rmSync(temporaryPath, { recursive: true, force: true });
  mkdirSync(temporaryPath, { mode: 0o700 });
  if (isRoot()) {
    // The owner of the data folder may have no name, without which `initdb` fails.
    const { uid, gid } = lookUpNobody();
    chownSync(temporaryPath, uid, gid);
  }
  const runAs = await resolveRunAs(temporaryPath, binaries);
  const password = transport === 'tcp' ? randomBytes(24).toString('base64url') : undefined;
  // With a leftover password, a socket database would later open a TCP port without password checks.
  rmSync(resolvePasswordFile(dataDir), { force: true });
  if (password) writePassword(dataDir, password, runAs);
  const access = password
    ? ['--auth=scram-sha-256', `--pwfile=${resolvePasswordFile(dataDir)}`]
    : ['--auth=trust'];
  const made = initdb(runAs, binaries, ['-D', temporaryPath, '-U', user, '-E', 'UTF8', ...access]);
  onWait();
  await made;
  giveToOwner(temporaryPath);
  if (password) giveToOwner(resolvePasswordFile(dataDir));
  renameSync(temporaryPath, path);
  return { path, binaries, runAs: await resolveRunAs(path, binaries), password };
}

/** For root, the folder's owner runs PostgreSQL, so another user's database keeps working. */
async function resolveRunAs(folder: string, binaries: PostgresBinaries): Promise<RunAs> {
  if (!isRoot()) return runAsCurrentUser;
  const { uid, gid } = statSync(folder);
  if (uid === 0) throw new EmbeddedPostgresError({ code: 'folder-owned-by-root', folder });
  return findRunAs({ uid, gid }, binaries.postgres, folder);
}

export function resolvePasswordFile(dataDir: string): string {
  return join(dataDir, 'postgres-password');
}

function writePassword(dataDir: string, password: string, runAs: RunAs): void {
  const file = resolvePasswordFile(dataDir);
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  if (runAs.owner) chownSync(file, runAs.owner.uid, runAs.owner.gid);
}
