import { rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { startThrowAway } from '../../api/test/start-throw-away.ts';
import { type Group, listGroups, type Part } from './groups.ts';
import { inProject, scratch } from './project.ts';
import { compare, readRecord, score, writeRecord } from './record.ts';
import { type Mutant, runStryker } from './stryker.ts';

// Compares with `results.json`; see README.md.
const args = process.argv.slice(2);
const options = new Set(args.filter((arg) => arg.startsWith('--')));
const names = args.filter((arg) => !arg.startsWith('--'));

const known = ['--with-database', '--update'];
const unknown = [...options].filter((option) => !known.includes(option));
if (unknown.length > 0) fail(`There is no option ${unknown.join(', ')}, only ${known.join(', ')}.`);

const ended = new AbortController();
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    process.exitCode = status;
    ended.abort();
  });
}

const parts: Part[] = options.has('--with-database') ? ['rules', 'database'] : ['rules'];
const all = (['rules', 'database'] as const).flatMap((part) =>
  listGroups(part).map((group) => ({ part, group })),
);
const wanted = all.filter(({ part, group }) =>
  names.length === 0 ? parts.includes(part) : names.some((name) => group.name.includes(name)),
);
if (wanted.length === 0) fail(`There is no such group: ${all.map(({ group }) => group.name).join(', ')}.`);

rmSync(scratch, { recursive: true, force: true });
const database = wanted.some(({ part }) => part === 'database') ? await startDatabase() : null;
const mutants: Mutant[] = [];
const broken: string[] = [];
try {
  // Longest first, so that no core is idle at the end.
  const queue = wanted.map(({ group }) => group).sort((a, b) => estimateWork(b) - estimateWork(a));
  const workers = Array.from({ length: Math.max(2, availableParallelism()) }, () => work(queue));
  await Promise.all(workers);
} finally {
  await database?.stop();
  rmSync(scratch, { recursive: true, force: true });
}
if (!ended.signal.aborted) conclude();

async function work(queue: Group[]): Promise<void> {
  for (let group = queue.shift(); group !== undefined; group = queue.shift()) {
    const startedAt = performance.now();
    try {
      const tried = await runStryker(group, { databaseUrl: database?.url ?? null, signal: ended.signal });
      mutants.push(...tried);
      // At once, so that an interrupted run keeps its results.
      if (options.has('--update')) writeRecord(readRecord(), tried, new Date().toISOString().slice(0, 10));
      const survived = tried.filter(({ fate }) => fate === 'survived').length;
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      say(`${group.name}: ${tried.length} mutants, ${survived} survive (${seconds} s)`);
    } catch (error) {
      if (ended.signal.aborted) return;
      broken.push(group.name);
      say(`${group.name} could not be tried: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** With the database a mutant takes ten times as long. */
function estimateWork({ mutate, tests }: Group): number {
  const bytes = mutate.reduce((sum, file) => sum + statSync(inProject(file)).size, 0);
  return tests.some((test) => test.endsWith('.api.test.ts')) ? 10 * bytes : bytes;
}

/** Each group has its own databases. */
async function startDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
  const { connection, stop } = await startThrowAway({ transport: 'tcp' });
  const { user, password, host, port, database: name } = connection;
  return { url: `postgres://${user}:${password}@${host}:${port}/${name}`, stop };
}

function conclude(): void {
  const record = readRecord();
  const scores = Object.values(score(mutants, record));
  const tried = scores.reduce((sum, file) => sum + file.mutants, 0);
  const killed = scores.reduce((sum, file) => sum + file.killed, 0);
  say(`\n${killed} of ${tried} mutants were killed, ${tried - killed} survive.`);
  if (broken.length > 0) fail(`Not tried: ${broken.join(', ')}.`);
  if (options.has('--update')) say('Kept in tests/mutation/results.json.');
  const worse = compare(options.has('--update') ? readRecord() : record, mutants);
  for (const sentence of worse) say(sentence);
  if (worse.length > 0) process.exitCode = 1;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function fail(text: string): never {
  say(text);
  process.exit(1);
}
