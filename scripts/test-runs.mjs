import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './progress.mjs';
import { inProject } from './project.mjs';
import { runTool } from './run-tool.mjs';
import { addUp, closingLines, readPlaywrightReport, readVitestReport } from './test-results.mjs';

const reports = inProject('.cache', 'test-reports');

/**
 * Runs projects of `vitest.config.ts`.
 * @param options `env`: for the tests; `args`: files and options of Vitest; `command`: what runs one of these tests
 *   alone, with its file behind it
 */
export async function runVitest(
  title,
  projects,
  { env = {}, args = [], command = 'npm run test:watch -- --run' } = {},
) {
  say(`\n— ${title}`);
  const report = freshReport('vitest.json');
  const reporting = ['--reporter=default', `--reporter=${inProject('scripts', 'vitest-report.mjs')}`];
  const selection = [...projects.map((name) => `--project=${name}`), ...args];
  const status = await runTool('vitest', 'vitest.mjs', ['run', ...reporting, ...selection], {
    env: { ...env, TEST_REPORT_FILE: report },
  });
  return readVitestReport(report, { title, command, status });
}

/** Runs stories with Playwright. @param options as for Vitest */
export async function runPlaywright(
  title,
  { env = {}, args = [], command = 'npm run test:stories --' } = {},
) {
  say(`\n— ${title}`);
  const report = freshReport('playwright.json');
  const status = await runTool('@playwright/test', 'cli.js', ['test', '--reporter=list,json', ...args], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  return readPlaywrightReport(report, { title, command, status });
}

/** Prints what came of a run. @returns its exit status */
export function conclude(results) {
  process.stdout.write(`\n${closingLines(results, secondsSinceStart()).join('\n')}\n`);
  return addUp(results).failures.length === 0 ? 0 : 1;
}

/** Seconds since this command was started. */
export const secondsSinceStart = () => performance.now() / 1000;

function freshReport(name) {
  const file = join(reports, name);
  mkdirSync(reports, { recursive: true });
  rmSync(file, { force: true });
  return file;
}
