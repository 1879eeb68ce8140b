import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listInstalledFolders } from './binaries.ts';

/** PostgreSQL's own tools for backups, as this machine has them installed; the npm packages lack them. */
export interface ClientTools {
  /** Paths of the programs. */
  pgDump: string;
  pgRestore: string;
  /** For example 18. */
  majorVersion: number;
}

const run = promisify(execFile);
const suffix = process.platform === 'win32' ? '.exe' : '';

/**
 * Finds `pg_dump` and `pg_restore`, which work with servers of their own version and older ones.
 * @returns those of the oldest version from `oldest` on, as a newer one may write what an older server does not
 *   understand; `undefined` when none is installed
 */
export async function findClientTools(oldest: number): Promise<ClientTools | undefined> {
  const probes = await Promise.all([...new Set(listInstalledFolders())].map(probeFolder));
  return probes
    .filter((tools) => tools !== undefined)
    .filter(({ majorVersion }) => majorVersion >= oldest)
    .sort((a, b) => a.majorVersion - b.majorVersion)[0];
}

async function probeFolder(folder: string): Promise<ClientTools | undefined> {
  const [pgDump, pgRestore] = [join(folder, `pg_dump${suffix}`), join(folder, `pg_restore${suffix}`)];
  if (!existsSync(pgDump) || !existsSync(pgRestore)) return undefined;
  try {
    // Debian's programs on the PATH choose a version by themselves, so only running them tells.
    const { stdout } = await run(pgDump, ['--version']);
    const majorVersion = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
    return Number.isInteger(majorVersion) ? { pgDump, pgRestore, majorVersion } : undefined;
  } catch {
    return undefined;
  }
}
