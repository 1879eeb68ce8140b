import { existsSync, readFileSync } from 'node:fs';
import { runQuietly } from './child-processes.mjs';
import { say, withProgress } from './progress.mjs';
import { inProject, root } from './project.mjs';

/** Installs exactly what the lock file names, and only when something else is there. */
export async function installPackages() {
  if (arePackagesInstalled()) return;
  if (existsSync(inProject('node_modules'))) say('The lock file changed since the packages were installed.');
  // npm leaves development packages out where NODE_ENV is production, but the pages are built here.
  const args = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const { command, before, shell } = npm();
  await withProgress('Installing packages (about half a minute, once)', () =>
    runQuietly(command, [...before, ...args], { cwd: root, shell }),
  );
}

/**
 * @returns whether what npm last installed is what the lock file names. npm writes its own list at the very end of
 * its work, so an interrupted installation is seen too. Optional packages may be those of other platforms.
 */
export function arePackagesInstalled() {
  const listFile = inProject('node_modules', '.package-lock.json');
  if (!existsSync(listFile)) return false;
  const wanted = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(listFile, 'utf8')).packages;
  return Object.entries(wanted).every(([place, entry]) => {
    if (!place.includes('node_modules/')) return true;
    // A workspace that came with an upgrade is a link, which the list of what was installed does not have.
    if (entry.link) return existsSync(inProject(place));
    const present = installed[place];
    if (!present) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return (
      present.version === entry.version &&
      present.integrity === entry.integrity &&
      existsSync(inProject(place))
    );
  });
}

/** The npm that called us, under the Node it runs on: another one may stand first on its path. */
export function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script?.endsWith('.js')) return { command: node ?? process.execPath, before: [script], shell: false };
  const isWindows = process.platform === 'win32';
  return { command: isWindows ? 'npm.cmd' : 'npm', before: [], shell: isWindows };
}
