import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';

/**
 * Also tests that the folder is writable. Repeatable.
 * @throws EmbeddedPostgresError `folder-not-writable`
 */
export function makeDataFolder(dataDir: string): void {
  try {
    // For root, PostgreSQL runs as another user, who must traverse the folder.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
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
