import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Followed by the PID of the test run. */
const folderPrefix = 'embedded-postgres-test-';
/** In memory, because each API test file copies a database. */
const memoryFolder = '/dev/shm';
/** `npm run verify` uses a quarter of it. */
const neededBytes = 1024 ** 3;

/** Creates a test folder, in memory if there is room. The caller removes it. */
export const createThrowAwayFolder = (): string =>
  mkdtempSync(join(fastestFolder(), `${folderPrefix}${process.pid}-`));

/**
 * Tests copy hundreds of databases of some 400 files. Allocating them on disk took a fifth of a run's
 * processor time.
 */
function fastestFolder(): string {
  if (!existsSync(memoryFolder)) return tmpdir();
  removeLeftovers();
  const { bavail, bsize } = statfsSync(memoryFolder);
  return bavail * bsize < neededBytes ? tmpdir() : memoryFolder;
}

/** An interrupted run leaves its folders in memory. */
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
    // Another user's process, which may not be signalled.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
