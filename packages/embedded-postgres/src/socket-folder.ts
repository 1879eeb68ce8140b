import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import type { Owner } from './run-as.ts';

/** Below the systems' limits of 103 to 107 bytes, with some room. */
const longestSocketPathBytes = 90;

/** PostgreSQL's socket on port 5432. */
export const socketName = '.s.PGSQL.5432';

/**
 * Chooses the socket's folder: the database's own, or a private temporary one when that path is too long.
 * Repeatable: a database always gets the same folder.
 *
 * @param prefix of the temporary folder's name
 * @param owner PostgreSQL's user, if another
 * @throws EmbeddedPostgresError `socket-folder-not-private` when another user holds the folder's name
 */
export function prepareSocketFolder(
  databaseFolder: string,
  prefix: string,
  owner: Owner | undefined,
): string {
  if (Buffer.byteLength(join(databaseFolder, socketName)) <= longestSocketPathBytes) return databaseFolder;
  const hash = createHash('sha256').update(databaseFolder).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), `${prefix}${hash}`);
  makeFolderIfMissing(folder, owner);
  const { mode, uid } = lstatSync(folder);
  const isPrivateFolder = (mode & 0o170077) === 0o040000;
  if (!isPrivateFolder || uid !== (owner?.uid ?? process.getuid?.() ?? uid)) {
    throw new EmbeddedPostgresError({ code: 'socket-folder-not-private', folder });
  }
  return folder;
}

/** Removes the temporary folder after a stop, if any. */
export function removeSocketFolder(folder: string, databaseFolder: string): void {
  if (folder === databaseFolder) return;
  try {
    rmdirSync(folder);
  } catch {
    // Already gone, or it holds foreign files.
  }
}

function makeFolderIfMissing(folder: string, owner: Owner | undefined): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    // Only a folder created here changes its owner: an existing one may be a trap.
    if (owner) chownSync(folder, owner.uid, owner.gid);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
