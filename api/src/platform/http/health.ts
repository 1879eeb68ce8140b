import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#src/platform/core/problem.ts';
import { sendProblem } from './error-handler.ts';

export interface HealthCheck {
  name: string;
  assertReady(): Promise<unknown>;
}

declare module 'fastify' {
  interface FastifyInstance {
    readiness: Readiness;
  }
}

export interface Readiness {
  /** Load balancers should drain the shop. */
  isLeaving: boolean;
}

/** Monitors want an answer within two seconds. */
const READY_TIMEOUT_MS = 1_500;

const watched = { rateLimit: false, neverShed: true } as const;

/**
 * `/healthz`: the process lives. `/readyz`: every check succeeds in time, and the shop stays open.
 * @param report has no effect on readiness
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
    // Not thrown: the log would record each planned end as a failure.
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
