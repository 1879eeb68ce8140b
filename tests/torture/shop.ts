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
/** Crash recovery included; afterwards a person must help. */
const START_PATIENCE_MS = 60_000;
/** Five seconds by specification; the rest is for a busy machine. */
const END_PATIENCE_MS = 8_000;

/** Restarted whenever it ends, as by a service manager. */
export interface Shop {
  url: string;
  /** 0: not running. */
  processes(): ShopProcesses;
  /** Ends it in order. */
  stop(): Promise<void>;
  /**
   * Restarts the shop when it has ended.
   * @throws Error with its output after a minute
   */
  becomeReady(): Promise<void>;
  /** After the allowed time. */
  countLeftovers(pids: readonly number[]): Promise<number>;
}

export interface ShopProcesses {
  launcher: number;
  node: number;
  /** Of the embedded PostgreSQL. */
  supervisor: number;
  postmaster: number;
}

/** @param settings the only ones: this process's own do not apply */
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

/** 0 when not running. */
export function findPostmaster(dataDir: string): number {
  try {
    const pid = postmasterPid(dataDir);
    return isRunning(pid) ? pid : 0;
  } catch {
    return 0;
  }
}
