import type { IncomingMessage } from 'node:http';
import rateLimit, {
  type FastifyRateLimitStore,
  type FastifyRateLimitStoreCtor,
  normalizeIP,
} from '@fastify/rate-limit';
import type { RateLimit } from '@parts-forge/contract/calls/call';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Config } from '#src/platform/core/config.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { requestContext } from '#src/platform/core/request-context.ts';
import type { Actor } from '#src/platform/http/calls/access.ts';
import { createAddressReader } from './client-address.ts';
import { type Count, type CreateCount, createLocalCount } from './rate-counts.ts';

/** Unless a call or route has its own (`config.rateLimit`). */
const PER_ADDRESS: RateLimit = { requests: 1200, seconds: 60 };

/** Each key has its own limit, so that a program leaves its maker's colleagues room. */
export const PER_KEY: RateLimit = { requests: 600, seconds: 60 };

/** Parsing an IPv6 address takes longer than a cached response. */
const MAX_REMEMBERED = 5_000;

export interface AddressLimit {
  /** False beyond the limit; the route then refuses it. */
  admits(request: IncomingMessage): boolean;
}

export const toWindow = ({ requests, seconds }: RateLimit) => ({ max: requests, timeWindow: seconds * 1000 });

/**
 * Register it before the routes.
 * @param createCount for several processes
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
    // A page's own calls are counted with the page.
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

/** The plugin creates one for the address limit, and a child for each other limit. */
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

/** Null for the address limit, which has no route. (The plugin's types omit route and limit.) */
function readLimit(options: object): { name: string; requests: number } | null {
  const { max, routeInfo } = options as { max?: unknown; routeInfo?: { method?: unknown; url?: unknown } };
  if (routeInfo === undefined) return null;
  return {
    name: `${String(routeInfo.method ?? '')} ${String(routeInfo.url ?? '')}`,
    requests: typeof max === 'number' ? max : Number.POSITIVE_INFINITY,
  };
}

/**
 * Colleagues behind one address do not block each other, and changing addresses gains nothing.
 * @param name shared by all processes
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
    keyGenerator: ({ actor, ip }) => `${name} ${actor?.key?.id ?? actor?.userId ?? ip}`,
  });
  return async (request) => {
    const counted = await count(request);
    if (!counted.isAllowed && counted.isExceeded) throw tooMany(counted.ttl);
  };
}

const tooMany = (ttlMs: number) =>
  new Problem('too-many', { retryAfterSeconds: Math.max(1, Math.ceil(ttlMs / 1000)) });
