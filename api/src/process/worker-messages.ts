import type { ChildProcess } from 'node:child_process';
import type pg from 'pg';
import type { Figures } from '#src/platform/core/metrics.ts';

export interface WorkerOrders {
  kind: 'open';
  /** Counted from 1; a replacement keeps the number. */
  number: number;
  speaks: boolean;
  /** Null for an external PostgreSQL. */
  connection: pg.PoolConfig | null;
  /** The actual port, also where the settings say 0. */
  port: number;
}

export type WorkerMessage =
  | WorkerOrders
  | { kind: 'is-open'; address: string }
  /** For the whole shop. */
  | { kind: 'gather-figures'; id: number; own: Figures }
  | { kind: 'gathered-figures'; id: number; all: readonly Figures[] }
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
