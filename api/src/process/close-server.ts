import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { runOutOfPatience, waitForAbort } from './patience.ts';

/** Answers that are being given when the shop is told to end may take this long; less when its launcher is gone. */
const GRACE = { patienceMs: 10_000, abandonedMs: 3_000 };

/**
 * Serves on for as long as a balancer needs to look away, then takes no more connections and finishes the answers that
 * were begun; whoever takes longer is cut off. In development nobody is waited for.
 */
export async function closeServer(
  app: FastifyInstance,
  { drainMs, livePages }: Pick<Config, 'drainMs' | 'livePages'>,
  { abandonment }: { abandonment: AbortSignal },
): Promise<void> {
  await drain(app, drainMs, abandonment);
  const graceIsOver = livePages ? Promise.resolve() : runOutOfPatience(abandonment, GRACE);
  graceIsOver.then(() => app.server.closeAllConnections());
  // Browsers leave connections open for a next request, and closing would wait for those.
  const tidyUp = setInterval(() => app.server.closeIdleConnections(), 100);
  await app.close();
  clearInterval(tidyUp);
}

/** From the first moment on `/readyz` refuses, and each connection ends with its next answer. */
async function drain(app: FastifyInstance, drainMs: number, abandonment: AbortSignal): Promise<void> {
  app.readiness.isLeaving = true;
  app.server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  if (drainMs > 0) await Promise.race([wait(drainMs, undefined, { ref: false }), waitForAbort(abandonment)]);
}
