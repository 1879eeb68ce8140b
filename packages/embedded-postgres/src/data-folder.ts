import { lchownSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { isRoot } from './run-as.ts';

/**
 * Also tests that the folder is writable. Repeatable.
 * @throws EmbeddedPostgresError `folder-not-writable`
 */
export function makeDataFolder(dataDir: string): void {
  try {
    // For root, PostgreSQL runs as another user, who must traverse the folder.
    const made = mkdirSync(dataDir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
    if (made) giveToOwner(made);
    const probe = join(dataDir, `.write-probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    throw new EmbeddedPostgresError(
      { code: 'folder-not-writable', folder: dataDir, reason },
      { cause: error },
    );
  }
}

/** What root makes in a folder of another user belongs to that user, with all in it. */
export function giveToOwner(path: string): void {
  if (!isRoot()) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid === 0) return;
  const inside = lstatSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
    : [];
  for (const name of ['', ...inside]) lchownSync(join(path, name), uid, gid);
}
