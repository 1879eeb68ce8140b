import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { browser } from './browser.mjs';
import { StepFailed } from './child-processes.mjs';
import { installFirebaseEmulator } from './firebase-emulator.mjs';
import { installedPostgres } from './installed-postgres.mjs';
import { ensureProgram } from './installed-programs.mjs';
import { node26 } from './node-26.mjs';
import { startPgbouncer } from './pgbouncer.mjs';
import { say } from './progress.mjs';
import { inProject, root } from './project.mjs';
import { runFile } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';
import { leaveOut, measured, readCheck, recordFullRun } from './test-results.mjs';
import { conclude, runPlaywright, runVitest, secondsSinceStart } from './test-runs.mjs';

// `npm run test:all [-- [part…] [argument…]]`: all that `npm test` omits or reduces. Without parts, writes
// its result into CONTRIBUTING.md. Arguments go to Vitest or Playwright. With `--list`, prints the parts as
// JSON.
const parts = {
  /** Attacks at full size. */
  postgres: (args) =>
    withPostgres('postgres', ({ url, version }) =>
      runVitest(`Calls on the installed PostgreSQL ${version}`, ['calls', 'slow', 'attacks'], {
        env: { DATABASE_URL: url, FULL_SIZE: '1' },
        args,
        command: 'npm run test:all -- postgres',
      }),
    ),

  pgbouncer: (args) =>
    withPostgres('pgbouncer', async ({ url }) => {
      const pooler = await startPgbouncer(new URL(url));
      if (!pooler) return leaveOut('pgbouncer: PgBouncer is not installed');
      try {
        return await runVitest(`Calls through ${pooler.version}`, ['calls', 'slow'], {
          env: { DATABASE_URL: url, TEST_POOLER_URL: pooler.url },
          args,
          command: 'npm run test:all -- pgbouncer',
        });
      } finally {
        await pooler.stop();
      }
    }),

  stories: async (args) =>
    runPlaywright('All stories', {
      env: { CHROMIUM: await browser(), STORIES: 'all' },
      args,
      command: 'npm run test:all -- stories',
    }),

  endings: (args) => runVitest('Ends and deaths of processes', ['endings'], { args }),

  torture: () => runProgram('torture', 'tests/torture/run.ts', ['30', '--rounds', '20', '--seed', newSeed()]),

  /** Two shops of two processes behind HAProxy: races, kills, and the loss of the primary. */
  cluster: () =>
    withPostgres('cluster', async () => {
      if (!(await ensureProgram('haproxy'))) return leaveOut('cluster: HAProxy is not installed');
      return runProgram('cluster', 'tests/cluster/run.ts', ['--seed', newSeed()]);
    }),

  async hosted(args) {
    await installFirebaseEmulator();
    return runPlaywright('Stories against hosted stand-ins', {
      env: { CHROMIUM: await browser(), NODE_26: node26() },
      args: ['--config', inProject('tests', 'hosted', 'playwright.config.ts'), ...args],
      command: 'npm run test:all -- hosted',
    });
  },
};

// Functions below are hoisted; constants are not.
await asCommand(async () => {
  if (process.argv[2] === '--list') {
    process.stdout.write(`${JSON.stringify(Object.keys(parts))}\n`);
    return 0;
  }
  const { names, args } = readArguments(process.argv.slice(2));
  await setUp({ tools: true });
  const results = [measured('set-up', secondsSinceStart())];
  for (const name of names.length > 0 ? names : Object.keys(parts)) results.push(await runPart(name, args));
  const status = conclude(results);
  if (names.length === 0) writeResult(results);
  // A named part must run.
  return names.length > 0 && results.some(({ leftOut }) => leftOut) ? 1 : status;
});

async function runPart(name, args) {
  const startedAt = secondsSinceStart();
  const results = await parts[name](args);
  return { ...results, parts: [{ name, seconds: secondsSinceStart() - startedAt }] };
}

function readArguments(given) {
  const first = given.findIndex((arg) => !Object.hasOwn(parts, arg));
  const names = first === -1 ? given : given.slice(0, first);
  const args = first === -1 ? [] : given.slice(first);
  if (names.length === 0 && args.length > 0)
    throw new StepFailed(`Name one of the parts first: ${Object.keys(parts).join(', ')}`);
  return { names, args };
}

/** @param work gets the installed PostgreSQL, which ends with it */
async function withPostgres(part, work) {
  const server = await installedPostgres();
  if (!server) return leaveOut(`${part}: PostgreSQL 15 or newer is not installed`);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** A program that counts as one test. */
async function runProgram(name, file, args) {
  const command = `npm run ${name} -- ${args.join(' ')}`;
  say(`\n— ${command}`);
  return readCheck({ name, command, status: await runFile(file, args) });
}

function newSeed() {
  return String(Date.now() % 2 ** 31);
}

function writeResult(results) {
  const file = inProject('CONTRIBUTING.md');
  const commit = git('rev-parse', '--short=8', 'HEAD');
  const run = {
    date: new Date().toISOString().slice(0, 10),
    commit: git('status', '--porcelain') === '' ? commit : `${commit} with changes`,
    seconds: secondsSinceStart(),
  };
  writeFileSync(file, recordFullRun(readFileSync(file, 'utf8'), results, run));
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
