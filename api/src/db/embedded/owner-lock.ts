import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '#src/platform/core/start-error.ts';

/** Held for as long as this process owns the data folder. */
export interface OwnerLock {
  release(): void;
}

const sqliteBusy = 5;
/** A shop that is closing just now, as in a restart, is waited for. */
const patienceMs = 3_000;

/**
 * Makes this process the one owner of a data folder, or says that another one is.
 *
 * The lock is one of the operating system's on an SQLite file, so it goes with the process however that ends
 * and nothing stale can be left behind, which a file with a process number in it cannot promise.
 * @throws StartError when another process holds the folder
 */
export function takeOwnerLock(dataDir: string): OwnerLock {
  const lockFile = join(dataDir, 'owner.lock');
  const file = new DatabaseSync(lockFile, { timeout: patienceMs });
  try {
    // In memory, so that no journal appears beside the lock.
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
      throw new StartError(`Another shop is using this data folder: ${dataDir}`);
    }
    throw error;
  }
  return { release: () => file.close() };
}
