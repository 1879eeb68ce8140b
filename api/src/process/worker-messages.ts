import type { ChildProcess } from 'node:child_process';
import type pg from 'pg';
import type { Figures } from '#src/platform/core/metrics.ts';

/** First message to a worker. */
export interface WorkerOrders {
  kind: 'open';
  /** Counted from 1; a replacement keeps the number. */
  number: number;
  /** Prints the notes for the operator. */
  speaks: boolean;
  /** Null for an external PostgreSQL. */
  connection: pg.PoolConfig | null;
  /** The actual port, also where the settings say 0. */
  port: number;
}

/** `id` matches a response to its request. */
export type WorkerMessage =
  | WorkerOrders
  /** The address is for people. */
  | { kind: 'is-open'; address: string }
  /** A worker asks for the metrics of the whole shop. */
  | { kind: 'gather-figures'; id: number; own: Figures }
  | { kind: 'gathered-figures'; id: number; all: readonly Figures[] }
  /** The supervisor asks another worker. */
  | { kind: 'ask-figures'; id: number }
  | { kind: 'own-figures'; id: number; own: Figures };

/** Libraries may send other messages; ours have a `kind`. */
export function readWorkerMessage(message: unknown): WorkerMessage | null {
  return typeof message === 'object' && message !== null && 'kind' in message
    ? (message as WorkerMessage)
    : null;
}

/** Sends nothing to a process that is gone. */
export function sendTo(listener: Pick<ChildProcess, 'connected' | 'send'>, message: WorkerMessage): void {
  if (listener.connected) listener.send(message, () => {});
}
