import type { ChildProcess } from 'node:child_process';
import type pg from 'pg';
import type { Figures } from '#src/platform/core/metrics.ts';

/** The first thing that a worker hears: what it cannot know from the settings. */
export interface WorkerOrders {
  kind: 'open';
  /** Counted from 1; the one that replaces another has its number. */
  number: number;
  /** Of several it is the one that tells whoever starts the shop what they have to know. */
  speaks: boolean;
  /** Of the shop's own PostgreSQL; null: the settings name another. */
  connection: pg.PoolConfig | null;
  /** The port, also where the settings leave its choice to the system. */
  port: number;
}

/** What passes between the workers and the process that started them; `id` leads an answer to its question. */
export type WorkerMessage =
  | WorkerOrders
  /** A worker serves, at this address for people. */
  | { kind: 'is-open'; address: string }
  /** A worker, which has figures of its own, wants those of the whole shop, and gets them. */
  | { kind: 'gather-figures'; id: number; own: Figures }
  | { kind: 'gathered-figures'; id: number; all: readonly Figures[] }
  /** Each of the others is asked for its own, and gives them. */
  | { kind: 'ask-figures'; id: number }
  | { kind: 'own-figures'; id: number; own: Figures };

/** Both ends are this program, so a message with a `kind` is one of these; libraries may send others. */
export function readWorkerMessage(message: unknown): WorkerMessage | null {
  return typeof message === 'object' && message !== null && 'kind' in message
    ? (message as WorkerMessage)
    : null;
}

/** Whoever is gone hears nothing, which is no failure: the end of a process is noticed by itself. */
export function tell(listener: Pick<ChildProcess, 'connected' | 'send'>, message: WorkerMessage): void {
  if (listener.connected) listener.send(message, () => {});
}
