import { RATING_STEP } from '@parts-forge/contract/bounds';
import type { Review } from '@parts-forge/contract/reviews';
import { desc, eq } from 'drizzle-orm';
import type { Executor } from '#src/platform/database/connection.ts';
import { findPage, newestFirst, type Page, type PageRequest } from '#src/platform/database/find-page.ts';
import { reviews } from './schema.ts';

/**
 * One page of the reviews, newest first.
 * @throws Problem `invalid` for a cursor that no answer gave out
 */
export const findReviews = (db: Executor, request: PageRequest): Promise<Page<Review>> =>
  findPage(db, reviews, request, newestFirst(reviews), undefined, toReview);

export interface ReviewRecord {
  id: string;
  userId: string;
  name: string;
  /** 1 to 5 in steps of a half. */
  rating: number;
  description: string;
  now: Date;
}

export async function insertReview(tx: Executor, { rating, now, ...review }: ReviewRecord): Promise<void> {
  await tx.insert(reviews).values({ ...review, ratingHalves: rating / RATING_STEP, createdAt: now });
}

/** Everything that a person has written, the newest first. */
export async function findReviewsByUser(db: Executor, userId: string): Promise<Review[]> {
  const rows = await db
    .select()
    .from(reviews)
    .where(eq(reviews.userId, userId))
    .orderBy(desc(reviews.createdAt), desc(reviews.id));
  return rows.map(toReview);
}

/** The caller says in the same transaction that `reviews` have changed. */
export async function deleteReviews(tx: Executor, userId: string): Promise<void> {
  await tx.delete(reviews).where(eq(reviews.userId, userId));
}

function toReview(row: typeof reviews.$inferSelect): Review {
  return {
    _id: row.id,
    name: row.name,
    rating: row.ratingHalves * RATING_STEP,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
  };
}
