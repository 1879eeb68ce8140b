import type { Executor } from './database.ts';

/** The merchant's only currency. */
export interface Money {
  /** ISO 4217, in small letters. */
  currency: string;
  /** Formats an amount of its smallest unit. */
  format(amount: number): string;
}

export interface RequestContext {
  tx: Executor;
  now: Date;
  leaveProcessing?: boolean;
  /** By default they succeed at once. */
  newRefunds?: 'succeeded' | 'pending' | 'failed' | undefined;
}
