import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const document = readFileSync(new URL('docs/explanation/threat-model.md', root), 'utf8');

/** Evidence in the document's form: [`path/of/a.test.ts`](…) "words of a test", "words of another". */
const evidence = [
  ...document.matchAll(/`([\w./-]+\.(?:test|spec)\.ts)`(?:\]\(.*?\))?((?:,? "[^"]+")+)?/g),
].flatMap(([, file = '', titles = '""']) =>
  [...titles.matchAll(/"([^"]*)"/g)].map(([, words = '']) => ({ file, words })),
);

test('tests named in the threat model exist', () => {
  expect(evidence.length).toBeGreaterThan(30);
  const missing = evidence.filter(({ file, words }) => {
    const path = fileURLToPath(new URL(file, root));
    return words === '' || !existsSync(path) || !readFileSync(path, 'utf8').includes(words);
  });
  expect(missing).toEqual([]);
});
