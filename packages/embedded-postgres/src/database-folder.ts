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
import { EmbeddedPostgresError } from './errors.ts';
import { initdb } from './initdb.ts';
import { findRunAs, isRoot, lookUpNobody, type RunAs, runAsCurrentUser } from './run-as.ts';

/** A private Unix socket, which Windows lacks, or TCP. */
export type Transport = 'socket' | 'tcp';

export interface DatabaseFolder {
  /** Absolute and without symbolic links, to match it in process lists. */
  path: string;
  binaries: PostgresBinaries;
  runAs: RunAs;
  /** Only for `tcp`. */
  password: string | undefined;
}

interface FolderOptions {
  /** Superuser of a new database. */
  user: string;
  /** For a new database; an existing one keeps its own. */
  transport: Transport;
  source: BinarySource;
  onProgress(text: string): void;
  /** Called when `initdb` starts. */
  onWait(): void;
}

/** @returns PostgreSQL's own folder inside the data folder, which must exist */
export function resolveDatabaseFolder(dataDir: string): string {
  return join(realpathSync(dataDir), 'postgres');
}

/** @returns the password of a `tcp` database, otherwise `undefined` */
export function readPassword(dataDir: string): string | undefined {
  const file = resolvePasswordFile(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/**
 * Finds or creates the database. A new folder gets its final name only when complete, so an interrupted start
 * leaves nothing. Only for the data folder's owner.
 * @throws EmbeddedPostgresError when no PostgreSQL can run on the folder
 */
export async function prepareDatabaseFolder(
  dataDir: string,
  options: FolderOptions,
): Promise<DatabaseFolder> {
  const path = resolveDatabaseFolder(dataDir);
  const versionFile = join(path, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    const binaries = await findBinaries(undefined, options.source);
    options.onProgress('Making the database');
    return makeDatabaseFolder(dataDir, path, binaries, options);
  }
  const binaries = await findBinaries(Number.parseInt(readFileSync(versionFile, 'utf8'), 10), options.source);
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
    const { uid, gid } = lookUpNobody();
    chownSync(temporaryPath, uid, gid);
  }
  const runAs = await resolveRunAs(temporaryPath, binaries);
  const password = transport === 'tcp' ? randomBytes(24).toString('base64url') : undefined;
  // An interrupted first start over TCP may leave this file. A later start would then open a TCP port to a
  // database without password checks.
  rmSync(resolvePasswordFile(dataDir), { force: true });
  if (password) writePassword(dataDir, password, runAs);
  const access = password
    ? ['--auth=scram-sha-256', `--pwfile=${resolvePasswordFile(dataDir)}`]
    : ['--auth=trust'];
  const made = initdb(runAs, binaries, ['-D', temporaryPath, '-U', user, '-E', 'UTF8', ...access]);
  onWait();
  await made;
  renameSync(temporaryPath, path);
  return { path, binaries, runAs, password };
}

/** For root, PostgreSQL runs as the folder's owner, so another user's database keeps working. */
async function resolveRunAs(folder: string, binaries: PostgresBinaries): Promise<RunAs> {
  if (!isRoot()) return runAsCurrentUser;
  const { uid, gid } = statSync(folder);
  if (uid === 0) throw new EmbeddedPostgresError({ code: 'folder-owned-by-root', folder });
  return findRunAs({ uid, gid }, binaries.postgres, folder);
}

/** @returns the password file of a `tcp` database */
export function resolvePasswordFile(dataDir: string): string {
  return join(dataDir, 'postgres-password');
}

function writePassword(dataDir: string, password: string, runAs: RunAs): void {
  const file = resolvePasswordFile(dataDir);
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  if (runAs.owner) chownSync(file, runAs.owner.uid, runAs.owner.gid);
}
