import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '#src/platform/core/start-error.ts';

/** The systems refuse a socket's path above 103 to 107 bytes; some room is left. */
const longestSocketPath = 90;

/** The name PostgreSQL gives its socket on port 5432. */
export const socketName = '.s.PGSQL.5432';

/**
 * The folder for PostgreSQL's socket: the database's own, or a private one of ours under the temporary
 * directory when that path is too long for a socket.
 *
 * @param owner who runs PostgreSQL when that is not us
 * @throws StartError when somebody else has taken the folder's name under the temporary directory
 */
export function socketFolder(
  databaseFolder: string,
  owner: { uid: number; gid: number } | undefined,
): string {
  if (Buffer.byteLength(join(databaseFolder, socketName)) <= longestSocketPath) return databaseFolder;
  const hash = createHash('sha256').update(databaseFolder).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), `parts-forge-${hash}`);
  mkdirIfMissing(folder, owner);
  const { mode, uid } = lstatSync(folder);
  const isPrivateFolder = (mode & 0o170077) === 0o040000;
  if (!isPrivateFolder || uid !== (owner?.uid ?? process.getuid?.() ?? uid)) {
    throw new StartError(
      `${folder}, where PostgreSQL's socket belongs, is not ours alone: remove it, or set DATA_DIR to a shorter path.`,
    );
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

function mkdirIfMissing(folder: string, owner: { uid: number; gid: number } | undefined): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    // Only what we made ourselves is given away.
    if (owner) chownSync(folder, owner.uid, owner.gid);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
