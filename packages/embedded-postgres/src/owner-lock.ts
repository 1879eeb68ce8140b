import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedPostgresError } from './errors.ts';

/** Held for as long as this process owns the data folder. */
export interface OwnerLock {
  release(): void;
}

const sqliteBusy = 5;
/** An owner that is closing just now, as in a restart, is waited for. */
const timeoutMs = 3_000;

/**
 * Makes this process the one owner of a data folder, or says that another one is.
 *
 * The lock is one of the operating system's on an SQLite file, so it goes with the process however that ends
 * and nothing stale can be left behind, which a file with a process number in it cannot promise.
 * @throws EmbeddedPostgresError `folder-in-use`
 */
export function acquireOwnerLock(dataDir: string): OwnerLock {
  const lockFile = join(dataDir, 'owner.lock');
  const file = new DatabaseSync(lockFile, { timeout: timeoutMs });
  try {
    // In memory, so that no journal appears beside the lock.
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
      throw new EmbeddedPostgresError({ code: 'folder-in-use', folder: dataDir }, { cause: error });
    }
    throw error;
  }
  return { release: () => file.close() };
}
