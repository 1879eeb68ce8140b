import type { Clock } from './clock.ts';
import type { Control } from './control.ts';
import type { Database } from './database.ts';
import type { RequestContext } from './request-context.ts';

/** What everything that answers requests is built on. */
export interface Dependencies {
  db: Database;
  clock: Clock;
  /** Null unless the control endpoint is open. */
  control: Control | null;
  /** Has the events delivered that a request made. Never waits and never throws. */
  wakeDeliveries(): void;
}

/** Runs a request that reads, each statement by itself: nothing that it reads has to agree with what it reads next. */
export const withoutTransaction = <T>(
  { db, clock }: Dependencies,
  work: (context: RequestContext) => Promise<T>,
): Promise<T> => work({ tx: db, now: clock.now() });

/** Runs a request as one transaction. */
export async function inTransaction<T>(
  { db, clock, control }: Dependencies,
  work: (context: RequestContext) => Promise<T>,
): Promise<T> {
  const { processing: leaveProcessing = false, newRefunds } = (await control?.read()) ?? {};
  return db.transaction((tx) => work({ tx, now: clock.now(), leaveProcessing, newRefunds }));
}
