import { existsSync, readFileSync } from 'node:fs';
import { runQuietly } from './child-processes.mjs';
import { npm } from './install.mjs';
import { withProgress } from './progress.mjs';
import { inProject } from './project.mjs';

/** 630 packages and 310 MB, only for `tests/hosted`. */
export async function installFirebaseEmulator() {
  if (isInstalled()) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { command, before, shell } = npm();
  await withProgress("Installing Firebase's emulator (about half a minute, once)", () =>
    runQuietly(command, [...before, ...args], { cwd: inProject('tests', 'hosted'), shell }),
  );
}

function isInstalled() {
  const file = inProject('tests', 'hosted', 'node_modules', 'firebase-tools', 'package.json');
  if (!existsSync(file)) return false;
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  const { devDependencies } = read(inProject('tests', 'hosted', 'package.json'));
  return read(file).version === devDependencies['firebase-tools'];
}
