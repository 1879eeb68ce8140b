import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Precedes the test run's PID. */
const folderPrefix = 'embedded-postgres-test-';
const memoryFolder = '/dev/shm';
/** `npm run verify` uses a quarter of it. */
const neededBytes = 1024 ** 3;

/** The caller removes the folder. */
export const createThrowAwayFolder = (): string =>
  mkdtempSync(join(fastestFolder(), `${folderPrefix}${process.pid}-`));

/** Tests copy hundreds of databases; on disk, their files took a fifth of a run's processor time. */
function fastestFolder(): string {
  if (!existsSync(memoryFolder)) return tmpdir();
  removeLeftovers();
  const { bavail, bsize } = statfsSync(memoryFolder);
  return bavail * bsize < neededBytes ? tmpdir() : memoryFolder;
}

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
    // `EPERM`: another user's process.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
