import { canBeManaged } from '@parts-forge/contract/policies';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { findUserByEmail, lockAddress, markUserDeleted, type UserRow } from './store.ts';

/** What users need of signing in; the identity side implements it and `app.ts` joins them. */
export interface SignIns {
  /** Ends every token and session of a user, their password, and every sign-in from before now. */
  endAll(tx: Executor, user: UserRow, now: Date): Promise<void>;
}

/**
 * Removes a user who is no administrator: signed out everywhere at once, password and sessions gone, while the
 * orders and reviews stay and are inherited by nobody who registers the address again.
 * @throws Problem `not-found`, `user-is-admin`
 */
export async function deleteUser(
  { changes, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  signIns: SignIns,
  email: string,
): Promise<void> {
  await changes.write(async (tx, changed) => {
    await lockAddress(tx, email);
    const user = await findUserByEmail(tx, email, { lock: true });
    if (!user) throw new Problem('not-found');
    if (!canBeManaged(user.role)) throw new Problem('user-is-admin');
    const now = clock.now();
    await markUserDeleted(tx, user.id, now);
    await signIns.endAll(tx, user, now);
    await writeEntry(tx, {
      id: ids.next(),
      now,
      event: 'user-deleted',
      userId: user.id,
      before: { role: user.role },
    });
    changed('users');
  });
}
