import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';

/** Something that the shop cannot work without. */
export interface HealthCheck {
  name: string;
  /** Whether it works at this moment; a failure means that it does not. */
  isReady(): Promise<unknown>;
}

/** `/healthz`: the process lives. `/readyz`: every check succeeds. Outside the limit on rates. */
export function registerHealth(app: FastifyInstance, checks: readonly HealthCheck[]): void {
  app.get('/healthz', { config: { rateLimit: false } }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ alive: true }),
  );
  app.get('/readyz', { config: { rateLimit: false } }, async (_request, reply) => {
    const results = await Promise.allSettled(checks.map(({ isReady }) => isReady()));
    if (results.some(({ status }) => status === 'rejected')) {
      throw new Problem('unavailable', { retryAfterSeconds: 5 });
    }
    return reply
      .header('cache-control', 'no-store')
      .send(Object.fromEntries(checks.map(({ name }) => [name, true])));
  });
}
