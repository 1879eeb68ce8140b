import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { inProject } from './project.ts';
import type { Mutant } from './stryker.ts';

export interface FileScore {
  mutants: number;
  killed: number;
  /** Percent, to two decimals. */
  score: number;
}

/** Undetected, with an acceptable reason. */
export interface Survivor {
  code: string;
  change: string;
  /** Handwritten; empty until reviewed. */
  why: string;
}

/** Last results, committed to the repository. */
export interface Results {
  date: string;
  files: Record<string, FileScore & { survivors: Survivor[] }>;
}

const place = inProject('tests', 'mutation', 'results.json');

export const readRecord = (): Results =>
  existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : { date: '', files: {} };

/** Replaces results of mutated files; equal survivors keep their reasons. */
export function writeRecord(record: Results, mutants: readonly Mutant[], date: string): void {
  const files = { ...record.files, ...score(mutants, record) };
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(place, `${JSON.stringify({ date, files: sorted }, null, 2)}\n`);
}

/** Survivors get their reasons from the record. */
export function score(mutants: readonly Mutant[], record: Results): Results['files'] {
  const valid = mutants.filter(({ fate }) => fate !== 'invalid');
  return Object.fromEntries(
    [...Map.groupBy(valid, ({ file }) => file)].map(([file, all]) => {
      const survived = all.filter(({ fate }) => fate === 'survived');
      const killed = all.length - survived.length;
      const known = record.files[file]?.survivors ?? [];
      const survivors = survived.map(({ code, change }) => ({
        code,
        change,
        why: known.find((one) => one.code === code && one.change === change)?.why ?? '',
      }));
      return [file, { mutants: all.length, killed, score: percent(killed, all.length), survivors }];
    }),
  );
}

const percent = (part: number, whole: number) => Math.floor((10_000 * part) / whole) / 100;

/** Regressions, a sentence each. */
export function compare(record: Results, mutants: readonly Mutant[]): string[] {
  const lines = new Map(mutants.map(({ file, code, change, line }) => [`${file}\n${code}\n${change}`, line]));
  return Object.entries(score(mutants, record)).flatMap(([file, { score, survivors }]) => {
    const recorded = record.files[file]?.score;
    const isWorse = recorded !== undefined && score < recorded;
    return [
      ...(isWorse ? [`${file}: ${score} % of the mutants are killed; it was ${recorded} %.`] : []),
      ...survivors
        .filter(({ why }) => why === '')
        .map(({ code, change }) => {
          const line = lines.get(`${file}\n${code}\n${change}`);
          return `${file}:${line}: no test notices ${change}   in   ${code}`;
        }),
    ];
  });
}
