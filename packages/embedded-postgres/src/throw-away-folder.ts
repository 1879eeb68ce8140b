import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Followed by the process that runs the tests. */
const folderPrefix = 'embedded-postgres-test-';
/** Linux's folder in memory, where it has room: each file of the calls copies a database. */
const memoryFolder = '/dev/shm';
/** `npm run verify` takes a quarter of it. */
const neededBytes = 1024 ** 3;

/** Creates a folder for a test's data, in memory where the machine has room. The caller removes it. */
export const createThrowAwayFolder = (): string =>
  mkdtempSync(join(fastestFolder(), `${folderPrefix}${process.pid}-`));

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
