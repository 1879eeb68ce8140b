import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runQuietly } from './child-processes.mjs';
import { node26, withNode26OnPath } from './node-26.mjs';
import { withProgress } from './progress.mjs';
import { inProject, requireFromRoot, root } from './project.mjs';

const stamp = inProject('web', 'build', '.sources');
const made = new Set(['node_modules', 'build', '.react-router', '.cache']);
const forTests = new Set(['test', 'vitest.config.ts']);

export async function buildPages({ force = false } = {}) {
  const sources = hashOfSources();
  if (!force && builtFrom() === sources) return;
  rmSync(stamp, { force: true });
  const command = join(dirname(requireFromRoot.resolve('@react-router/dev/package.json')), 'bin.cjs');
  await withProgress('Building the pages', () =>
    runQuietly(node26(), [command, 'build'], {
      cwd: inProject('web'),
      env: { ...withNode26OnPath(), NODE_ENV: 'production' },
    }),
  );
  // Last, so that an interrupted build does not count as finished.
  writeFileSync(stamp, sources);
}

export function arePagesBuilt() {
  return builtFrom() === hashOfSources();
}

function builtFrom() {
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
}

function hashOfSources() {
  const hash = createHash('sha256');
  const guide = 'docs/guides/connect-your-erp.md';
  const contract = ['contract/package.json', 'contract/src'];
  const places = ['web', ...contract, guide, 'package-lock.json', 'tsconfig.base.json'];
  for (const place of places) for (const file of filesIn(inProject(place))) addFile(hash, file);
  return hash.digest('hex');
}

function addFile(hash, file) {
  hash
    .update(`${relative(root, file)}\0`)
    .update(readFileSync(file))
    .update('\0');
}

function filesIn(place) {
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory()) return existsSync(place) ? [place] : [];
  return readdirSync(place, { withFileTypes: true })
    .filter(({ name }) => !made.has(name) && !forTests.has(name) && !name.includes('.test.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(place, entry.name)) : [join(place, entry.name)]));
}
