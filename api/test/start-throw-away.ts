import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '@parts-forge/embedded-postgres';
import type pg from 'pg';

/** A PostgreSQL in a folder of its own, which is removed when it is stopped. */
export async function startThrowAway({ transport }: Pick<EmbeddedPostgresOptions, 'transport'>): Promise<{
  connection: pg.PoolConfig & Awaited<ReturnType<typeof startEmbeddedPostgres>>['connection'];
  stop(): Promise<void>;
}> {
  const dataDir = mkdtempSync(join(fastestFolder(), `${folderPrefix}${process.pid}-`));
  // Nobody misses this data after a power cut, so it need not wait for the disk.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const postgres = await startEmbeddedPostgres({ dataDir, settings, ...(transport && { transport }) });
  const stop = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { connection: postgres.connection, stop };
}

/** Followed by the process that runs the tests. */
const folderPrefix = 'parts-forge-test-';
/** Linux's folder in memory, where it has room: each file of the calls copies a database. */
const memoryFolder = '/dev/shm';
/** `npm run verify` takes a quarter of it. */
const neededBytes = 1024 ** 3;

/**
 * Databases are copied and dropped by the hundred, some four hundred files each: a disk's file system took a fifth of all
 * processor time of a run to find a place for them, although nothing waits for the disk itself.
 */
function fastestFolder(): string {
  if (!existsSync(memoryFolder)) return tmpdir();
  removeLeftovers();
  const { bavail, bsize } = statfsSync(memoryFolder);
  return bavail * bsize < neededBytes ? tmpdir() : memoryFolder;
}

/** A run that was interrupted removes nothing, and memory is not emptied by itself. */
function removeLeftovers(): void {
  for (const name of readdirSync(memoryFolder)) {
    if (!name.startsWith(folderPrefix) || isRunning(parseInt(name.slice(folderPrefix.length), 10))) continue;
    rmSync(join(memoryFolder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's may not be asked.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
