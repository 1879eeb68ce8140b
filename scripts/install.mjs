import { existsSync, readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runQuietly } from './child-processes.mjs';
import { nodePackages } from './node-26.mjs';
import { readLock } from './production-packages.mjs';
import { say, withProgress } from './progress.mjs';
import { inProject, root } from './project.mjs';

/**
 * @param options `tools`: include development packages
 * @returns whether anything was installed
 */
export async function installPackages({ tools }) {
  if (arePackagesInstalled({ tools })) return false;
  const isAddition = tools && arePackagesInstalled({ tools: false });
  if (isAddition) say('The tools of the tests are missing.');
  else if (existsSync(inProject('node_modules')))
    say('The lock file changed since the packages were installed.');
  // `npm ci` empties the folder, and a shop may be running from it.
  const how = isAddition ? ['install', '--no-save'] : ['ci'];
  // npm's default depends on NODE_ENV.
  const what = [tools ? '--include=dev' : '--omit=dev', '--include=optional'];
  const { command, before, shell } = npm();
  await withProgress('Installing packages (about half a minute, once)', () =>
    runQuietly(command, [...before, ...how, ...what, '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: root,
      shell,
    }),
  );
  return true;
}

/** npm writes its own list last, so interrupted installations do not match the lock file. */
export function arePackagesInstalled({ tools }) {
  const listFile = inProject('node_modules', '.package-lock.json');
  if (!existsSync(listFile)) return false;
  const installed = JSON.parse(readFileSync(listFile, 'utf8')).packages;
  return Object.entries(readLock()).every(([place, entry]) => {
    if (!place.includes('node_modules/') || (entry.dev && !tools)) return true;
    // npm's list lacks links, such as a workspace added by an upgrade.
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

/** Source maps, and headers of the Node package: a fifth of the packages' size. */
export async function removeUnread() {
  const inside = Object.keys(readLock()).filter((place) => place.includes('node_modules/'));
  const folders = new Set(inside.map((place) => `${place.split('node_modules/')[0]}node_modules`));
  await Promise.all([
    ...nodePackages.map((name) =>
      rm(inProject('node_modules', name, 'include'), { recursive: true, force: true }),
    ),
    ...[...folders]
      .map((folder) => inProject(folder))
      .filter(existsSync)
      .map(removeSourceMaps),
  ]);
}

async function removeSourceMaps(folder) {
  const removals = (await readdir(folder, { withFileTypes: true })).map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return removeSourceMaps(path);
    return entry.isFile() && entry.name.endsWith('.map') ? rm(path, { force: true }) : undefined;
  });
  await Promise.all(removals);
}

export function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script?.endsWith('.js')) return { command: node ?? process.execPath, before: [script], shell: false };
  const isWindows = process.platform === 'win32';
  return { command: isWindows ? 'npm.cmd' : 'npm', before: [], shell: isWindows };
}
