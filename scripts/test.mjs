import { browser } from './browser.mjs';
import { checkLint, checkTypes } from './checks.mjs';
import { installedPostgres } from './installed-postgres.mjs';
import { asCommand, setUp } from './set-up.mjs';
import { measured, readCheck } from './test-results.mjs';
import { conclude, runPlaywright, runVitest, secondsSinceStart } from './test-runs.mjs';

// `npm test`, the suite of every day: format and lint, imports, types, unit and API tests, tests of processes, stories.
// Everything runs, whatever fails before. `npm run verify` (`--without-browser`) has the checks and what is quick. What
// takes longer than every day allows is in `test-all.mjs`. With `--on-installed-postgres` the API tests run on the
// PostgreSQL of this machine, where it has one, and the stories on the embedded one (`.ci/run`).
const quick = ['units', 'web', 'calls'];
const long = ['slow', 'attacks', 'processes', 'embedded-postgres'];

await asCommand(async () => {
  const withBrowser = !process.argv.includes('--without-browser');
  await setUp({ build: false, tools: true });
  // They need no built pages, and building leaves cores idle.
  const checking = runChecks();
  await setUp({ tools: true });
  const chromium = withBrowser ? await browser() : undefined;
  const prepared = measured('set-up', secondsSinceStart());
  const server = process.argv.includes('--on-installed-postgres') ? await installedPostgres() : undefined;
  const tested = await runVitest(
    'Unit tests, calls and processes',
    withBrowser ? [...quick, ...long] : quick,
    { env: server ? { TEST_DATABASE_URL: server.url } : {} },
  );
  await server?.stop();
  const checked = await checking;
  // After the tests: on a machine that is busy with both, either would show no more than that it is busy.
  const results = [prepared, ...checked, tested];
  if (chromium) {
    const env = { CHROMIUM: chromium, STORIES: 'everyday' };
    results.push(await runPlaywright('Stories in the browser', { env }));
  }
  return conclude(results);
});

/** Format and lint, imports, types: beside the tests, so what they say is shown in one piece each. */
async function runChecks() {
  const startedAt = secondsSinceStart();
  const held = true;
  const lint = await checkLint([], { held });
  const types = await checkTypes({ held });
  const checks = [
    ...lint.map((check) => ({ ...check, command: 'npm run lint' })),
    ...types.map((check) => ({ ...check, command: 'npm run typecheck' })),
  ];
  return [...checks.map(readCheck), measured('checks', secondsSinceStart() - startedAt)];
}
