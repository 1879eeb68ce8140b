import { canBeManaged } from '@parts-forge/contract/calls/policies';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { deleteRequestKeys } from '#src/platform/database/run-once.ts';
import { type Actor, requireRecentSignIn } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import {
  eraseUser,
  findUserByEmail,
  lockAddress,
  lockAdministrators,
  markUserDeleted,
  type UserRow,
} from './store.ts';
import type { UserRecords } from './user-records.ts';

/** The identity side implements this; `app.ts` connects it. */
export interface SignIns {
  /** Ends all tokens, sessions and earlier sign-ins, and the password. */
  endAll(tx: Executor, user: UserRow, now: Date): Promise<void>;
  endKeys(tx: Executor, userId: string, now: Date): Promise<void>;
}

/**
 * Orders and reviews stay; a new account with the address does not inherit them.
 * @throws Problem `not-found`, `user-is-admin`
 */
export async function deleteUser(
  { changes, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  signIns: SignIns,
  records: UserRecords,
  administrator: Actor,
  email: string,
): Promise<void> {
  await changes.write(async (tx, changed) => {
    await lockAdministrators(tx);
    await administrator.confirm(tx);
    const user = await lockRemovable(tx, email);
    const now = clock.now();
    await markUserDeleted(tx, user.id, now);
    await removeTraces(tx, { ids, signIns, records }, user, now);
    changed('users');
  });
}

/**
 * Erases personal data and reviews; paid orders stay by law (docs/reference/calls.md, "DELETE /user/{email}").
 * @throws Problem `sign-in-again` ten minutes after the sign-in, `user-is-admin`, `unpaid-orders`
 */
export async function deleteOwnAccount(
  { changes, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  signIns: SignIns,
  records: UserRecords,
  actor: Actor,
): Promise<void> {
  requireRecentSignIn(actor, clock.now());
  await changes.write(async (tx, changed) => {
    const user = await lockRemovable(tx, actor.email);
    await actor.confirm(tx);
    if ((await records.countUnpaidOrders(tx, user.id)) > 0) throw new Problem('unpaid-orders');
    await records.deleteReviews(tx, user.id);
    await records.eraseUnpaidOrders(tx, user.id);
    const now = clock.now();
    await removeTraces(tx, { ids, signIns, records }, user, now);
    await eraseUser(tx, user.id, now);
    changed('users', 'reviews');
  });
}

/** @throws Problem `not-found`, `user-is-admin` */
async function lockRemovable(tx: Executor, email: string): Promise<UserRow> {
  await lockAddress(tx, email);
  const user = await findUserByEmail(tx, email, { lock: true });
  if (!user) throw new Problem('not-found');
  if (!canBeManaged(user.role)) throw new Problem('user-is-admin');
  return user;
}

/** What goes with each account; the trail keeps that it ended. */
async function removeTraces(
  tx: Executor,
  { ids, signIns, records }: Pick<Platform, 'ids'> & { signIns: SignIns; records: UserRecords },
  user: UserRow,
  now: Date,
): Promise<void> {
  await signIns.endAll(tx, user, now);
  await records.deleteBatch(tx, user.id);
  await records.deletePrices(tx, user.id);
  await deleteRequestKeys(tx, user.id);
  await records.deleteWishes(tx, user.id);
  await records.dropMails(tx, user.id, now);
  const before = { role: user.role };
  await writeEntry(tx, { id: ids.next(), now, event: 'user-deleted', userId: user.id, before });
}
