import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import routes from './app/routes.ts';

const app = join(import.meta.dirname, 'app');
const sheet = join(import.meta.dirname, '.cache/public-sources.css');
/** It has every rule. The pages behind the sign-in bring it along, and so does a dialog that is loaded when it is opened. */
const otherSheet = "import '#app/signed-in.css'";
/** Every way to name a file of the app in an import, one that comes later included. */
const imported = /(?:from|import) *\(?'(#app\/|\.{1,2}\/)([^']+\.tsx?)'/g;

/**
 * Names the files whose classes the public pages' style sheet has: those that a public page imports, and what these
 * import. A rule that only a page behind the sign-in uses is a seventh of everything.
 * @param known whether what is imported now is what will be; else every file is named
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
  const waiting = ['root.tsx', ...pages].map((file) => join(app, file));
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
