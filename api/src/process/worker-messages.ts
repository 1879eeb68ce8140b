import type { ChildProcess } from 'node:child_process';
import type pg from 'pg';
import type { Figures } from '#src/platform/core/metrics.ts';

/** The first message to a worker: everything that the settings do not tell. */
export interface WorkerOrders {
  kind: 'open';
  /** Counted from 1; a replacement keeps the number. */
  number: number;
  /** Whether this worker prints the notes for the operator. */
  speaks: boolean;
  /** Connection to the embedded PostgreSQL; null if the settings name another. */
  connection: pg.PoolConfig | null;
  /** The actual port, also where the settings say 0. */
  port: number;
}

/** Messages between workers and supervisor; `id` matches an answer to its request. */
export type WorkerMessage =
  | WorkerOrders
  /** The worker serves; the address is for people. */
  | { kind: 'is-open'; address: string }
  /** A worker sends its metrics and asks for those of the whole shop. */
  | { kind: 'gather-figures'; id: number; own: Figures }
  | { kind: 'gathered-figures'; id: number; all: readonly Figures[] }
  /** The supervisor asks each other worker for its metrics. */
  | { kind: 'ask-figures'; id: number }
  | { kind: 'own-figures'; id: number; own: Figures };

/** Both ends are this program, so an object with a `kind` is one of these; libraries may send others. */
export function readWorkerMessage(message: unknown): WorkerMessage | null {
  return typeof message === 'object' && message !== null && 'kind' in message
    ? (message as WorkerMessage)
    : null;
}

/** Sends nothing to a process that is gone, as its exit is noticed separately. */
export function tell(listener: Pick<ChildProcess, 'connected' | 'send'>, message: WorkerMessage): void {
  if (listener.connected) listener.send(message, () => {});
}
