import { setTimeout as wait } from 'node:timers/promises';
import { type Check, type Finding, fails, readReason, type Visit } from './check.ts';

export interface Report {
  title: string;
  findings: readonly Finding[];
}

/** Longer than any check's own timeouts: a last resort. */
const PATIENCE_MS = 30_000;

/** Runs all checks concurrently; a broken or hanging one does not affect the others. */
export async function examine(
  checks: readonly Check[],
  visit: Visit,
  patienceMs = PATIENCE_MS,
): Promise<Report[]> {
  return Promise.all(
    checks.map(async ({ title, run }) => ({
      title,
      findings: await Promise.race([run(visit), giveUp(patienceMs)]).catch((error: unknown) => [
        fails(`The check broke: ${readReason(error)}.`),
      ]),
    })),
  );
}

async function giveUp(patienceMs: number): Promise<Finding[]> {
  await wait(patienceMs, undefined, { ref: false });
  return [fails(`The check did not end within ${patienceMs / 1000} seconds.`)];
}

const marks = { works: 'ok   ', note: 'note ', fails: 'WRONG' } as const;

/** The terminal report; its last line is the summary. */
export function writeReport(reports: readonly Report[]): string {
  const sections = reports
    .filter(({ findings }) => findings.length > 0)
    .map(({ title, findings }) =>
      [title, ...findings.map(({ verdict, sentence }) => `  ${marks[verdict]} ${sentence}`)].join('\n'),
    );
  const wrong = countWrong(reports);
  const sum =
    wrong === 0
      ? 'Everything that is configured works.'
      : `${wrong} ${wrong === 1 ? 'thing does' : 'things do'} not work.`;
  return `${[...sections, sum].join('\n\n')}\n`;
}

export const countWrong = (reports: readonly Report[]): number =>
  reports.flatMap(({ findings }) => findings).filter(({ verdict }) => verdict === 'fails').length;
