import { readFileSync } from 'node:fs';
import { inProject } from './project.mjs';

/** What builds the pages: nothing of it goes to the customer or runs with the shop. */
const buildTools = new Set(['@react-router/dev', '@tailwindcss/vite', 'subset-font', 'vite']);

/** What the lock file says of every package, by the folder in which it is installed. */
export const readLock = () => JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')).packages;

/** The folders of our own packages; the project's is the empty one. */
export const listWorkspaces = (lock) => Object.keys(lock).filter((place) => !place.includes('node_modules'));

/**
 * Everything that runs in the shop or in the customer's browser, of all platforms, by what asks for what.
 * @returns the folders, in order
 */
export function listProduction(lock) {
  const reached = new Set();
  const waiting = listWorkspaces(lock)
    .flatMap((place) => neededBy(lock, place))
    .filter((place) => !buildTools.has(nameAt(place)));
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (reached.has(place) || lock[place].link) continue;
    reached.add(place);
    waiting.push(...neededBy(lock, place));
  }
  return [...reached].sort();
}

function neededBy(lock, place) {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = lock[place];
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].flatMap(
    (name) => resolve(lock, place, name) ?? [],
  );
}

/** Where Node finds a package: beside the one that asks, or in the nearest folder above. Undefined: nowhere. */
function resolve(lock, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock[place]) return place;
    if (folder === '') return undefined;
  }
}

/** `node_modules/a/node_modules/@b/c` is `@b/c`. */
export const nameAt = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
