import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import type { ChangeCounts } from './promote-user.ts';
import { findUserByEmail, lockAdministrators, setRole } from './store.ts';

/**
 * Makes an administrator a user again, within the caller's transaction, unless they are the last one. All
 * administrators' rows are held, so that two who make each other users at once leave one of them. Harmless to repeat:
 * then nothing is modified.
 * @throws Problem `last-admin`
 */
export async function demoteUser(
  tx: Executor,
  { ids }: Pick<Platform, 'ids'>,
  email: string,
  now: Date,
): Promise<ChangeCounts> {
  const administrators = await lockAdministrators(tx);
  const user = await findUserByEmail(tx, email, { lock: true });
  if (!user) return { matchedCount: 0, modifiedCount: 0 };
  if (user.role !== 'admin') return { matchedCount: 1, modifiedCount: 0 };
  if (administrators === 1) throw new Problem('last-admin');
  await setRole(tx, user.id, 'user', now);
  await writeEntry(tx, {
    id: ids.next(),
    now,
    event: 'role-changed',
    userId: user.id,
    before: { role: user.role },
    after: { role: 'user' },
  });
  return { matchedCount: 1, modifiedCount: 1 };
}
