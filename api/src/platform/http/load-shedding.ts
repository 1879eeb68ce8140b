import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';

/** Requests in flight from which on further ones are turned away; the contract wants 500 at least. */
const MAX_IN_FLIGHT = 1000;

/** Turns requests away while too many are in flight, before anything is done for them. */
export function shedLoad(app: FastifyInstance): void {
  let inFlight = 0;
  app.addHook('onRequest', async (_request, reply) => {
    inFlight += 1;
    reply.raw.once('close', () => {
      inFlight -= 1;
    });
    if (inFlight > MAX_IN_FLIGHT) throw new Problem('overloaded', { retryAfterSeconds: 2 });
  });
}
