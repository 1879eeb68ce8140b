import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childPids } from '@parts-forge/embedded-postgres/linux-processes';
import { isAnswered, type Program, startProgram, waitFor } from '../../api/test/programs.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Restarted whenever it ends, as by a service manager. */
export interface ShopOnMachine {
  port: number;
  listWorkers(): number[];
  pid(): number;
  isReady(): Promise<boolean>;
  /** @returns exit status, and milliseconds until the end */
  restart(): Promise<{ status: number | null; tookMs: number }>;
  stop(): Promise<void>;
  /** Unexpected ends. */
  countDeaths(): number;
}

const RESTART_AFTER_MS = 200;

/**
 * @param place `upgradeFrom`: version until the first restart; null: this one
 * @param settings the only ones: this process's own do not apply
 */
export function startShopOnMachine(
  name: string,
  { folder, upgradeFrom }: { folder: string; upgradeFrom: string | null },
  settings: Record<string, string>,
): ShopOnMachine {
  const port = Number(settings.PORT);
  let isWanted = true;
  let isRestarting = false;
  let deaths = 0;
  let version = upgradeFrom ?? project;
  let program = start();

  function start(): Program {
    const started = startProgram(process.execPath, [join(version, 'api', 'src', 'process', 'main.ts')], {
      logFile: join(folder, `${name}.log`),
      env: { NODE_ENV: 'production', LOG_LEVEL: 'warn', ...settings },
    });
    started.child.once('exit', async () => {
      if (!isWanted || isRestarting) return;
      deaths += 1;
      await pause(RESTART_AFTER_MS);
      if (isWanted) program = start();
    });
    return started;
  }

  const isReady = () => isAnswered(`http://127.0.0.1:${port}/readyz`);
  return {
    port,
    listWorkers: () => childPids(program.pid),
    pid: () => program.pid,
    isReady,
    async restart() {
      isRestarting = true;
      const toldAt = performance.now();
      const status = await program.end();
      const tookMs = performance.now() - toldAt;
      version = project;
      program = start();
      isRestarting = false;
      await waitFor(name, isReady);
      return { status, tookMs };
    },
    async stop() {
      isWanted = false;
      await program.end();
    },
    countDeaths: () => deaths,
  };
}
