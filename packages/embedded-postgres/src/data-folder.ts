import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';

/**
 * Makes the data folder, and sees that it can be written. May be repeated; an existing folder keeps its rights.
 * @throws EmbeddedPostgresError `folder-not-writable`
 */
export function makeDataFolder(dataDir: string): void {
  try {
    // Root's PostgreSQL runs as another user, who must be able to pass through, but not to list.
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
