import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('one file of the product has the invented name', () => {
  const root = fileURLToPath(new URL('../../../../../', import.meta.url));
  const files = globSync('{api,contract}/src/**/*.{ts,css,html}', { cwd: root })
    .concat(globSync('web/{app,public}/**/*.{ts,tsx,css,html,js,svg,webmanifest}', { cwd: root }))
    .concat(globSync('packages/*/src/**/*.{ts,css,html,js}', { cwd: root }))
    .filter((file) => !/\.test\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(900);
  const named = files.filter((file) =>
    /parts ?forge/i.test(withoutAddresses(readFileSync(`${root}/${file}`, 'utf8'))),
  );
  expect(named).toEqual(['api/src/platform/core/config/demonstration.ts']);
});

/** Mail domains of invented people, which no customer of a shop sees as its name. */
const withoutAddresses = (source: string) => source.replace(/partsforge\.(example|local)/g, '');
