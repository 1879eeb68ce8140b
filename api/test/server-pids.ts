import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Every process of the PostgreSQL that runs on the data folder. */
export function findServerPids(dataDir: string): number[] {
  const folder = join(dataDir, 'postgres');
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return (
          pid > 0 &&
          readlinkSync(`/proc/${pid}/cwd`) === folder &&
          readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
        );
      } catch {
        return false;
      }
    });
}
