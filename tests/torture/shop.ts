import {
  childPids,
  isRunning,
  parentPid,
  postmasterPid,
} from '@parts-forge/embedded-postgres/linux-processes';
import { isAnswered, launchShop, type Program, waitFor } from '../../api/test/programs.ts';

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
  let program: Program | undefined;

  return {
    url,
    processes() {
      const launcher = program?.isRunning() ? program.pid : 0;
      const postmaster = findPostmaster(DATA_DIR);
      return {
        launcher,
        node: childPids(launcher)[0] ?? 0,
        supervisor: parentPid(postmaster),
        postmaster,
      };
    },
    async stop() {
      await program?.end();
    },
    async becomeReady() {
      const isReady = () => {
        if (!program?.isRunning()) program = launchShop(settings);
        return isAnswered(`${url}/readyz`);
      };
      await waitFor('ready shop', isReady, { patienceMs: START_PATIENCE_MS }).catch((error: unknown) => {
        throw new Error(`${String(error)} It said:\n${program?.said().trim()}`);
      });
    },
    async countLeftovers(pids) {
      const count = () => pids.filter(isRunning).length;
      await waitFor('end', () => count() === 0, { patienceMs: END_PATIENCE_MS }).catch(() => {});
      return count();
    },
  };
}

/** 0 when not running. */
export function findPostmaster(dataDir: string): number {
  try {
    const pid = postmasterPid(dataDir);
    return isRunning(pid) ? pid : 0;
  } catch {
    return 0;
  }
}
