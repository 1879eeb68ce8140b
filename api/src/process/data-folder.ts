import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#src/platform/core/start-error.ts';

/**
 * Makes the folder for all that the shop keeps, and sees that it can be written.
 * @throws StartError when it cannot
 */
export function makeDataFolder(dataDir: string): void {
  try {
    // Root's PostgreSQL runs as another user, who must be able to pass through, but not to list.
    mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    const probe = join(dataDir, `.write-probe-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new StartError(
      `The data folder ${dataDir} cannot be written${reason}: allow it, or set DATA_DIR to another folder.`,
    );
  }
}
