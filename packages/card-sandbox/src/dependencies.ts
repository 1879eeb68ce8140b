import type { Clock } from './clock.ts';
import type { Control } from './control.ts';
import type { Database } from './database.ts';
import type { Money, RequestContext } from './request-context.ts';

export interface Dependencies {
  db: Database;
  clock: Clock;
  control: Control | null;
  money: Money;
  /** Never waits or throws. */
  wakeDeliveries(): void;
}

/** For reads, whose statements need no common snapshot. */
export const withoutTransaction = <T>(
  { db, clock }: Dependencies,
  work: (context: RequestContext) => Promise<T>,
): Promise<T> => work({ tx: db, now: clock.now() });

export async function inTransaction<T>(
  { db, clock, control }: Dependencies,
  work: (context: RequestContext) => Promise<T>,
): Promise<T> {
  const { processing: leaveProcessing = false, newRefunds } = (await control?.read()) ?? {};
  return db.transaction((tx) => work({ tx, now: clock.now(), leaveProcessing, newRefunds }));
}
