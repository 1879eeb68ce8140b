import type { Executor } from './database.ts';

/** One request: the transaction that it runs in, or the pool where it only reads, and the moment. */
export interface RequestContext {
  tx: Executor;
  now: Date;
  /** The control endpoint wants payments to stay in processing when they are confirmed. */
  leaveProcessing?: boolean;
  /** What the control endpoint wants refunds to be at first; absent: they succeed at once. */
  newRefunds?: 'succeeded' | 'pending' | 'failed' | undefined;
}
