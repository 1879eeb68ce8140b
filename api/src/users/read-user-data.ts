import { MAX_RECORDS } from '@parts-forge/contract/calls/bounds';
import type { UserData } from '@parts-forge/contract/people/accounts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findPersonEntries, type TrailEntry } from '#src/trail/store.ts';
import { findUserByEmail, toUser } from './store.ts';
import type { UserRecords } from './user-records.ts';

/**
 * Up to the newest `MAX_RECORDS` per list.
 * @throws Problem `not-found`
 */
export function readUserData(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  records: UserRecords,
  email: string,
): Promise<UserData> {
  // A snapshot: the person may go on shopping.
  return database.db.transaction(
    async (tx) => {
      const user = await findUserByEmail(tx, email);
      if (!user) throw new Problem('not-found');
      // One extra record reveals omissions.
      const orders = await records.findOrders(tx, user.id, MAX_RECORDS + 1);
      const invoices = await records.findInvoices(tx, user.id, MAX_RECORDS + 1);
      const reviews = await records.findReviews(tx, user.id, MAX_RECORDS + 1);
      const entries = await findPersonEntries(tx, user.id, MAX_RECORDS + 1);
      return {
        exportedAt: clock.now().toISOString(),
        isComplete: [orders, invoices, reviews, entries].every(({ length }) => length <= MAX_RECORDS),
        profile: toUser(user),
        orders: orders.slice(0, MAX_RECORDS),
        batch: await records.findBatch(tx, user.id),
        aliases: await records.findAliases(tx, user.id),
        wishes: await records.findWishes(tx, user.id),
        ...(await records.findPrices(tx, user.id)),
        invoices: invoices.slice(0, MAX_RECORDS),
        reviews: reviews.slice(0, MAX_RECORDS),
        trail: entries.slice(0, MAX_RECORDS).map(toTrail),
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
