import rateLimit from '@fastify/rate-limit';
import type { RateLimit } from '@parts-forge/contract/call';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { Actor } from './access.ts';
import type { SharedRates } from './shared-rates.ts';

/** Requests of one address, unless a call or a route has a limit of its own (`config.rateLimit`). */
const PER_ADDRESS: RateLimit = { requests: 1200, seconds: 60 };

/** A limit as `@fastify/rate-limit` reads it. */
export const toWindow = ({ requests, seconds }: RateLimit) => ({ max: requests, timeWindow: seconds * 1000 });

/**
 * Counts requests by address, unless `RATE_LIMITS=off`. Register it before the routes.
 * @param shared counts the requests of all processes together; null where no other serves the shop
 */
export async function limitAddressRates(
  app: FastifyInstance,
  config: Config,
  shared: SharedRates | null,
): Promise<void> {
  if (!config.rateLimits) {
    app.log.warn('RATE_LIMITS=off: no limit on the rate of requests but the throttle on wrong passwords');
    return;
  }
  await app.register(rateLimit, {
    ...toWindow(PER_ADDRESS),
    ...(shared && { store: shared.Store }),
    // What a page asks while it is rendered was counted with the page.
    allowList: () => requestContext.current().dependencies !== undefined,
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  });
}

/**
 * Counts requests of one account, beside the count by address: an office behind one address is not held up by
 * its busiest colleague, and nobody gets more by changing addresses.
 * @param name of what is limited; the counts of all processes meet under it
 * @returns counts a request; throws Problem `too-many`. Null with `RATE_LIMITS=off`
 */
export function limitAccountRate(
  app: FastifyInstance,
  name: string,
  limit: RateLimit,
): ((request: FastifyRequest, actor: Actor) => Promise<void>) | null {
  if (!app.hasDecorator('createRateLimit')) return null;
  const count = app.createRateLimit({
    ...toWindow(limit),
    keyGenerator: ({ actor, ip }) => `${name} ${actor?.userId ?? ip}`,
  });
  return async (request) => {
    const counted = await count(request);
    if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttl);
  };
}

const tooMany = (ttlMs: number) =>
  new Problem('too-many', { retryAfterSeconds: Math.max(1, Math.ceil(ttlMs / 1000)) });
