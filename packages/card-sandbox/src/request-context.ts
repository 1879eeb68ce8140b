import type { Clock } from './clock.ts';
import type { Control } from './control.ts';
import type { Database, Executor } from './database.ts';

/** What everything that answers requests is built on. */
export interface Dependencies {
  db: Database;
  clock: Clock;
  /** Null unless the control endpoint is open. */
  control: Control | null;
  /** Has the events delivered that a request made. Never waits and never throws. */
  wakeDeliveries(): void;
}

/** One request: the transaction that it runs in, and the moment. */
export interface RequestContext {
  tx: Executor;
  now: Date;
  /** The control endpoint wants payments to stay in processing when they are confirmed. */
  leaveProcessing?: boolean;
  /** What the control endpoint wants refunds to be at first; absent: they succeed at once. */
  newRefunds?: 'succeeded' | 'pending' | 'failed' | undefined;
}

/** Runs a request as one transaction. */
export async function inTransaction<T>(
  { db, clock, control }: Dependencies,
  work: (context: RequestContext) => Promise<T>,
): Promise<T> {
  const { processing: leaveProcessing = false, newRefunds } = (await control?.read()) ?? {};
  return db.transaction((tx) => work({ tx, now: clock.now(), leaveProcessing, newRefunds }));
}
