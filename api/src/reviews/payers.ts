import type { Executor } from '#src/platform/database/connection.ts';

/** `app.ts` connects the orders. */
export interface Payers {
  /** Users with a valid paid order; skips null ids. */
  findPayers(db: Executor, userIds: readonly (string | null)[]): Promise<ReadonlySet<string>>;
}
