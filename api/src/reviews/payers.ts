import type { Executor } from '#src/platform/database/connection.ts';

/** Payment facts for reviews; `app.ts` connects the orders. */
export interface Payers {
  /** The users with a valid paid order; skips null ids. */
  findPayers(db: Executor, userIds: readonly (string | null)[]): Promise<ReadonlySet<string>>;
}
