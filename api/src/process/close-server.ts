import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { runOutOfPatience, waitForAbort } from './patience.ts';

/** Shorter once the launcher is gone. */
const GRACE = { patienceMs: 10_000, abandonedMs: 3_000 };

/** Development has neither drain nor grace time. */
export async function closeServer(
  app: FastifyInstance,
  { drainMs, livePages }: Pick<Config, 'drainMs' | 'livePages'>,
  { abandonment }: { abandonment: AbortSignal },
): Promise<void> {
  await drain(app, drainMs, abandonment);
  const graceIsOver = livePages ? Promise.resolve() : runOutOfPatience(abandonment, GRACE);
  graceIsOver.then(() => app.server.closeAllConnections());
  // Browsers keep idle connections open, which would delay `close`.
  const tidyUp = setInterval(() => app.server.closeIdleConnections(), 100);
  await app.close();
  clearInterval(tidyUp);
}

/** Each connection ends with its next response. */
async function drain(app: FastifyInstance, drainMs: number, abandonment: AbortSignal): Promise<void> {
  app.readiness.isLeaving = true;
  app.server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  if (drainMs > 0) await Promise.race([wait(drainMs, undefined, { ref: false }), waitForAbort(abandonment)]);
}
