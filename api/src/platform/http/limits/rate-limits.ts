import type { IncomingMessage } from 'node:http';
import rateLimit, {
  type FastifyRateLimitStore,
  type FastifyRateLimitStoreCtor,
  normalizeIP,
} from '@fastify/rate-limit';
import type { RateLimit } from '@parts-forge/contract/call';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { Actor } from '#src/platform/http/calls/access.ts';
import { createAddressReader } from './client-address.ts';
import { type Count, type CreateCount, createLocalCount } from './rate-counts.ts';

/** Requests of one address, unless a call or a route has a limit of its own (`config.rateLimit`). */
const PER_ADDRESS: RateLimit = { requests: 1200, seconds: 60 };

/** Addresses that are remembered as they are counted: reading one of IPv6 takes longer than a cached answer. */
const MAX_REMEMBERED = 5_000;

/** The limit on one address, for what answers before the routes. */
export interface AddressLimit {
  /** Counts a request. @returns false when its address has asked too much: it is for its route to refuse it */
  admits(request: IncomingMessage): boolean;
}

/** A limit as `@fastify/rate-limit` reads it. */
export const toWindow = ({ requests, seconds }: RateLimit) => ({ max: requests, timeWindow: seconds * 1000 });

/**
 * Counts requests by address, unless `RATE_LIMITS=off`. Register it before the routes.
 * @param createCount counts the requests of all processes together, where others serve the shop, too
 */
export async function limitAddressRates(
  app: FastifyInstance,
  config: Config,
  createCount: CreateCount = createLocalCount,
): Promise<AddressLimit | null> {
  if (!config.rateLimits) {
    app.log.warn('RATE_LIMITS=off: no limit on the rate of requests but the throttle on wrong passwords');
    return null;
  }
  const { requests, seconds } = PER_ADDRESS;
  const countAddress = createCount('address', requests);
  await app.register(rateLimit, {
    ...toWindow(PER_ADDRESS),
    store: createStore(countAddress, createCount),
    // What a page asks while it is rendered was counted with the page.
    allowList: () => requestContext.current().dependencies !== undefined,
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl),
  });
  const readAddress = createAddressReader(config);
  const networks = new LRUCache<string, string>({ max: MAX_REMEMBERED, memoMethod: (ip) => normalizeIP(ip) });
  return {
    admits(request) {
      const address = readAddress(request);
      if (address === undefined) return false;
      const counted = countAddress(networks.memo(address), seconds * 1000);
      return !(counted instanceof Promise) && counted.current <= requests;
    },
  };
}

/**
 * What the plugin keeps its counts in: it makes one store for the limit on addresses, and a child for each other limit.
 */
function createStore(countAddress: Count, createCount: CreateCount): FastifyRateLimitStoreCtor {
  return class Store implements FastifyRateLimitStore {
    readonly #count: Count;
    constructor(options: object) {
      const limit = readLimit(options);
      this.#count = limit ? createCount(limit.name, limit.requests) : countAddress;
    }
    incr(
      who: string,
      done: (error: Error | null, counted?: { current: number; ttl: number }) => void,
      windowMs: number,
    ): void {
      const counted = this.#count(who, windowMs);
      if (counted instanceof Promise) counted.then((result) => done(null, result), done);
      else done(null, counted);
    }
    child(options: object): Store {
      return new Store(options);
    }
  };
}

/**
 * The limit of a route or an account; null for that on addresses, which is of no route. (The plugin merges the route and
 * the limit into what it gives a store; its types leave that out.)
 */
function readLimit(options: object): { name: string; requests: number } | null {
  const { max, routeInfo } = options as { max?: unknown; routeInfo?: { method?: unknown; url?: unknown } };
  if (routeInfo === undefined) return null;
  return {
    name: `${String(routeInfo.method ?? '')} ${String(routeInfo.url ?? '')}`,
    requests: typeof max === 'number' ? max : Number.POSITIVE_INFINITY,
  };
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
