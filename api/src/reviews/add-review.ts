import { REVIEWS_PER_DAY } from '@parts-forge/contract/calls/bounds';
import type { NewReview } from '@parts-forge/contract/products/reviews';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Actor, actAs } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findReviewsSince, insertReview, lockReviewer } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * @returns its id
 * @throws Problem `too-many` above the daily limit, and those of `Actor.confirm`
 */
export async function addReview(
  { changes, config, clock, ids }: Platform,
  actor: Actor,
  { rating, description }: NewReview,
): Promise<string> {
  const id = ids.next();
  const { userId, name } = actor;
  await actAs(changes, actor, async (tx, changed) => {
    const now = clock.now();
    await lockReviewer(tx, userId);
    if (config.rateLimits) await refuseAboveLimit(tx, userId, now);
    await insertReview(tx, { id, userId, name, rating, description, now });
    changed('reviews');
  });
  return id;
}

/** In the database, because processes may restart within a day. The caller holds the reviewer's lock. */
async function refuseAboveLimit(tx: Executor, userId: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS);
  const latest = await findReviewsSince(tx, userId, since, REVIEWS_PER_DAY);
  const first = latest.at(-1);
  if (first === undefined || latest.length < REVIEWS_PER_DAY) return;
  const retryAfterSeconds = Math.ceil((first.getTime() - since.getTime()) / 1000);
  throw new Problem('too-many', { retryAfterSeconds });
}
