import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closing } from './closing.ts';

const place = fileURLToPath(new URL('../.cache/', import.meta.url));

/**
 * On the disk of the shop's data: the system's temporary folder may be in memory, where durable writes cost
 * nothing.
 */
export function makeDataFolder() {
  mkdirSync(place, { recursive: true });
  const path = mkdtempSync(`${place}bench-`);
  return { path, remove: closing(async () => rmSync(path, { recursive: true, force: true })) };
}
