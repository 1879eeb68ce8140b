import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { inProject } from './project.mjs';
import { closingLines, leaveOut, measured, readCheck, readResults, recordFullRun } from './test-results.mjs';

const vitest = ['run', `--reporter=${inProject('scripts', 'vitest-report.mjs')}`];

/** @returns the results, and the failure's name */
function runFile(program, name, text, args) {
  mkdirSync(inProject('.cache'), { recursive: true });
  // Within the project, so that packages are found.
  const folder = mkdtempSync(inProject('.cache', 'reported-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'vitest.config.js'), 'export default {}');
  const report = join(folder, 'report.json');
  const options = { cwd: folder, env: { ...process.env, TEST_REPORT_FILE: report }, encoding: 'utf8' };
  const { status } = spawnSync(process.execPath, [inProject('node_modules', program), ...args], options);
  const path = join('.cache', folder.split('/').at(-1), name);
  return { path, results: readResults(report, { title: 'A run', command: 'npm run some --', status }) };
}

test("Vitest's report names failures and the commands to rerun them", () => {
  const { path, results } = runFile(
    'vitest/vitest.mjs',
    'cart.test.js',
    `import { beforeAll, describe, expect, test } from 'vitest';
     test('holds two parts', () => {});
     describe('a cart', () => {
       test("holds the buyer's 2 parts (or none)", () => expect(1).toBe(2));
     });
     describe('an order', () => {
       beforeAll(() => { throw new Error('no database'); });
       test('is placed', () => {});
     });`,
    vitest,
  );
  expect(results).toMatchObject({ passed: 1, files: [{ path }] });
  expect(results.failures).toEqual([
    {
      name: `${path} › a cart > holds the buyer's 2 parts (or none)`,
      message: 'expected 1 to be 2 // Object.is equality',
      command: `npm run some -- ${path} -t 'a cart > holds the buyer'\\''s 2 parts \\(or none\\)'`,
    },
    { name: `${path} › an order`, message: 'no database', command: `npm run some -- ${path} -t 'an order'` },
  ]);
});

test("Playwright's report names a failed story's folder; flaky counts as failed", () => {
  const { path, results } = runFile(
    '@playwright/test/cli.js',
    'pay.spec.js',
    `import { expect, test } from '@playwright/test';
     test('reads', () => {});
     test.describe('a card', () => {
       test.describe.configure({ retries: 1 });
       test('pays', ({}, info) => {
         const path = info.outputPath('console.txt');
         info.attachments.push({ name: 'console', contentType: 'text/plain', path });
         expect(info.retry).toBe(1);
       });
     });`,
    ['test', '--output', 'results', `--reporter=${inProject('scripts', 'playwright-report.mjs')}`],
  );
  expect(results).toMatchObject({ passed: 1, parts: [{ name: 'stories' }], files: [{ path }] });
  expect(results.failures).toMatchObject([
    {
      name: `${path} › a card › pays`,
      message: expect.stringContaining('Expected: 1 Received: 0'),
      command: `npm run some -- ${path} -g 'a card pays'`,
      folder: `${dirname(path)}/results/pay-a-card-pays/`,
    },
  ]);
});

test('a runner without a report, or with a failing status, has failed', () => {
  const run = { title: 'Unit tests', command: 'npm run some --', status: 1 };
  const fails = (message) => ({ failures: [{ name: 'Unit tests', message }] });
  expect(readResults('none.json', run)).toMatchObject(fails('ended without a report'));
  const { results } = runFile('vitest/vitest.mjs', 'no-test.js', '', vitest);
  expect(results.failures).toEqual([{ name: 'A run', message: 'ended with status 1' }]);
});

test('the last lines are parts, slowest files, failures and the sum', () => {
  const failed = { name: 'a.test.ts › adds', message: 'expected 3', command: 'npm run a', folder: 'a/' };
  const files = Array.from({ length: 12 }, (_, index) => ({ path: `${index}.test.ts`, seconds: index }));
  const results = [
    measured('set-up', 12.34),
    readCheck({ name: 'imports', status: 1, command: 'npm run lint' }),
    { passed: 3, failures: [failed], parts: [{ name: 'unit', seconds: 5 }], files },
    leaveOut('pgbouncer: PgBouncer is not installed'),
  ];
  expect(closingLines(results, 75.4)).toEqual([
    'Parts, which may overlap:',
    '    12.3 s  set-up',
    '     5.0 s  unit',
    'The slowest test files:',
    ...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => `${`${n}.0`.padStart(8)} s  ${n}.test.ts`),
    '',
    'Failed: imports',
    '  alone: npm run lint',
    'Failed: a.test.ts › adds: expected 3',
    '  alone: npm run a',
    '  screenshot and console: a/',
    'Left out: pgbouncer: PgBouncer is not installed',
    '3 passed, 2 failed in 1 min 15 s',
  ]);
});

test('a run without test files has no heading for them', () => {
  expect(closingLines([readCheck({ name: 'torture', status: 0 })], 5)).toEqual([
    'Parts, which may overlap:',
    '',
    '1 passed, 0 failed in 5 s',
  ]);
});

test('a full run replaces the line of the previous run', () => {
  const run = { date: '2026-11-25', commit: 'b27d6224', seconds: 3_700 };
  const record = (results) => recordFullRun('# A\n\nLast full run: none yet\n\nB\n', results, run);
  const line = 'Last full run: 2026-11-25, commit b27d6224, 0 passed, 0 failed, 61 min 40 s, left out:';
  expect(record([])).toBe(`# A\n\n${line} nothing\n\nB\n`);
  expect(record([leaveOut('cluster: no HAProxy')])).toBe(`# A\n\n${line} cluster: no HAProxy\n\nB\n`);
});
