import { Problem } from '#src/platform/core/problem.ts';
import { type Administrator, actAs } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { removeReview } from './store.ts';

/**
 * The trail keeps the author and rating, not the text.
 * @throws Problem `not-found`
 */
export async function deleteReview(
  { changes, clock, ids }: Platform,
  administrator: Administrator,
  id: string,
): Promise<void> {
  await actAs(changes, administrator, async (tx, changed) => {
    const review = await removeReview(tx, id);
    if (!review) throw new Problem('not-found');
    await writeEntry(tx, {
      id: ids.next(),
      now: clock.now(),
      event: 'review-deleted',
      userId: review.userId ?? undefined,
      before: { rating: review.rating, writtenAt: review.createdAt.toISOString() },
    });
    changed('reviews');
  });
}
