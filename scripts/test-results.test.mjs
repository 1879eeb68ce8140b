import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from './project.mjs';
import {
  closingLines,
  leaveOut,
  measured,
  readCheck,
  readPlaywrightReport,
  readVitestReport,
  recordFullRun,
} from './test-results.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parts-forge-reports-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(report) {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(report));
  return file;
}

describe('a report of Vitest', () => {
  const run = { title: 'Unit tests', command: 'npm run test:watch -- --run', status: 1 };
  const aFile = (path, other = {}) => ({
    path: join(root, path),
    project: 'units',
    startedAt: 1_000,
    endedAt: 3_500,
    passed: 2,
    failures: [],
    ...other,
  });
  const readFiles = (files, other = {}) =>
    readVitestReport(write({ files, errors: [] }), { ...run, ...other });

  test('gives a failed test its name, its message and its own command', () => {
    const failure = {
      title: "a cart > holds the buyer's 2 parts (or none)",
      message: '\u001b[31mexpected 1\u001b[39m\n  to be 2\n    at cart.ts:3',
    };
    const { failures } = readFiles([aFile('api/src/cart.test.ts', { failures: [failure] })]);
    expect(failures).toEqual([
      {
        name: "api/src/cart.test.ts › a cart > holds the buyer's 2 parts (or none)",
        message: 'expected 1 to be 2',
        command:
          "npm run test:watch -- --run api/src/cart.test.ts -t 'a cart > holds the buyer'\\''s 2 parts \\(or none\\)'",
      },
    ]);
  });

  test('counts a file that cannot be loaded as one failure', () => {
    const { failures } = readFiles([
      aFile('a.test.ts', { passed: 0, failures: [{ message: 'no module b' }] }),
    ]);
    expect(failures).toEqual([
      { name: 'a.test.ts', message: 'no module b', command: 'npm run test:watch -- --run a.test.ts' },
    ]);
  });

  test('times each project from its first file to its last', () => {
    const { parts, files, passed } = readFiles(
      [
        aFile('a.test.ts'),
        aFile('b.test.ts', { startedAt: 4_000, endedAt: 5_000 }),
        aFile('c.test.tsx', { project: 'web', startedAt: 2_000, endedAt: 2_500 }),
      ],
      { status: 0 },
    );
    expect(parts).toEqual([
      { name: 'unit', seconds: 4 },
      { name: 'page', seconds: 0.5 },
    ]);
    expect(files[0]).toEqual({ path: 'a.test.ts', seconds: 2.5 });
    expect(passed).toBe(6);
  });

  test('that is missing is a failure', () => {
    const { failures } = readVitestReport(join(folder, 'none.json'), run);
    expect(failures).toEqual([{ name: 'Unit tests', message: 'ended without a report' }]);
  });

  test('without failures of a runner that failed is a failure', () => {
    expect(readFiles([aFile('a.test.ts')]).failures).toEqual([
      { name: 'Unit tests', message: 'ended with status 1' },
    ]);
  });

  test('names errors that belong to no test', () => {
    const { failures } = readVitestReport(write({ files: [], errors: ['a promise was rejected'] }), run);
    expect(failures).toEqual([{ name: 'Unit tests', message: 'a promise was rejected' }]);
  });
});

describe('a report of Playwright', () => {
  const run = { title: 'Stories', command: 'npm run test:stories --', status: 1 };
  const aStory = (title, status, results) => ({
    title,
    file: 'pay.spec.ts',
    tests: [{ projectName: 'phone', status, results }],
  });
  const readStories = (specs) =>
    readPlaywrightReport(
      write({
        config: { rootDir: join(root, 'tests/browser') },
        suites: [
          {
            title: 'pay.spec.ts',
            file: 'pay.spec.ts',
            line: 0,
            specs: [],
            suites: [{ title: 'a card', line: 3, specs }],
          },
        ],
        errors: [],
        stats: { expected: 1, duration: 4_000 },
      }),
      run,
    );

  test('gives a failed story its name, its command and the folder of its screenshot', () => {
    const shown = join(root, 'test-results', 'pay-a-card-pays-phone', 'test-failed-1.png');
    const failed = {
      status: 'failed',
      duration: 2_000,
      error: { message: 'no button' },
      attachments: [{ name: 'screenshot', path: shown }],
    };
    expect(readStories([aStory('pays', 'unexpected', [failed])]).failures).toEqual([
      {
        name: 'tests/browser/pay.spec.ts › a card › pays › phone',
        message: 'no button',
        command: "npm run test:stories -- tests/browser/pay.spec.ts --project phone -g 'a card pays'",
        folder: 'test-results/pay-a-card-pays-phone/',
      },
    ]);
  });

  test('counts a story that passes now and then as failed', () => {
    const results = [
      { status: 'failed', duration: 1, error: { message: 'too late' } },
      { status: 'passed', duration: 1 },
    ];
    expect(readStories([aStory('pays', 'flaky', results)]).failures).toMatchObject([{ message: 'too late' }]);
  });

  test('adds the times of all stories of a file', () => {
    const passed = { status: 'passed', duration: 1_500 };
    const { files, parts } = readStories([
      aStory('pays', 'expected', [passed]),
      aStory('is refunded', 'expected', [passed]),
    ]);
    expect(files).toEqual([{ path: 'tests/browser/pay.spec.ts', seconds: 3 }]);
    expect(parts).toEqual([{ name: 'stories', seconds: 4 }]);
  });
});

test('a run ends with its parts, its slowest files, its failures and the sum', () => {
  const failed = {
    name: 'a.test.ts › adds',
    message: 'expected 3',
    command: "npm run test:watch -- --run a.test.ts -t 'adds'",
    folder: 'test-results/a/',
  };
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
    "  alone: npm run test:watch -- --run a.test.ts -t 'adds'",
    '  screenshot and console: test-results/a/',
    'Left out: pgbouncer: PgBouncer is not installed',
    '3 passed, 2 failed in 1 min 15 s',
  ]);
});

describe('the line of the last full run', () => {
  const run = { date: '2026-11-25', commit: 'b27d6224', seconds: 3_700 };

  test('replaces the line of the run before', () => {
    const results = [
      readCheck({ name: 'torture', status: 0 }),
      leaveOut('cluster: HAProxy is not installed'),
    ];
    expect(recordFullRun('# A\n\nLast full run: none yet\n\nB\n', results, run)).toBe(
      '# A\n\nLast full run: 2026-11-25, commit b27d6224, 1 passed, 0 failed, 61 min 40 s, ' +
        'left out: cluster: HAProxy is not installed\n\nB\n',
    );
  });

  test('says so when nothing was left out', () => {
    expect(recordFullRun('Last full run: x', [], run)).toMatch(/, left out: nothing$/);
  });
});
