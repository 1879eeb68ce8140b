import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { browser } from './browser.mjs';
import { ended, startChild } from './child-processes.mjs';
import { installedPostgres } from './installed-postgres.mjs';
import { node26, withNode26OnPath } from './node-26.mjs';
import { say } from './progress.mjs';
import { inProject, requireFromRoot, root } from './project.mjs';
import { asCommand, setUp } from './set-up.mjs';
import { closingLine, countOf, playwrightCounts, sum, vitestCounts } from './test-counts.mjs';

// `npm test`: format and lint, types, unit and API tests, browser stories. Everything runs, whatever fails before.
//   --without-browser        leaves the stories out (`npm run verify`)
//   --on-installed-postgres  the API tests alone, through DATABASE_URL, on a PostgreSQL this machine has
const options = new Set(process.argv.slice(2));
// The sandbox's script for the page is type-checked as what it is: JavaScript of a browser.
const projects = ['contract', 'packages/card-sandbox', 'packages/card-sandbox/src/browser', 'api', 'web'];
const reports = inProject('.cache', 'test-reports');

await asCommand(async () => {
  const withBrowser = !options.has('--without-browser');
  if (options.has('--on-installed-postgres')) {
    await setUp({ build: false });
    return conclude(await testOnInstalledPostgres());
  }
  await setUp();
  const chromium = withBrowser ? await browser() : undefined;
  const counts = [await checkFormatAndLint(), ...(await checkTypes()), await runVitest()];
  if (chromium) counts.push(await runPlaywright(chromium));
  return conclude(counts);
});

function conclude(counts) {
  const total = sum(counts);
  process.stdout.write(`\n${closingLine(total)}\n`);
  return total.failed === 0 ? 0 : 1;
}

async function checkFormatAndLint() {
  say('\n— Format and lint');
  return countOf((await runTool('@biomejs/biome', 'bin/biome', ['check', '--error-on-warnings'])) === 0);
}

async function checkTypes() {
  say('\n— Types');
  const typegen = await runTool('@react-router/dev', 'bin.cjs', ['typegen'], { cwd: inProject('web') });
  const counts = [countOf(typegen === 0)];
  for (const project of projects) {
    counts.push(countOf((await runTool('typescript', 'bin/tsc', ['-p', project])) === 0));
  }
  return counts;
}

async function runVitest(args = [], env = {}) {
  say('\n— Unit and API tests');
  const report = freshReport('vitest.json');
  const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const status = await runTool('vitest', 'vitest.mjs', ['run', ...reporting, ...args], { env });
  return vitestCounts(report, status);
}

async function runPlaywright(chromium) {
  say('\n— Stories in the browser');
  const report = freshReport('playwright.json');
  const env = { CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const status = await runTool('@playwright/test', 'cli.js', ['test', '--reporter=list,json'], { env });
  return playwrightCounts(report, status);
}

async function testOnInstalledPostgres() {
  const server = await installedPostgres();
  if (!server) {
    say('No PostgreSQL 15 or newer is installed here: the API tests ran on the embedded one only.');
    return [];
  }
  try {
    say(`\n— API tests through DATABASE_URL, on the installed PostgreSQL ${server.version}`);
    // What is about the embedded PostgreSQL alone needs no second run.
    const filters = ['api/src', 'packages/card-sandbox', '--exclude', '**/embedded/**'];
    return [await runVitest(filters, { DATABASE_URL: server.url })];
  } finally {
    await server.stop();
  }
}

function freshReport(name) {
  const file = join(reports, name);
  mkdirSync(reports, { recursive: true });
  rmSync(file, { force: true });
  return file;
}

/** Runs a tool of ours under Node 26, without asking anybody anything. @returns its status */
function runTool(name, program, args, { cwd = root, env = {} } = {}) {
  const script = join(dirname(requireFromRoot.resolve(`${name}/package.json`)), program);
  return ended(
    startChild(node26(), [script, ...args], {
      cwd,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...withNode26OnPath(), ...env },
    }),
  );
}
