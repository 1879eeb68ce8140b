import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { browser } from './browser.mjs';
import { checkTypes } from './check-types.mjs';
import { installedPostgres } from './installed-postgres.mjs';
import { say } from './progress.mjs';
import { inProject } from './project.mjs';
import { runScript, runTool } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';
import { closingLine, countOf, playwrightCounts, sum, vitestCounts } from './test-counts.mjs';

// `npm test`: format and lint, imports, types, unit and API tests, browser stories. Everything runs, whatever fails
// before.
//   --without-browser        leaves the stories out (`npm run verify`)
//   --on-installed-postgres  the API tests alone, through DATABASE_URL, on a PostgreSQL this machine has
const options = new Set(process.argv.slice(2));
const reports = inProject('.cache', 'test-reports');

await asCommand(async () => {
  const withBrowser = !options.has('--without-browser');
  if (options.has('--on-installed-postgres')) {
    await setUp({ build: false });
    return conclude(await testOnInstalledPostgres());
  }
  await setUp();
  const chromium = withBrowser ? await browser() : undefined;
  const counts = [
    await checkFormatAndLint(),
    await checkImports(),
    ...(await countTypes()),
    await runVitest(),
  ];
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

async function checkImports() {
  say('\n— Imports');
  return countOf((await runScript('check-imports.mjs')) === 0);
}

async function countTypes() {
  say('\n— Types');
  return (await checkTypes()).map((status) => countOf(status === 0));
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
    // The embedded PostgreSQL's own tests open no database that DATABASE_URL names.
    return [await runVitest(['api/src', 'packages/card-sandbox'], { DATABASE_URL: server.url })];
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
