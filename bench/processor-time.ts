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

/** The process below another one whose command line has a text in it; null when there is none. */
export function findProcessBelow(pid: number, text: string): number | null {
  if (process.platform !== 'linux') return null;
  const children = readdirSync('/proc')
    .map(Number)
    .filter((candidate) => candidate > 0 && Number(readFields(candidate)?.[1]) === pid);
  for (const child of children) {
    if (readText(`/proc/${child}/cmdline`)?.includes(text)) return child;
    const below = findProcessBelow(child, text);
    if (below !== null) return below;
  }
  return null;
}

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
