import { readdirSync, readFileSync } from 'node:fs';

/** Clock tick of Linux on all of Node's platforms. */
const TICK_US = 10_000;

/**
 * Microseconds, to 10 ms. Other load hardly affects it, unlike answers per second.
 * @returns null where unknown
 */
export function readProcessorTime(pid: number): number | null {
  const fields = readFields(pid);
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** None where unknown. */
export function listProcessesBelow(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  const children = readdirSync('/proc')
    .map(Number)
    .filter((candidate) => candidate > 0 && Number(readFields(candidate)?.[1]) === pid);
  return children.flatMap((child) => [child, ...listProcessesBelow(child)]);
}

/** By a text in the command line; null for none. */
export const findProcessBelow = (pid: number, text: string): number | null =>
  listProcessesBelow(pid).find((child) => readText(`/proc/${child}/cmdline`)?.includes(text)) ?? null;

/** After the program's name, which may contain any character. */
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
