import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { runQuietly, StepFailed } from './child-processes.mjs';
import { npm } from './install.mjs';
import { listProduction, listWorkspaces, nameAt, readLock } from './production-packages.mjs';
import { inProject, root } from './project.mjs';
import { asCommand } from './set-up.mjs';

// `npm run sbom`: writes .cache/sbom.cdx.json (CycloneDX). Fails on other licences and on version ranges.

/** A person decides about further licences. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
]);
/** sharp loads libvips as a separate, unchanged and replaceable library. */
const allowedFor = [
  { name: /^@img\/sharp-/, licence: 'LGPL-3.0-or-later' },
  // Its package.json names none; its LICENSE file is MIT's.
  { name: /^png-js$/, licence: 'none given' },
];

await asCommand(async () => {
  const lock = readLock();
  const packages = listProduction(lock).map((place) => ({
    name: nameAt(place),
    version: lock[place].version,
    licence: lock[place].license ?? 'none given',
  }));
  const byLicence = groupByLicence(packages);
  process.stdout.write(`${packages.length} packages in production\n`);
  for (const [licence, those] of [...byLicence].sort(([, a], [, b]) => b.length - a.length)) {
    process.stdout.write(
      `${licence}: ${those.map(({ name, version }) => `${name} ${version}`).join(', ')}\n`,
    );
  }
  const file = inProject('.cache', 'sbom.cdx.json');
  mkdirSync(inProject('.cache'), { recursive: true });
  writeFileSync(file, await makeSbom());
  process.stdout.write(`The list of all packages (CycloneDX): ${file}\n`);
  const mistakes = [...packages.filter(isNotAllowed).map(describe), ...listInexactVersions(lock)];
  if (mistakes.length > 0)
    throw new StepFailed(['Packages that may not be here so:', ...mistakes].join('\n- '));
  return 0;
});

/** `A OR B` needs one allowed licence, `A AND B` needs both. */
function isNotAllowed({ name, licence }) {
  const isAllowed = (id) =>
    allowed.has(id) || allowedFor.some((more) => more.licence === id && more.name.test(name));
  const alternatives = licence.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return !alternatives.some((all) => all.split(' AND ').every(isAllowed));
}

function describe({ name, version, licence }) {
  return `${name} ${version}: the licence ${licence} is not allowed`;
}

/** Updates of code that sees passwords and cards must be decisions. */
function listInexactVersions(lock) {
  const asked = listWorkspaces(lock).flatMap((place) => {
    const file = readFileSync(inProject(place, 'package.json'), 'utf8');
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(file);
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).map(
      ([name, version]) => ({ place: place || 'the project', name, version }),
    );
  });
  const versions = new Map();
  return asked.flatMap(({ place, name, version }) => {
    const first = versions.get(name) ?? version;
    versions.set(name, first);
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return [`${name} ${version} in ${place} is not exact`];
    return version === first ? [] : [`${name} is ${version} in ${place} and ${first} elsewhere`];
  });
}

/** Node 20 has no `Map.groupBy`. */
function groupByLicence(packages) {
  const groups = new Map();
  for (const one of packages) groups.set(one.licence, [...(groups.get(one.licence) ?? []), one]);
  return groups;
}

/** Offline, from the lock file. */
function makeSbom() {
  const { command, before, shell } = npm();
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  return runQuietly(command, [...before, ...args, '--offline'], { cwd: root, shell });
}
