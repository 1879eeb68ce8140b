import { globSync, readFileSync } from 'node:fs';

const contract = new URL('../../../contract/src/', import.meta.url);

const sources = globSync('*/*.ts', { cwd: contract })
  .filter((file) => !file.endsWith('.test.ts'))
  .sort()
  .map((file) => ({ file, text: readFileSync(new URL(file, contract), 'utf8') }));

/** From a page of docs/reference to the file of contract/src that exports the name. */
export function linkToFile(name: string): string {
  const source = sources.find(({ text }) => text.includes(`export const ${name} =`));
  if (!source) throw new Error(`No file of contract/src exports ${name}.`);
  return `[${source.file.replace(/^.*\//, '')}](../../contract/src/${source.file})`;
}
