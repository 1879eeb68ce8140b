import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';

interface NativeLink {
  source: string;
  target: string;
}

/**
 * npm packages cannot contain symbolic links, and `--ignore-scripts` skips the package's own script.
 * Repeatable, also concurrently.
 * @throws EmbeddedPostgresError `library-link-missing` when the folder is not writable
 */
export function makeMissingLinks(packageFolder: string): void {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as NativeLink[];
  for (const link of links) {
    const target = join(packageFolder, link.target);
    if (existsSync(target)) continue;
    const source = join(packageFolder, link.source);
    try {
      mkdirSync(dirname(target), { recursive: true });
      symlinkSync(relative(dirname(target), source) || basename(source), target);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
      throw new EmbeddedPostgresError({ code: 'library-link-missing', link: target }, { cause: error });
    }
  }
}
