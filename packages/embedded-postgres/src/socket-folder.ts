import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import type { Owner } from './run-as.ts';

/** Systems limit paths to 103 to 107 bytes. */
const longestSocketPathBytes = 90;

export const socketName = '.s.PGSQL.5432';

/**
 * The database's own folder, or a private temporary one when its path is too long. Repeatable.
 * @throws EmbeddedPostgresError `socket-folder-not-private` when another user has that folder
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
    // An existing folder may be a trap, so its owner stays.
    if (owner) chownSync(folder, owner.uid, owner.gid);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
