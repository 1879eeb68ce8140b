import { MAX_RECORDS } from '@parts-forge/contract/calls/bounds';
import { toAmount } from '@parts-forge/contract/money/money';
import type { UserSummary } from '@parts-forge/contract/people/users';
import { Problem } from '#src/platform/core/problem.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findUserByEmail } from './store.ts';
import type { UserRecords } from './user-records.ts';

/** @throws Problem `not-found` */
export async function readUserSummary(
  { database: { db } }: Pick<Platform, 'database'>,
  records: UserRecords,
  email: string,
): Promise<UserSummary> {
  const user = await findUserByEmail(db, email);
  if (!user) throw new Problem('not-found');
  const [sums, reviews, tokenAt, { sessions }] = await Promise.all([
    records.sumOrders(db, user.id),
    records.findReviews(db, user.id, MAX_RECORDS),
    records.findNewestToken(db, user.id),
    records.readSignIn(db, user),
  ]);
  const seen = [
    sums.newestAt?.toISOString(),
    tokenAt?.toISOString(),
    reviews[0]?.createdAt,
    ...sessions.map(({ updatedAt }) => updatedAt),
  ].filter((at) => at !== undefined);
  // The wire's instants sort as text.
  const lastSeen = seen.sort().at(-1);
  return {
    orders: sums.count,
    paid: toAmount(sums.paidCents),
    waiting: toAmount(sums.waitingCents),
    unpaid: toAmount(sums.unpaidCents),
    refunded: toAmount(sums.refundedCents),
    reviews,
    ...(lastSeen !== undefined && { lastSeen }),
  };
}
