import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Group } from './groups.ts';
import { inProject, root, scratch } from './project.ts';

export interface Mutant {
  file: string;
  line: number;
  /** Trimmed. */
  code: string;
  /** `'due' → ""` */
  change: string;
  /** `killed`: a test failed or timed out. `invalid`: the module does not load. */
  fate: 'killed' | 'survived' | 'invalid';
}

interface Report {
  files: Record<string, { source: string; mutants: ReportedMutant[] }>;
}
interface ReportedMutant {
  status: string;
  replacement?: string;
  mutatorName: string;
  location: { start: Position; end: Position };
}
interface Position {
  line: number;
  column: number;
}

const program = join(
  dirname(createRequire(import.meta.url).resolve('@stryker-mutator/core/package.json')),
  'bin/stryker.js',
);
const endWithParent = fileURLToPath(new URL('end-with-parent.ts', import.meta.url));

const fates: Record<string, Mutant['fate']> = {
  Killed: 'killed',
  Timeout: 'killed',
  Survived: 'survived',
  NoCoverage: 'survived',
  RuntimeError: 'invalid',
  CompileError: 'invalid',
};

/** One process with one worker for each group, so that groups run side by side. */
const buildOptions = ({ name, mutate, tests }: Group, report: string) => ({
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', fileURLToPath(new URL('ignore-prose.ts', import.meta.url))],
  ignorers: ['prose'],
  vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false, pool: 'threads' },
  mutate,
  coverageAnalysis: 'perTest',
  concurrency: 1,
  testRunnerNodeArgs: ['--import', endWithParent],
  // Files that these tests read, without pictures.
  ignorePatterns: ['*', ...copied(tests).flatMap((path) => [`!${path}`, `!${path}/**`])],
  tempDirName: join('.cache', 'mutation', name),
  cleanTempDir: 'always',
  // Node runs the sources as they are.
  disableTypeChecks: false,
  reporters: ['json'],
  jsonReporter: { fileName: report },
  logLevel: 'warn',
  allowConsoleColors: false,
  // Generous: a busy machine must not decide whether a mutant lives.
  timeoutMS: 10_000,
  timeoutFactor: 3,
  warnings: false,
});

const copied = (tests: readonly string[]) => [
  'api/migrations',
  'api/package.json',
  'api/src',
  'api/test',
  'contract',
  'docs/reference',
  'tests/mutation',
  'package.json',
  'tsconfig.base.json',
  'README.md',
  '.env.example',
  ...(tests.some((test) => test.includes('/pages/')) ? ['web/build'] : []),
];

/**
 * @param signal aborts the run
 * @throws Error with Stryker's output when it failed
 */
export async function runStryker(
  group: Group,
  { databaseUrl, signal }: { databaseUrl: string | null; signal: AbortSignal },
): Promise<Mutant[]> {
  const report = join(scratch, `${group.name}.report.json`);
  const options = join(scratch, `${group.name}.options.json`);
  const temporary = join(scratch, 'tmp');
  mkdirSync(temporary, { recursive: true });
  writeFileSync(options, JSON.stringify(buildOptions(group, report)));
  const child = spawn(process.execPath, ['--import', endWithParent, program, 'run', options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    signal,
    env: {
      ...process.env,
      TMPDIR: temporary,
      // Each mutant loads its tests in a new thread.
      NODE_COMPILE_CACHE: inProject('.cache', 'compiled'),
      MUTATION_TESTS: group.tests.join(','),
      ...(databaseUrl !== null && { TEST_DATABASE_URL: databaseUrl }),
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(said.trim() || `Stryker ended with status ${code}.`);
  return readMutants(JSON.parse(readFileSync(report, 'utf8')));
}

function readMutants({ files }: Report): Mutant[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.flatMap(({ status, replacement = '', location: { start, end } }) => {
      const fate = fates[status];
      if (fate === undefined) return [];
      const code = lines[start.line - 1]?.trim() ?? '';
      const change = `${shorten(cut(lines, start, end))} → ${shorten(replacement)}`;
      return [{ file, line: start.line, code, change, fate }];
    });
  });
}

/** Columns count from 1; the end is exclusive. */
function cut(lines: readonly string[], start: Position, end: Position): string {
  const part = lines.slice(start.line - 1, end.line);
  const last = part.length - 1;
  return part
    .map((line, index) =>
      line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined),
    )
    .join(' ');
}

function shorten(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ').trim();
  return oneLine.length > 120 ? `${oneLine.slice(0, 80)} … ${oneLine.slice(-35)}` : oneLine;
}
