import { browser } from './browser.mjs';
import { checkLint, checkTypes } from './checks.mjs';
import { installedPostgres } from './installed-postgres.mjs';
import { asCommand, setUp } from './set-up.mjs';
import { leaveOut, measured, readCheck } from './test-results.mjs';
import { conclude, runPlaywright, runVitest, secondsSinceStart } from './test-runs.mjs';

// `npm test`. A failure does not stop the rest. `npm run verify` (`--without-browser`): checks and quick
// tests. `--on-installed-postgres`: API tests on the machine's PostgreSQL (`.ci/run`).
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
  const wantsInstalled = process.argv.includes('--on-installed-postgres');
  const server = wantsInstalled ? await installedPostgres() : undefined;
  const tested = await runVitest(
    'Unit tests, calls and processes',
    withBrowser ? [...quick, ...long] : quick,
    { env: server ? { TEST_DATABASE_URL: server.url } : {} },
  );
  await server?.stop();
  const checked = await checking;
  // Stories beside the tests would fail by timing on an overloaded machine.
  const results = [prepared, ...checked, tested];
  if (wantsInstalled && !server) {
    results.push(
      leaveOut('the installed PostgreSQL, as version 15 or newer is missing; the embedded one ran'),
    );
  }
  if (chromium) {
    const env = { CHROMIUM: chromium, STORIES: 'everyday' };
    results.push(await runPlaywright('Stories in the browser', { env }));
  }
  return conclude(results);
});

/** With each check's output in one piece. */
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
