import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  childPids,
  isRunning,
  parentPid,
  postmasterPid,
} from '@parts-forge/embedded-postgres/linux-processes';

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
    const postmaster = findPostmaster(DATA_DIR);
    return {
      launcher: launcherPid,
      node: childPids(launcherPid)[0] ?? 0,
      supervisor: parentPid(postmaster),
      postmaster,
    };
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
      const count = () => pids.filter(isRunning).length;
      while (count() > 0 && performance.now() < until) await pause(50);
      return count();
    },
  };
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** 0 while no PostgreSQL runs on the data folder. */
export function findPostmaster(dataDir: string): number {
  try {
    const pid = postmasterPid(dataDir);
    return isRunning(pid) ? pid : 0;
  } catch {
    return 0;
  }
}
