import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

export function postmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

export function parentPid(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
}

export function childPids(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

export function isRunning(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) [ZX]/.test(readFileSync(stat, 'utf8'));
}

/** @param title as the system's list of processes shows it, such as `checkpointer` */
export function findChild(postmaster: number, title: string): number {
  const child = childPids(postmaster).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(title),
  );
  if (child === undefined) throw new Error(`There is no ${title}.`);
  return child;
}

/** Every process that works in the folder of this database, as all of PostgreSQL's do. */
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

/** Sends a signal to processes of which some may end by what became of the others meanwhile. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}
