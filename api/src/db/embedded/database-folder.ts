import { execFile } from 'node:child_process';
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
import { promisify } from 'node:util';
import { StartError } from '#src/platform/core/start-error.ts';
import { findBinaries, type PostgresBinaries, type Source } from './binaries.ts';
import { asOurselves, asOwner, isRoot, nobody, type RunAs } from './run-as.ts';
import { postgresEnvironment } from './watched-process.ts';

/** How the shop reaches its PostgreSQL: only Windows lacks the socket that nobody else can open. */
export type Transport = 'socket' | 'tcp';

/** A folder in which PostgreSQL can start, and everything needed to start it. */
export interface DatabaseFolder {
  /** Absolute, without symbolic links, so that it can be recognised in a list of processes. */
  path: string;
  binaries: PostgresBinaries;
  runAs: RunAs;
  /** Set for `tcp` only. */
  password: string | undefined;
}

export interface FolderOptions {
  transport: Transport;
  source: Source;
  onProgress(text: string): void;
}

const run = promisify(execFile);

/** @returns where PostgreSQL's own files are within the shop's data */
export function databaseFolderOf(dataDir: string): string {
  return join(realpathSync(dataDir), 'postgres');
}

/** @returns the password of a `tcp` PostgreSQL, or `undefined` where there is none */
export function readPassword(dataDir: string): string | undefined {
  const file = passwordFile(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/**
 * Finds or makes the database. An interrupted first start leaves nothing behind: the folder gets its name only
 * when it is complete. For the data folder's owner only.
 */
export async function prepareDatabaseFolder(
  dataDir: string,
  { transport, source, onProgress }: FolderOptions,
): Promise<DatabaseFolder> {
  const path = databaseFolderOf(dataDir);
  const exists = existsSync(join(path, 'PG_VERSION'));
  const madeBy = exists ? Number.parseInt(readFileSync(join(path, 'PG_VERSION'), 'utf8'), 10) : undefined;
  const binaries = await findBinaries(madeBy, source);
  if (exists) {
    const runAs = await runAsFor(path, binaries);
    return { path, binaries, runAs, password: readPassword(dataDir) };
  }
  onProgress('Making the database');
  return makeDatabaseFolder(dataDir, path, binaries, transport);
}

async function makeDatabaseFolder(
  dataDir: string,
  path: string,
  binaries: PostgresBinaries,
  transport: Transport,
): Promise<DatabaseFolder> {
  const unfinished = `${path}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  if (isRoot()) chownSync(unfinished, nobody().uid, nobody().gid);
  const runAs = await runAsFor(unfinished, binaries);
  const password = transport === 'tcp' ? randomBytes(24).toString('base64url') : undefined;
  if (password) writePassword(dataDir, password, runAs);
  const access = password ? ['--auth=scram-sha-256', `--pwfile=${passwordFile(dataDir)}`] : ['--auth=trust'];
  await initdb(runAs, binaries, ['-D', unfinished, '-U', 'shop', '-E', 'UTF8', ...access]);
  renameSync(unfinished, path);
  return { path, binaries, runAs, password };
}

/**
 * Sorted by code points, which is the quickest, but with the capital letters of every language: a search for "é"
 * finds "É". PostgreSQL knows them itself from 17 on; before, the system does, on most systems under this name.
 */
const localesOf = ({ majorVersion }: PostgresBinaries): string[][] =>
  majorVersion >= 17
    ? [['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']]
    : [['--locale=C', '--lc-ctype=C.UTF-8'], ['--locale=C']];

/** As root, whoever owns the folder runs PostgreSQL: a shop that another user began goes on working. */
async function runAsFor(folder: string, binaries: PostgresBinaries): Promise<RunAs> {
  if (!isRoot()) return asOurselves;
  const { uid, gid } = statSync(folder);
  if (uid === 0) {
    throw new StartError(
      `${folder} belongs to root, as whom PostgreSQL does not run: give it to another user.`,
    );
  }
  return asOwner({ uid, gid }, binaries.postgres, folder);
}

/**
 * `initdb` alone asks for our name, which a user made up by a container does not have. Where the system allows it,
 * it is shown another number, under which it finds one; the files are ours nevertheless.
 */
const underAKnownNumber = ['unshare', '--user', '--map-user=65534', '--map-group=65534'];

async function initdb(runAs: RunAs, binaries: PostgresBinaries, args: string[]): Promise<void> {
  let refusal = '';
  for (const locale of localesOf(binaries)) {
    const program = [binaries.initdb, ...args, ...locale];
    const refused = await refusalOf([...runAs.prefix, ...program], runAs);
    if (refused === undefined) return;
    refusal = refused;
    const isNameless = refused.includes('could not look up effective user ID');
    if (isNameless && (await refusalOf([...underAKnownNumber, ...program], runAs)) === undefined) return;
  }
  if (refusal.includes('could not look up effective user ID')) {
    throw new StartError(
      `PostgreSQL needs the user ${process.getuid?.()} to be in the system's list of users: add it, start the shop as ` +
        'another user, or set DATABASE_URL.',
    );
  }
  throw new StartError(`PostgreSQL could not make its files: ${refusal}`);
}

/** Runs a program to its end. @returns its last words when it failed */
async function refusalOf([command = '', ...args]: string[], runAs: RunAs): Promise<string | undefined> {
  try {
    await run(command, args, { ...runAs.identity, cwd: '/', env: postgresEnvironment() });
    return undefined;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    return said.split('\n').at(-1) ?? '';
  }
}

function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres-password');
}

function writePassword(dataDir: string, password: string, runAs: RunAs): void {
  const file = passwordFile(dataDir);
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  if (runAs.owner) chownSync(file, runAs.owner.uid, runAs.owner.gid);
}
