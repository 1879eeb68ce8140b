import type { Executor } from './database.ts';

/** The transaction (or the pool, for reads) and the time of a request. */
export interface RequestContext {
  tx: Executor;
  now: Date;
  /** Keeps confirmed payments in processing. */
  leaveProcessing?: boolean;
  /** Initial status of refunds; by default they succeed at once. */
  newRefunds?: 'succeeded' | 'pending' | 'failed' | undefined;
}
