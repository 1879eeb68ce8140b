import { mkdirSync, rmSync } from 'node:fs';
import { say } from './progress.mjs';
import { inProject } from './project.mjs';
import { runTool } from './run-tool.mjs';
import { addUp, closingLines, readResults } from './test-results.mjs';

/** @param options `args`: of Vitest; `command`: runs one test, with its file appended */
export function runVitest(title, projects, { env, args = [], command = 'npm run test:watch -- --run' } = {}) {
  const selection = [...projects.map((name) => `--project=${name}`), ...args];
  const reporters = ['--reporter=default', `--reporter=${inProject('scripts', 'vitest-report.mjs')}`];
  return runTests(title, command, env, ['vitest', 'vitest.mjs', ['run', ...reporters, ...selection]]);
}

export function runPlaywright(title, { env, args = [], command = 'npm run test:stories --' } = {}) {
  const reporters = `--reporter=list,${inProject('scripts', 'playwright-report.mjs')}`;
  return runTests(title, command, env, ['@playwright/test', 'cli.js', ['test', reporters, ...args]]);
}

async function runTests(title, command, env, [name, program, args]) {
  say(`\n— ${title}`);
  const report = inProject('.cache', 'test-report.json');
  mkdirSync(inProject('.cache'), { recursive: true });
  rmSync(report, { force: true });
  const status = await runTool(name, program, args, { env: { ...env, TEST_REPORT_FILE: report } });
  return readResults(report, { title, command, status });
}

export function conclude(results) {
  process.stdout.write(`\n${closingLines(results, secondsSinceStart()).join('\n')}\n`);
  return addUp(results).failures.length === 0 ? 0 : 1;
}

/** Since this command started. */
export const secondsSinceStart = () => performance.now() / 1000;
