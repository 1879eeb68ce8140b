import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { findUserById } from '#src/users/store.ts';
import { type LineRow, lockLines } from './store.ts';

/**
 * The lines of the list of whoever changes it, held until the transaction ends. A person may have been removed while the
 * list was waited for; their list went with them, and must not come back.
 * @throws Problem `sign-in-needed` when they were
 */
export async function lockOwnLines(tx: Executor, userId: string): Promise<LineRow[]> {
  const lines = await lockLines(tx, userId);
  if (!(await findUserById(tx, userId))) throw new Problem('sign-in-needed');
  return lines;
}
