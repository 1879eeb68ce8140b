import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '#test/processes.ts';

/** `npm start` installs everything that it needs, and nothing only for tests and development. */

interface Package {
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
interface Installed extends Package {
  /** npm omits it with `--omit=dev`. */
  dev?: boolean;
}

const lock: Record<string, Installed> = JSON.parse(
  readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
).packages;
const workspaces = Object.keys(lock).filter((place) => !place.includes('node_modules'));
const readPackage = (workspace: string): Package =>
  JSON.parse(readFileSync(path.join(root, workspace, 'package.json'), 'utf8'));

test('a start installs no package for tests and development alone', () => {
  const installed = Object.values(lock).filter(({ dev }) => !dev);
  const needed = new Set(
    installed.flatMap(({ dependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    ),
  );
  const tools = workspaces.flatMap((workspace) => Object.keys(readPackage(workspace).devDependencies ?? {}));
  expect(tools).toContain('vitest');
  expect(tools.filter((name) => !needed.has(name) && !lock[`node_modules/${name}`]?.dev)).toEqual([]);
});

test('all workspaces have the version of the newest release', () => {
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const released = /^## (\d+\.\d+\.\d+) /m.exec(changelog)?.[1];
  const packages = workspaces.map(readPackage);
  expect(packages.map(({ version }) => version)).toEqual(packages.map(() => released));
  const ours = packages.flatMap(({ dependencies = {} }) =>
    Object.entries(dependencies).filter(([name]) => name.startsWith('@parts-forge/')),
  );
  expect(new Set(ours.map(([, version]) => version))).toEqual(new Set([released]));
});

const source = '**/*.{ts,tsx}';
const tests = [
  '**/*.test.*',
  '**/vitest.config.ts',
  '**/node_modules/**',
  '**/build/**',
  '**/.react-router/**',
  '**/test/**',
];
/** Pages from their sources, which only `npm run dev` serves. */
const inDevelopment = '**/development-pages.ts';
/** Matches packages that a file imports at run time: no types, paths or names of our own. */
const imported =
  /^(?:import|export) (?!type )[^;]*?from '((?:@[\w-]+\/)?\w[\w.-]*)|import\('((?:@[\w-]+\/)?\w[\w.-]*)/gm;

describe('imports of the shop and its page build', () => {
  test.each(workspaces.filter(Boolean))('%s imports only packages that a start installs', (workspace) => {
    const { dependencies = {}, optionalDependencies = {} } = readPackage(workspace);
    const files = globSync(source, { cwd: path.join(root, workspace), exclude: [...tests, inDevelopment] });
    expect(files).not.toEqual([]);
    const names = files.flatMap((file) => {
      const text = readFileSync(path.join(root, workspace, file), 'utf8');
      return [...text.matchAll(imported)].map(([, one, other]) => one ?? other ?? '');
    });
    const undeclared = new Set(names).difference(
      new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), 'node']),
    );
    expect([...undeclared]).toEqual([]);
  });
});
