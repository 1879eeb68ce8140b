import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';

/** Something that the shop cannot work without. */
export interface HealthCheck {
  name: string;
  /** @throws the reason why it does not work at this moment */
  assertReady(): Promise<unknown>;
}

/** Whoever asks wants to know within two seconds. */
const READY_TIMEOUT_MS = 1_500;

/** Outside the limits on rates and load. */
const watched = { rateLimit: false, neverShed: true } as const;

/**
 * `/healthz`: the process lives. `/readyz`: every check succeeds, and in time.
 * @param report what is told beside the checks: the shop is ready without it
 */
export function registerHealth(
  app: FastifyInstance,
  checks: readonly HealthCheck[],
  report: () => Readonly<Record<string, boolean>>,
): void {
  app.get('/healthz', { config: watched }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ alive: true }),
  );
  app.get('/readyz', { config: watched }, async (_request, reply) => {
    const answers = Promise.all(checks.map(({ assertReady }) => assertReady()));
    const tooLate = wait(READY_TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`not ready within ${READY_TIMEOUT_MS} ms`);
    });
    await Promise.race([answers, tooLate]).catch((cause: unknown) => {
      throw new Problem('unavailable', { retryAfterSeconds: 5, cause });
    });
    return reply
      .header('cache-control', 'no-store')
      .send({ ...Object.fromEntries(checks.map(({ name }) => [name, true])), ...report() });
  });
}
