import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '#src/platform/core/metrics.ts';
import { Problem } from '#src/platform/core/problem.ts';
import { bearerToken } from './calls/access.ts';
import { toWindow } from './limits/rate-limits.ts';

/** Apart from the address's other requests: during a flood the figures matter most. */
const READS = toWindow({ requests: 120, seconds: 60 });

export function registerMetrics(app: FastifyInstance, metrics: Metrics, token: string): void {
  const expected = hash(token);
  app.get('/metrics', { config: { neverShed: true, rateLimit: READS } }, async (request, reply) => {
    const given = bearerToken(request);
    // Equal-length hashes, compared in constant time.
    if (given === null || !timingSafeEqual(hash(given), expected)) {
      throw new Problem('sign-in-needed', { detail: 'Send METRICS_TOKEN as a bearer token.' });
    }
    const { contentType, text } = await metrics.read();
    return reply.header('cache-control', 'no-store').type(contentType).send(text);
  });
}

const hash = (text: string) => createHash('sha256').update(text).digest();
