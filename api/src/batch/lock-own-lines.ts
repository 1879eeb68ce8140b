import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { findUserById } from '#src/users/store.ts';
import { type LineRow, lockLines } from './store.ts';

/**
 * Until the transaction ends. The batch of a deleted account must not return.
 * @throws Problem `sign-in-needed` for a deleted account
 */
export async function lockOwnLines(tx: Executor, userId: string): Promise<LineRow[]> {
  const lines = await lockLines(tx, userId);
  if (!(await findUserById(tx, userId))) throw new Problem('sign-in-needed');
  return lines;
}
