import { setTimeout as wait } from 'node:timers/promises';
import type { ServerProcess } from './server-process.ts';

export interface RestartingServer {
  /** Also stops a restart. */
  stop(): Promise<void>;
  failure: Promise<string>;
}

/** Failed starts count too. */
const maxDeaths = 5;
const windowMs = 60_000;
const retryDelayMs = 500;

/**
 * @param start also cleans up
 * @throws the error of the first `start`
 */
export async function startRestartingServer(
  start: (signal: AbortSignal) => Promise<ServerProcess>,
  onDeath: (how: string) => void,
): Promise<RestartingServer> {
  const stopping = new AbortController();
  const { promise: failure, resolve: fail } = Promise.withResolvers<string>();
  const deaths: number[] = [];
  let server: ServerProcess | null = await start(stopping.signal);
  const supervision = superviseUntilStopped();

  async function superviseUntilStopped(): Promise<void> {
    while (server) {
      const how = await server.exit;
      server = null;
      if (stopping.signal.aborted) return;
      server = await startAfterDeath(how);
      if (stopping.signal.aborted) await server?.stop();
    }
  }

  async function startAfterDeath(firstHow: string): Promise<ServerProcess | null> {
    for (let how = firstHow; !stopping.signal.aborted; ) {
      const now = Date.now();
      deaths.push(now);
      if (deaths.filter((at) => now - at < windowMs).length >= maxDeaths) {
        fail(how);
        return null;
      }
      onDeath(how);
      try {
        return await start(stopping.signal);
      } catch (error) {
        how = error instanceof Error ? error.message : String(error);
      }
      await wait(retryDelayMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
    return null;
  }

  return {
    failure,
    async stop() {
      stopping.abort();
      await server?.stop();
      await supervision;
    },
  };
}
