import { setTimeout } from 'node:timers/promises';
import { type LatestProof, readProof } from '@parts-forge/contract/orders/overview';
import type { FastifyInstance } from 'fastify';
import type { PaymentServices } from '#src/payments/payment-services.ts';
import { createTurns } from '#src/platform/core/turns.ts';
import { serveCall } from '#src/platform/http/calls/serve-call.ts';
import { proveMonth } from './prove-month.ts';

/** So that asking again does not repeat a proof of a minute. */
const STANDS_MS = 60_000;
const none: LatestProof = { agree: null, sums: [], differences: [], provedAt: null, running: true };

/** Of a month whose proof goes on, or took longer than a request waits. */
interface Proving {
  run: Promise<LatestProof> | null;
  last: LatestProof;
  standsUntilMs: number;
}

/** One proof at a time. A failure after the answer is thrown to the next request. */
export function registerProof(app: FastifyInstance, services: PaymentServices): void {
  const patienceMs = services.config.requestTimeoutMs / 2;
  const takeTurn = createTurns(1);
  const months = new Map<string, Proving>();

  async function prove(month: string, proving: Proving): Promise<LatestProof> {
    const beganMs = performance.now();
    const endTurn = await takeTurn();
    try {
      const provedAt = services.clock.now().toISOString();
      const last = { ...(await proveMonth(services, month)), provedAt, running: false };
      if (performance.now() - beganMs < patienceMs) months.delete(month);
      Object.assign(proving, { last, run: null, standsUntilMs: performance.now() + STANDS_MS });
      return last;
    } finally {
      endTurn();
    }
  }

  serveCall(app, readProof, async ({ query: { month } }) => {
    const proving = months.get(month) ?? { run: null, last: none, standsUntilMs: 0 };
    if (performance.now() < proving.standsUntilMs) return proving.last;
    months.set(month, proving);
    proving.run ??= prove(month, proving);
    try {
      const proof = await Promise.race([proving.run, setTimeout(patienceMs, null, { ref: false })]);
      return proof ?? { ...proving.last, running: true };
    } catch (error) {
      proving.run = null;
      throw error;
    }
  });
}
