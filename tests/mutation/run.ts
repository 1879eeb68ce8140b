import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { startThrowAway } from '../../api/test/start-throw-away.ts';
import { type Group, inProject, listGroups, root } from './groups.ts';

// Runs Stryker for one group after another; see README.md.
const args = process.argv.slice(2);
const withDatabase = args.includes('--with-database');
const names = args.filter((arg) => !arg.startsWith('--'));
const scratch = inProject('.cache', 'mutation');
const program = join(
  dirname(createRequire(import.meta.url).resolve('@stryker-mutator/core/package.json')),
  'bin/stryker.js',
);

/** Files that the tests read, without pictures. */
const copied = [
  'api/migrations',
  'api/package.json',
  'api/src',
  'api/test',
  'contract',
  'docs/reference',
  'tests/mutation',
  'package.json',
  'tsconfig.base.json',
  'README.md',
  '.env.example',
];

const all = listGroups();
const wanted = all.filter(({ name, needsDatabase }) =>
  names.length === 0 ? withDatabase || !needsDatabase : names.some((part) => name.includes(part)),
);
if (wanted.length === 0 || args.some((arg) => arg.startsWith('--') && arg !== '--with-database')) {
  process.stderr.write(
    `Name groups, or use --with-database for all: ${all.map(({ name }) => name).join(', ')}.\n`,
  );
  process.exit(1);
}

const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.abort());
mkdirSync(scratch, { recursive: true });
const database = wanted.some(({ needsDatabase }) => needsDatabase)
  ? await startThrowAway({ transport: 'tcp' })
  : null;
const broken: string[] = [];
try {
  for (const group of wanted) {
    if (!ended.signal.aborted && !(await runStryker(group))) broken.push(group.name);
  }
} finally {
  await database?.stop();
}
if (broken.length > 0) process.stderr.write(`Not tried: ${broken.join(', ')}.\n`);
process.exit(broken.length > 0 || ended.signal.aborted ? 1 : 0);

/** @returns whether Stryker tried the group's mutants */
async function runStryker(group: Group): Promise<boolean> {
  const options = join(scratch, `${group.name}.options.json`);
  writeFileSync(options, JSON.stringify(buildOptions(group)));
  const child = spawn(process.execPath, [program, 'run', options], {
    cwd: root,
    stdio: 'inherit',
    signal: ended.signal,
    env: {
      ...process.env,
      // Each mutant loads its tests in a new thread.
      NODE_COMPILE_CACHE: inProject('.cache', 'compiled'),
      MUTATION_TESTS: group.tests.join(','),
      ...(database && { TEST_DATABASE_URL: toUrl(database.connection) }),
    },
  });
  child.on('error', () => {});
  const [code] = await once(child, 'close');
  return code === 0;
}

function buildOptions({ name, mutate }: Group): object {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', inProject('tests', 'mutation', 'ignore-prose.ts')],
    ignorers: ['prose'],
    vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false, pool: 'threads' },
    mutate,
    incremental: true,
    incrementalFile: join('.cache', 'mutation', `${name}.json`),
    concurrency: availableParallelism(),
    ignorePatterns: ['*', ...copied.flatMap((path) => [`!${path}`, `!${path}/**`])],
    tempDirName: join('.cache', 'mutation', name),
    cleanTempDir: 'always',
    // Node runs the sources as they are.
    disableTypeChecks: false,
    reporters: ['clear-text'],
    clearTextReporter: { allowEmojis: false, reportTests: false },
    logLevel: 'warn',
    allowConsoleColors: false,
    // Generous: a busy machine must not decide whether a mutant lives.
    timeoutMS: 10_000,
    timeoutFactor: 3,
    warnings: false,
  };
}

function toUrl(connection: Awaited<ReturnType<typeof startThrowAway>>['connection']): string {
  const { user, password, host, port, database: name } = connection;
  return `postgres://${user}:${password}@${host}:${port}/${name}`;
}
