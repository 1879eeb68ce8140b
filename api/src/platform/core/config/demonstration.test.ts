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
  const isNamed = (line: string) =>
    /parts[ -]?forge/i.test(line.replaceAll('@parts-forge/', '')) && !identifiers.test(line);
  const named = files.filter((file) => readFileSync(`${root}/${file}`, 'utf8').split('\n').some(isNamed));
  expect(named).toEqual(['api/src/platform/core/config/demonstration.ts']);
});

/** Lines whose name no customer of a shop takes for the shop's. */
const identifiers =
  /urn:parts-forge:|application_name|tmpdir\(\)|parts-forge-upload|socketFolderPrefix|firebaseapp\.com|partsforge\.local/;
