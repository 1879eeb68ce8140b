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
}

/** Runs a request as one transaction. */
export async function inTransaction<T>(
  { db, clock, control }: Dependencies,
  work: (context: RequestContext) => Promise<T>,
): Promise<T> {
  const leaveProcessing = (await control?.read())?.processing ?? false;
  return db.transaction((tx) => work({ tx, now: clock.now(), leaveProcessing }));
}
