import { readdirSync, readFileSync } from 'node:fs';

/** Of Linux, on every machine that Node runs on: a hundred a second. */
const TICK_US = 10_000;

/**
 * The processor time that a process has used, in microseconds, to a hundredth of a second. Unlike answers per second it
 * hardly changes with what else runs on the machine.
 * @returns null where the system does not tell
 */
export function readProcessorTime(pid: number): number | null {
  const fields = readFields(pid);
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** The processes below another one whose command line has a text in it; none where the system does not tell. */
export function findProcessesBelow(pid: number, text: string): number[] {
  if (process.platform !== 'linux') return [];
  const children = readdirSync('/proc')
    .map(Number)
    .filter((candidate) => candidate > 0 && Number(readFields(candidate)?.[1]) === pid);
  return children.flatMap((child) => [
    ...(readText(`/proc/${child}/cmdline`)?.includes(text) ? [child] : []),
    ...findProcessesBelow(child, text),
  ]);
}

/** The first of them; null when there is none. */
export const findProcessBelow = (pid: number, text: string): number | null =>
  findProcessesBelow(pid, text)[0] ?? null;

/** What stands behind the name of the program, which may have any character in it. */
function readFields(pid: number): string[] | null {
  const text = readText(`/proc/${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
