import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { sendProblem } from './error-handler.ts';

/** Something that the shop cannot work without. */
export interface HealthCheck {
  name: string;
  /** @throws the reason why it does not work at this moment */
  assertReady(): Promise<unknown>;
}

declare module 'fastify' {
  interface FastifyInstance {
    readiness: Readiness;
  }
}

export interface Readiness {
  /** The shop serves on, but is about to close: a balancer has to look away. */
  isLeaving: boolean;
}

/** Whoever asks wants to know within two seconds. */
const READY_TIMEOUT_MS = 1_500;

/** Outside the limits on rates and load. */
const watched = { rateLimit: false, neverShed: true } as const;

/**
 * `/healthz`: the process lives. `/readyz`: every check succeeds in time, and the shop is not about to close.
 * @param report what is told beside the checks: the shop is ready without it
 */
export function registerHealth(
  app: FastifyInstance,
  checks: readonly HealthCheck[],
  report: () => Readonly<Record<string, boolean>>,
): void {
  const readiness: Readiness = { isLeaving: false };
  app.decorate('readiness', readiness);
  app.get('/healthz', { config: watched }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ alive: true }),
  );
  app.get('/readyz', { config: watched }, async (_request, reply) => {
    // Sent and not thrown: a planned end is no failure, and would be logged as one each time.
    if (readiness.isLeaving) return sendProblem(reply, new Problem('unavailable', { retryAfterSeconds: 5 }));
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
