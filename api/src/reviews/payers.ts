import type { Executor } from '#src/platform/database/connection.ts';

/** What reviews need to know of the orders; `app.ts` joins them. */
export interface Payers {
  /** Those of the users who have paid for an order that stands; null names nobody. */
  findPayers(db: Executor, userIds: readonly (string | null)[]): Promise<ReadonlySet<string>>;
}
