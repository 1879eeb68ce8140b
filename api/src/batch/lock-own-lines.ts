import type { Executor } from '#src/platform/database/connection.ts';
import type { Customer } from '#src/platform/http/calls/access.ts';
import { type LineRow, lockLines } from './store.ts';

/**
 * Until the transaction ends. The batch of a deleted account must not return.
 * @throws Problem as `Actor.confirm`
 */
export async function lockOwnLines(tx: Executor, customer: Customer): Promise<LineRow[]> {
  await customer.confirm(tx);
  return lockLines(tx, customer.userId);
}
