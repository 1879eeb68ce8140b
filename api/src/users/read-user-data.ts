import type { UserData } from '@parts-forge/contract/accounts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findPersonEntries, type TrailEntry } from '#src/trail/store.ts';
import { findUserByEmail, toUser } from './store.ts';
import type { UserRecords } from './user-records.ts';

/**
 * Everything that is kept about a person, as it was at one moment.
 * @throws Problem `not-found`
 */
export function readUserData(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  records: UserRecords,
  email: string,
): Promise<UserData> {
  // One snapshot, so that no order is missing or there twice while the person goes on shopping.
  return database.db.transaction(
    async (tx) => {
      const user = await findUserByEmail(tx, email);
      if (!user) throw new Problem('not-found');
      return {
        exportedAt: clock.now().toISOString(),
        profile: toUser(user),
        orders: await records.findOrders(tx, user.id),
        batch: await records.findBatch(tx, user.id),
        invoices: await records.findInvoices(tx, user.id),
        reviews: await records.findReviews(tx, user.id),
        trail: (await findPersonEntries(tx, user.id)).map(toTrail),
        mails: await records.findMails(tx, user.id),
        signIn: await records.readSignIn(tx, user),
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

const toTrail = ({ createdAt, event, actor, orderId }: TrailEntry): UserData['trail'][number] => ({
  at: createdAt.toISOString(),
  event,
  by: actor,
  ...(orderId !== null && { order: orderId }),
});
