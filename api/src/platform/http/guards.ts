import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#src/platform/config.ts';
import { INSIDE } from './in-process-client.ts';
import { Problem } from './problem.ts';

/** Requests in flight from which on further ones are turned away; the contract wants 500 at least. */
const MAX_IN_FLIGHT = 1000;
/** Requests of one address in a minute, unless a call has a limit of its own. */
const REQUESTS_PER_MINUTE = 1200;

export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/** Headers of every answer (contract, "Ground rules"); pages put a policy of their own in place of this one. */
export function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(securityHeaders);
  });
}

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

/** Counts requests by address, unless `RATE_LIMITS=off`. */
export async function limitRates(app: FastifyInstance, config: Config): Promise<void> {
  if (!config.rateLimits) {
    app.log.warn('RATE_LIMITS=off: no limit on the rate of requests but the brake on wrong passwords');
    return;
  }
  await app.register(rateLimit, {
    max: REQUESTS_PER_MINUTE,
    timeWindow: 60_000,
    // The pages' own calls were counted with the page.
    allowList: (request) =>
      request.socket.remoteAddress === INSIDE || /^\/(assets|images|healthz|readyz)(\/|$)/.test(request.url),
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  });
}

/** How many requests in a window of milliseconds. */
export interface RateLimit {
  max: number;
  timeWindow: number;
}

/**
 * Counts requests of one account, beside the count by address: an office behind one address is not held up by
 * its busiest colleague, and nobody gets more by changing addresses.
 * @returns counts a request; throws Problem `too-many`. Null with `RATE_LIMITS=off`
 */
export function limitPerAccount(
  app: FastifyInstance,
  limit: RateLimit,
  accountOf: (request: FastifyRequest) => string,
): ((request: FastifyRequest) => Promise<void>) | null {
  if (!app.hasDecorator('createRateLimit')) return null;
  const count = app.createRateLimit({ ...limit, keyGenerator: accountOf });
  return async (request) => {
    const counted = await count(request);
    if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttl);
  };
}

const tooMany = (ttlMs: number) =>
  new Problem('too-many', { retryAfterSeconds: Math.max(1, Math.ceil(ttlMs / 1000)) });
