import { setTimeout as wait } from 'node:timers/promises';
import type { ServerProcess } from './server-process.ts';

/** A server that is started again when it dies. */
export interface RestartingServer {
  /** Ends it for good, also while it is being started again. */
  stop(): Promise<void>;
  /** Settles when it died too often to be started once more: how the last time, as a few words. */
  failure: Promise<string>;
}

/** So many deaths, attempts to start included, within this time mean that starting again does not help. */
const maxDeaths = 5;
const windowMs = 60_000;
/** Before an attempt that follows a failed one. */
const retryDelayMs = 500;

/**
 * Starts a server and again whenever it ends unasked.
 * @param start clears away what the last one left, and starts one; it gives up when the signal is aborted
 * @param onDeath hears how it ended before each new start
 * @throws whatever the first `start` throws
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

  /** Null when it was stopped meanwhile, or died too often. */
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
