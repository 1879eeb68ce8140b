import type { Executor } from './database.ts';

export interface RequestContext {
  tx: Executor;
  now: Date;
  leaveProcessing?: boolean;
  /** By default they succeed at once. */
  newRefunds?: 'succeeded' | 'pending' | 'failed' | undefined;
}
