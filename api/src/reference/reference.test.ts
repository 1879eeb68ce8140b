import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { calls } from '@parts-forge/contract/calls/calls';
import { problems } from '@parts-forge/contract/calls/problems';
import { describe, expect, test } from 'vitest';
import { readConfig, settingsGroups } from '#src/platform/core/config.ts';
import { buildDocuments } from './documents.ts';

const root = new URL('../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const documents = await buildDocuments();
const textOf = (file: string) => documents[file] ?? '';

describe('generated documents', () => {
  test.each(Object.keys(documents))('%s is as `npm run reference` writes it', (file) => {
    expect(read(file)).toBe(textOf(file));
  });

  test('.env.example keeps every default', () => {
    expect(readConfig(parseEnv(textOf('.env.example')))).toEqual(readConfig({}));
  });

  test('each setting has a sentence', () => {
    const names = settingsGroups.flatMap(({ settings }) => Object.keys(settings));
    const rows =
      textOf('docs/reference/settings.md')
        .match(/^\|.*$/gm)
        ?.slice(2) ?? [];
    expect(rows.length).toBeGreaterThanOrEqual(names.length);
    for (const line of rows) {
      expect(line).toMatch(/^\| (\*\*.+\*\* \| \| \||`.+\. \| \S+ \|$)/);
    }
  });

  test('calls.md has a section for every call', () => {
    const sections = textOf('docs/reference/calls.md').match(/^### /gm);
    expect(sections).toHaveLength(Object.keys(calls).length);
  });

  test('refusals.md has a row for every code', () => {
    const codes = [...textOf('docs/reference/refusals.md').matchAll(/^\| `([\w-]+)`/gm)].map(
      ([, code]) => code,
    );
    expect(codes.sort()).toEqual(Object.keys(problems).sort());
  });

  test('metrics.md has a row for every metric', () => {
    const named = [...textOf('docs/reference/metrics.md').matchAll(/^\| `(shop_\w+)`/gm)].map(
      ([, name]) => name,
    );
    const sources = globSync('api/src/**/*.ts', { cwd: fileURLToPath(root), exclude: ['**/*.test.ts'] });
    const declared = sources.flatMap((file) =>
      [...read(file).matchAll(/name: '(shop_\w+)'/g)].map(([, name]) => name),
    );
    expect(named.sort()).toEqual(declared.sort());
  });
});
