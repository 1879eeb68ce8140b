import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import routes from './app/routes.ts';

const app = join(import.meta.dirname, 'app');
const sheet = join(import.meta.dirname, '.cache/public-sources.css');
/** Has every rule; signed-in pages and lazy dialogs import it. */
const otherSheet = "import '#app/signed-in.css'";
const imported = /(?:from|import) *\(?'(#app\/|\.{1,2}\/)([^']+\.tsx?)'/g;

/**
 * Source files for the public style sheet. Rules of signed-in pages only are a seventh of all.
 * @param known whether imports are final; otherwise every file is listed
 */
export async function namePublicSources(known: boolean): Promise<void> {
  const files = known ? await listPublicFiles() : [join(app, '**/*.{ts,tsx}')];
  const lines = files.map((file) => `@source "${relative(dirname(sheet), file).replaceAll('\\', '/')}";`);
  await mkdir(dirname(sheet), { recursive: true });
  await writeFile(sheet, `${lines.join('\n')}\n`);
}

async function listPublicFiles(): Promise<string[]> {
  const pages = routes.map(({ file }) => file);
  const looked = new Set<string>();
  const reached: string[] = [];
  // No file imports the module that all JSX passes.
  const waiting = ['root.tsx', 'jsx/own-texts.ts', ...pages].map((file) => join(app, file));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (looked.has(file) || !existsSync(file)) continue;
    looked.add(file);
    const text = await readFile(file, 'utf8');
    if (text.includes(otherSheet)) continue;
    reached.push(file);
    for (const [, start = '', rest = ''] of text.matchAll(imported)) {
      waiting.push(start === '#app/' ? join(app, rest) : join(dirname(file), start, rest));
    }
  }
  return reached.sort();
}
