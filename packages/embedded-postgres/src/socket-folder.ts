import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import type { Owner } from './run-as.ts';

/** The systems refuse a socket's path above 103 to 107 bytes; some room is left. */
const longestSocketPathBytes = 90;

/** The name PostgreSQL gives its socket on port 5432. */
export const socketName = '.s.PGSQL.5432';

/**
 * Gives PostgreSQL's socket a folder: the database's own, or a private one below the temporary directory when that
 * path is too long for a socket. May be repeated: the same database always gets the same folder.
 *
 * @param prefix what the folder's name below the temporary directory begins with
 * @param owner who runs PostgreSQL when that is not this process's user
 * @returns the folder's path
 * @throws EmbeddedPostgresError `socket-folder-not-private` when somebody else has taken the folder's name
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

/** Leaves nothing under the temporary directory when PostgreSQL has stopped. Harmless when there is nothing. */
export function removeSocketFolder(folder: string, databaseFolder: string): void {
  if (folder === databaseFolder) return;
  try {
    rmdirSync(folder);
  } catch {
    // Gone already, or something in it is not ours.
  }
}

function makeFolderIfMissing(folder: string, owner: Owner | undefined): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    // Only a folder that this process made is given away: one that was there may be somebody's trap.
    if (owner) chownSync(folder, owner.uid, owner.gid);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
