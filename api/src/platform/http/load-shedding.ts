import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** In milliseconds, where a request may take longer than others, such as an upload over a slow line. */
    requestTimeoutMs?: number;
  }
}

/** Requests in flight from which on further ones are turned away; the contract wants 500 at least. */
const MAX_IN_FLIGHT = 1000;
/** How often those are looked for that take too long: a timer for each request would cost more than a cached answer. */
const SWEEP_MS = 250;

/**
 * Turns requests away while too many are in flight, before anything is done for them, and gives up those that take too
 * long. What such a request was doing goes on; an answer that has begun is not cut off.
 */
export function shedLoad(app: FastifyInstance, requestTimeoutMs: number): void {
  const inFlight = new Set<FastifyReply>();
  app.addHook('onRequest', async (_request, reply) => {
    inFlight.add(reply);
    reply.raw.once('close', () => inFlight.delete(reply));
    if (inFlight.size > MAX_IN_FLIGHT) throw new Problem('overloaded', { retryAfterSeconds: 2 });
  });
  const sweep = setInterval(() => {
    for (const reply of inFlight) {
      const timeoutMs = reply.routeOptions.config.requestTimeoutMs ?? requestTimeoutMs;
      if (reply.elapsedTime > timeoutMs && !reply.sent && !reply.raw.headersSent) {
        reply.send(new Problem('unavailable', { detail: 'This takes too long. Try again.' }));
      }
    }
  }, SWEEP_MS);
  sweep.unref();
  app.addHook('onClose', async () => clearInterval(sweep));
}
