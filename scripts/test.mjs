import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { browser } from './browser.mjs';
import { checkTypes } from './check-types.mjs';
import { installedPostgres } from './installed-postgres.mjs';
import { startPgbouncer } from './pgbouncer.mjs';
import { say } from './progress.mjs';
import { inProject } from './project.mjs';
import { runScript, runTool } from './run-tool.mjs';
import { asCommand, setUp } from './set-up.mjs';
import { closingLines, readCheck, readPlaywrightReport, readVitestReport } from './test-results.mjs';

// `npm test`: format and lint, imports, types, unit and API tests, browser stories. Everything runs, whatever fails
// before.
//   --without-browser        leaves out the stories, the attacks, what is slow by its name, and what starts and kills
//                            processes of the shop and of PostgreSQL (`npm run verify`)
//   --on-installed-postgres  has the API tests run through DATABASE_URL on the PostgreSQL of this machine, where it has
//                            one, and not on the embedded one; the stories stay on that (`.ci/run`)
//   --through-pgbouncer      the API tests alone, through PgBouncer in transaction mode (`npm run test:pgbouncer`); all of
//                            them, or those of the files that are named
const args = process.argv.slice(2);
const options = new Set(args.filter((arg) => arg.startsWith('--')));
const filters = args.filter((arg) => !arg.startsWith('--'));
const reports = inProject('.cache', 'test-reports');
/** Projects of vitest.config.ts: what needs no database or makes its own, and the API tests. */
const unitTests = { quick: ['units', 'web'], long: ['processes'] };
const apiTests = { quick: ['calls'], long: ['attacks', 'slow'] };
const lastTests = ['endings', 'embedded-postgres'];

await asCommand(async () => {
  const withBrowser = !options.has('--without-browser');
  if (options.has('--through-pgbouncer')) {
    await setUp({ build: false, tools: true });
    return conclude(await testThroughPgbouncer());
  }
  await setUp({ build: false, tools: true });
  // They need no built pages, and building leaves cores idle.
  const checking = runChecks();
  await setUp({ tools: true });
  const chromium = withBrowser ? await browser() : undefined;
  const units = withBrowser ? [...unitTests.quick, ...unitTests.long] : unitTests.quick;
  const calls = withBrowser ? [...apiTests.quick, ...apiTests.long] : apiTests.quick;
  const server = options.has('--on-installed-postgres') ? await installedPostgres() : undefined;
  const tested = server
    ? [await runVitest('Unit tests', units), await testOnServer(server, calls)]
    : [await runVitest('Unit and API tests', [...units, ...calls])];
  const results = [...(await checking), ...tested];
  if (chromium) {
    // One after the other: on a machine that is busy with both, either would show no more than that it is busy.
    results.push(await runPlaywright(chromium));
    results.push(await runVitest('Starts, ends and deaths of whole processes', lastTests));
  }
  return conclude(results);
});

function conclude(results) {
  process.stdout.write(`\n${closingLines(results).join('\n')}\n`);
  return results.every(({ failures }) => failures.length === 0) ? 0 : 1;
}

/** Format and lint, imports, types: beside the tests, so what they say is shown in one piece each. */
async function runChecks() {
  const held = true;
  const lint = ['check', '--error-on-warnings'];
  const checks = [
    { name: 'format and lint', status: await runTool('@biomejs/biome', 'bin/biome', lint, { held }) },
    { name: 'imports', status: await runScript('check-imports.mjs', { held }) },
    { name: 'regular expressions', status: await runScript('check-expressions.mjs', { held }) },
    ...(await checkTypes({ held })),
  ];
  return checks.map(readCheck);
}

async function runVitest(title, projects, env = {}) {
  say(`\n— ${title}`);
  const report = freshReport(`vitest-${projects.join('-')}.json`);
  const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const selection = [...projects.map((name) => `--project=${name}`), ...filters];
  const status = await runTool('vitest', 'vitest.mjs', ['run', ...reporting, ...selection], { env });
  return readVitestReport(title, report, status);
}

async function runPlaywright(chromium) {
  const title = 'Stories in the browser';
  say(`\n— ${title}`);
  const report = freshReport('playwright.json');
  const env = { CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report, PHONE_STORIES: 'tagged' };
  const status = await runTool('@playwright/test', 'cli.js', ['test', '--reporter=list,json'], { env });
  return readPlaywrightReport(title, report, status);
}

async function testOnServer(server, projects) {
  try {
    const title = `API tests through DATABASE_URL, on the installed PostgreSQL ${server.version}`;
    return await runVitest(title, projects, { DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
}

async function testThroughPgbouncer() {
  const server = await installedPostgres();
  if (!server) return missing('PostgreSQL 15 or newer');
  try {
    const pooler = await startPgbouncer(new URL(server.url));
    if (!pooler) return missing('PgBouncer');
    try {
      const title = `API tests through ${pooler.version}, on the installed PostgreSQL ${server.version}`;
      const env = { DATABASE_URL: server.url, TEST_POOLER_URL: pooler.url };
      return [await runVitest(title, ['calls', 'slow'], env)];
    } finally {
      await pooler.stop();
    }
  } finally {
    await server.stop();
  }
}

/** Whoever asks for these tests by name wants to know that none of them ran. */
const missing = (program) => [{ passed: 0, failures: [`${program} is not installed: apt-get install`] }];

function freshReport(name) {
  const file = join(reports, name);
  mkdirSync(reports, { recursive: true });
  rmSync(file, { force: true });
  return file;
}
