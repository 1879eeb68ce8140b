import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const launcher = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
/** What a start may take, crash recovery of the database included, before it counts as one that needs a hand. */
const START_PATIENCE_MS = 60_000;
/** The specification of an end: whatever was killed, nothing is left after five seconds, and a little for the machine. */
const END_PATIENCE_MS = 8_000;

/** The shop as `npm start` runs it, started again whenever it has ended, as a service manager would. */
export interface Shop {
  url: string;
  /** The processes of the shop as they are now; 0 for one that does not run. */
  processes(): ShopProcesses;
  /** Tells the launcher to end, as a service manager does, and waits until it has. */
  stop(): Promise<void>;
  /**
   * Waits until the shop is ready to sell, and starts it when it has ended.
   * @throws Error with what it said, when it is not ready within a minute
   */
  becomeReady(): Promise<void>;
  /** How many of the processes named are still there after the time that an end may take. */
  countLeftovers(pids: readonly number[]): Promise<number>;
}

export interface ShopProcesses {
  launcher: number;
  node: number;
  /** The embedded PostgreSQL's supervisor and postmaster. */
  supervisor: number;
  postmaster: number;
}

/** @param settings of the shop; nothing of this process's own settings reaches it */
export function createShop(settings: Record<string, string>): Shop {
  const { PORT = '', DATA_DIR = '' } = settings;
  const url = `http://127.0.0.1:${PORT}`;
  let child: ChildProcess | undefined;
  let said = '';

  const isRunningChild = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  function start(): void {
    const { PATH = '', HOME = '' } = process.env;
    child = spawn(process.execPath, [launcher], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH, HOME, LOG_LEVEL: 'error', ...settings },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-4_000);
      });
    }
  }

  async function isReady(): Promise<boolean> {
    try {
      return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3_000) })).ok;
    } catch {
      return false;
    }
  }

  function readProcesses(): ShopProcesses {
    const launcherPid = isRunningChild() ? (child?.pid ?? 0) : 0;
    const postmaster = readPostmaster(DATA_DIR);
    const supervisor = readParent(postmaster);
    return { launcher: launcherPid, node: listChildren(launcherPid)[0] ?? 0, supervisor, postmaster };
  }

  return {
    url,
    processes: readProcesses,
    async stop() {
      if (!child || !isRunningChild()) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
    async becomeReady() {
      const until = performance.now() + START_PATIENCE_MS;
      while (performance.now() < until) {
        if (!isRunningChild()) start();
        if (await isReady()) return;
        await pause(50);
      }
      throw new Error(`The shop is not ready after a minute. It said:\n${said.trim()}`);
    },
    async countLeftovers(pids) {
      const until = performance.now() + END_PATIENCE_MS;
      const count = () => pids.filter(isAlive).length;
      while (count() > 0 && performance.now() < until) await pause(50);
      return count();
    },
  };
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Whether a process runs: one that has ended and whose parent has not asked yet does not. */
export function isAlive(pid: number): boolean {
  const state = readStat(pid)?.[0];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** The process number of the PostgreSQL on a data folder; 0 while none runs. */
export function readPostmaster(dataDir: string): number {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN;
  return isAlive(pid) ? pid : 0;
}

export const readParent = (pid: number): number => Number(readStat(pid)?.[1] ?? 0);

/** The processes that a process has started, those of its threads included. */
export function listChildren(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

/** A signal to a process that may have ended meanwhile. */
export function signal(pid: number, name: NodeJS.Signals): void {
  if (pid <= 1) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** State and parent, which stand behind the name in brackets. */
function readStat(pid: number): string[] | undefined {
  if (!(pid > 0)) return undefined;
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
  } catch {
    return undefined;
  }
}
