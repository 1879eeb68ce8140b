import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';

/** Something that the shop cannot work without. */
export interface HealthCheck {
  name: string;
  /** Whether it works at this moment; a failure means that it does not. */
  isReady(): Promise<unknown>;
}

/** Whoever asks wants to know within two seconds. */
const READY_TIMEOUT_MS = 1_500;

/** `/healthz`: the process lives. `/readyz`: every check succeeds, and in time. Outside the limit on rates. */
export function registerHealth(app: FastifyInstance, checks: readonly HealthCheck[]): void {
  app.get('/healthz', { config: { rateLimit: false } }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ alive: true }),
  );
  app.get('/readyz', { config: { rateLimit: false } }, async (_request, reply) => {
    const answers = Promise.all(checks.map(({ isReady }) => isReady())).then(
      () => true,
      () => false,
    );
    const areReady = await Promise.race([answers, wait(READY_TIMEOUT_MS, false, { ref: false })]);
    if (!areReady) throw new Problem('unavailable', { retryAfterSeconds: 5 });
    return reply
      .header('cache-control', 'no-store')
      .send(Object.fromEntries(checks.map(({ name }) => [name, true])));
  });
}
