import { readFileSync } from 'node:fs';
import { inProject } from './project.mjs';

/** Build tools are no part of the running shop. */
const buildTools = new Set(['@react-router/dev', '@tailwindcss/vite', 'subset-font', 'vite']);

export const readLock = () => JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')).packages;

/** The root is an empty text. */
export const listWorkspaces = (lock) => Object.keys(lock).filter((place) => !place.includes('node_modules'));

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

/** Node's resolution: the nearest folder. */
function resolve(lock, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock[place]) return place;
    if (folder === '') return undefined;
  }
}

/** `node_modules/a/node_modules/@b/c` gives `@b/c`. */
export const nameAt = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
