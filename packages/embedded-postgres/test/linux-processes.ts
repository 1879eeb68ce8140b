import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

export function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** 0 for an ended process. */
export const parentPid = (pid: number): number => Number(readStat(pid)[1] ?? 0);

export const isRunning = (pid: number): boolean => !['Z', 'X', undefined].includes(readStat(pid)[0]);

/** The fields after the name. */
function readStat(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}

export function childPids(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export function findChild(postmaster: number, title: string): number {
  const child = childPids(postmaster).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(title),
  );
  if (child === undefined) throw new Error(`There is no ${title}.`);
  return child;
}

export function serverPids(dataDir: string): number[] {
  const folder = join(realpathSync(dataDir), 'postgres');
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`) === folder && isRunning(pid);
      } catch {
        return false;
      }
    });
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids.filter((pid) => pid > 1)) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}
