import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { findUserByEmail, setRole } from './store.ts';

/** How a change of an existing row went; both 0 when there is no such user. */
export interface ChangeCounts {
  matchedCount: number;
  modifiedCount: number;
}

/**
 * Makes the user of an address an administrator, within the caller's transaction. Harmless to repeat: then nothing is
 * modified.
 */
export async function promoteUser(
  tx: Executor,
  { ids }: Pick<Platform, 'ids'>,
  email: string,
  now: Date,
): Promise<ChangeCounts> {
  const user = await findUserByEmail(tx, email, { lock: true });
  if (!user) return { matchedCount: 0, modifiedCount: 0 };
  if (user.role === 'admin') return { matchedCount: 1, modifiedCount: 0 };
  await setRole(tx, user.id, 'admin', now);
  await writeEntry(tx, {
    id: ids.next(),
    now,
    event: 'role-changed',
    userId: user.id,
    before: { role: user.role },
    after: { role: 'admin' },
  });
  return { matchedCount: 1, modifiedCount: 1 };
}
