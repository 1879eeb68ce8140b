import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { giveToOwner } from './data-folder.ts';
import { EmbeddedPostgresError } from './errors.ts';

const sqliteBusy = 5;
const timeoutMs = 3_000;

/**
 * The lock on an SQLite file ends with the process, so it is never stale, unlike a PID file.
 * @throws EmbeddedPostgresError `folder-in-use`, `folder-not-writable`
 */
export function acquireOwnerLock(dataDir: string) {
  const lockFile = join(dataDir, 'owner.lock');
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(lockFile, { timeout: timeoutMs });
    giveToOwner(lockFile);
    file.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    file?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
      throw new EmbeddedPostgresError({ code: 'folder-in-use', folder: dataDir }, { cause: error });
    }
    const reason = error instanceof Error ? error.message : undefined;
    throw new EmbeddedPostgresError(
      { code: 'folder-not-writable', folder: lockFile, reason },
      { cause: error },
    );
  }
  return { release: () => file.close() };
}
