import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { matchesGlob, relative } from 'node:path';
import { parseSync } from 'vite';
import { importRules, patternOf } from './import-rules.mjs';
import { inProject, root } from './project.mjs';

// Biome checks cycles of files (`noImportCycles`). Runs under Node 26: see `runFile`.
//
// Vite's parser is a dependency already. dependency-cruiser needs TypeScript below 7 or swc (43 packages),
// and neither it nor Biome reports unused rules.
const rulesFile = 'scripts/import-rules.mjs';
const sources = '{api,contract,packages,web}/**/*.{ts,tsx,js,mjs}';
const unread = new Set(['node_modules', 'build', 'data', '.cache', '.react-router']);
const generated = /\/\+types\/|\?url$/;

const rules = new Map(
  Object.entries(importRules).map(([name, names]) => [
    name,
    { files: patternOf(name), names: names.split(' ').filter(Boolean) },
  ]),
);
const files = globSync(sources, { cwd: root, exclude: (path) => unread.has(path.split(/[\\/]/).at(-1)) });
const imports = files.map((file) => file.replaceAll('\\', '/')).flatMap(listImports);

const statements = findStatements(files.map((file) => file.replaceAll('\\', '/')));

const mistakes = [
  ...findForbiddenImports(),
  ...findForbiddenTables(),
  ...findUnusedRules(),
  ...findCircles(),
];
for (const mistake of new Set(mistakes)) process.stdout.write(`${mistake}\n`);
process.stdout.write(
  mistakes.length > 0
    ? `\nWhich folder may import which is written in ${rulesFile}.\n`
    : `Checked ${imports.length} imports and ${statements.length} tables in SQL of ${files.length} files.\n`,
);
process.exitCode = mistakes.length > 0 ? 1 : 0;

/** @throws when a target is missing */
function listImports(source) {
  const text = readFileSync(inProject(source), 'utf8');
  const { module, errors } = parseSync(source, text);
  if (errors.length > 0) throw new Error(`${source}: ${errors[0].message}`);
  const names = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest }) => moduleRequest?.value),
    ),
    // The parser omits imports of types, such as `import('./order.ts').Order`.
    ...[...text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(([, name]) => name),
  ];
  const resolve = createRequire(inProject(source)).resolve;
  return [...new Set(names)]
    .filter((name) => /^([.#]|@parts-forge\/)/.test(name ?? '') && !generated.test(name))
    .map((name) => ({ source, target: relative(root, resolve(name)).replaceAll('\\', '/') }));
}

function findForbiddenImports() {
  return imports.flatMap(({ source, target }) => {
    const refusal = refuse(source, target);
    return refusal === null ? [] : [`${source} imports ${target}: ${refusal}`];
  });
}

/** Tables of other folders in SQL texts, which count as imports of their owner's schema. */
function findStatements(sources) {
  const api = sources.filter((file) => file.startsWith('api/src/') && !isTest(file));
  const texts = new Map(api.map((file) => [file, readFileSync(inProject(file), 'utf8')]));
  const owners = new Map(
    [...texts].flatMap(([file, text]) =>
      [...text.matchAll(/\bpgTable\(\s*'(\w+)'/g)].map(([, table]) => [table, file]),
    ),
  );
  return [...texts].flatMap(([source, text]) =>
    listTemplates(parseSync(source, text).program)
      .map(({ start, end }) => ({ start, sql: text.slice(start, end) }))
      .filter(({ sql }) => /\b(select|insert into|update|delete from|exists)\b/.test(sql))
      .flatMap(({ start, sql }) =>
        [...sql.matchAll(/\b(?:from|into|update|join|using) (\w+)/g)]
          .map(({ 1: table, index }) => ({ source, table, target: owners.get(table), at: start + index }))
          .filter(({ target }) => target !== undefined && findFolder(target) !== findFolder(source)),
      )
      .map(({ at, ...used }) => ({ ...used, line: text.slice(0, at).split('\n').length })),
  );
}

/** Outermost template literals of a syntax tree. */
function listTemplates(node) {
  if (node === null || typeof node !== 'object') return [];
  return node.type === 'TemplateLiteral' ? [node] : Object.values(node).flatMap(listTemplates);
}

function findForbiddenTables() {
  return statements.flatMap(({ source, target, table, line }) => {
    const refusal = refuse(source, target);
    return refusal === null ? [] : [`${source}:${line} uses the table ${table} of ${target}: ${refusal}`];
  });
}

/** The reason; null when allowed. */
function refuse(source, target) {
  if (isTest(source)) return refuseInTest(source, target);
  if (isTest(target)) return 'only tests may import what is for tests.';
  const [from, to] = [findFolder(source), findFolder(target)];
  if (from === undefined) return `${source} is in no folder of the rules.`;
  if (to === undefined) return `${target} is in no folder of the rules.`;
  return from === to || rules.get(from).names.includes(to) ? null : `${from} must not import ${to}.`;
}

/** Allowed: the test's workspace, all that it may import, and the helpers of tests beside that. */
function refuseInTest(source, target) {
  const workspace = findWorkspace(source);
  const allowed = [...rules.values()].filter(({ files }) => findWorkspace(files) === workspace);
  const isAllowed =
    findWorkspace(target) === workspace ||
    allowed.some(({ names }) =>
      names.some((name) =>
        isTest(target)
          ? findWorkspace(rules.get(name).files) === findWorkspace(target)
          : name === findFolder(target),
      ),
    );
  return isAllowed ? null : `tests of ${workspace} must not import what ${workspace} itself may not.`;
}

function findUnusedRules() {
  const used = new Set(
    [...imports, ...statements]
      .filter(({ source }) => !isTest(source))
      .map(({ source, target }) => `${findFolder(source)} → ${findFolder(target)}`),
  );
  return listRules()
    .filter(({ from, to }) => !used.has(`${from} → ${to}`))
    .map(({ from, to }) => `${from} may import ${to} and does not: take it out of the rules.`);
}

/** Circles of folders can only come from circles of rules. */
function findCircles(path = []) {
  const next = path.length === 0 ? [...rules.keys()] : (rules.get(path.at(-1))?.names ?? []);
  return next.flatMap((name) => {
    if (name === path[0]) return [`${drawCircle(path)}: folders must not import each other in a circle.`];
    return path.includes(name) ? [] : findCircles([...path, name]);
  });
}

/** Makes duplicates equal. */
function drawCircle(names) {
  const first = names.indexOf([...names].sort()[0]);
  const circle = [...names.slice(first), ...names.slice(0, first)];
  return [...circle, circle[0]].join(' → ');
}

function listRules() {
  return [...rules].flatMap(([from, { names }]) => names.map((to) => ({ from, to })));
}

function findFolder(file) {
  return [...rules].find(([, { files }]) => matchesGlob(file, files))?.[0];
}

function findWorkspace(path) {
  return /^(packages\/)?[^/]+/.exec(path)[0];
}

function isTest(file) {
  return /\.test\.tsx?$/.test(file) || file.startsWith(`${findWorkspace(file)}/test/`);
}
