import { REVIEWS_PER_DAY } from '@parts-forge/contract/bounds';
import type { NewReview } from '@parts-forge/contract/reviews';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Actor } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findUserById } from '#src/users/store.ts';
import { findReviewsSince, insertReview, lockReviewer } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Writes a review under the account's name. @returns its id
 * @throws Problem `too-many` for one above those of a day, unless limits on rates are off; `sign-in-needed` for who was
 *   removed meanwhile
 */
export async function addReview(
  { changes, config, clock, ids }: Platform,
  { userId, name }: Actor,
  { rating, description }: NewReview,
): Promise<string> {
  const id = ids.next();
  await changes.write(async (tx, changed) => {
    const now = clock.now();
    await lockReviewer(tx, userId);
    // Whoever removes their reviews with their account holds the same lock: they may have gone while this one waited.
    if (!(await findUserById(tx, userId))) throw new Problem('sign-in-needed');
    if (config.rateLimits) await refuseAboveLimit(tx, userId, now);
    await insertReview(tx, { id, userId, name, rating, description, now });
    changed('reviews');
  });
  return id;
}

/** Counted in the database, as a day is longer than a process lives. The caller holds the reviewer's lock. */
async function refuseAboveLimit(tx: Executor, userId: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS);
  const latest = await findReviewsSince(tx, userId, since, REVIEWS_PER_DAY);
  const first = latest.at(-1);
  if (first === undefined || latest.length < REVIEWS_PER_DAY) return;
  const retryAfterSeconds = Math.ceil((first.getTime() - since.getTime()) / 1000);
  throw new Problem('too-many', { retryAfterSeconds });
}
