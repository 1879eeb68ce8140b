import { RATING_STEP } from '@parts-forge/contract/calls/bounds';
import type { Review } from '@parts-forge/contract/products/reviews';
import { and, desc, eq, gt, sql } from 'drizzle-orm';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import { findPage, newestFirst, type Page, type PageRequest } from '#src/platform/database/find-page.ts';
import type { Payers } from './payers.ts';
import { reviews } from './schema.ts';

type Row = typeof reviews.$inferSelect;

/**
 * Newest first. A payment does not invalidate the list, so a verified mark may be up to half a minute late.
 * @throws Problem `invalid` for an unknown cursor
 */
export async function findReviews(db: Drizzle, payers: Payers, request: PageRequest): Promise<Page<Review>> {
  const page = await findPage(db, reviews, request, newestFirst(reviews), undefined, (row) => row);
  return { ...page, rows: await markVerified(db, payers, page.rows) };
}

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

export async function findReviewsByUser(
  db: Executor,
  payers: Payers,
  userId: string,
  limit: number,
): Promise<Review[]> {
  const rows = await db
    .select()
    .from(reviews)
    .where(eq(reviews.userId, userId))
    .orderBy(desc(reviews.createdAt), desc(reviews.id))
    .limit(limit);
  return markVerified(db, payers, rows);
}

/** Serialises a person's reviews until the transaction ends. */
export async function lockReviewer(tx: Executor, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`reviews ${userId}`}, 0))`);
}

export async function findReviewsSince(
  tx: Executor,
  userId: string,
  since: Date,
  limit: number,
): Promise<Date[]> {
  const rows = await tx
    .select({ createdAt: reviews.createdAt })
    .from(reviews)
    .where(and(eq(reviews.userId, userId), gt(reviews.createdAt, since)))
    .orderBy(desc(reviews.createdAt))
    .limit(limit);
  return rows.map(({ createdAt }) => createdAt);
}

/** Null when missing. The caller must mark `reviews` as changed in the transaction. */
export async function removeReview(
  tx: Executor,
  id: string,
): Promise<{ userId: string | null; rating: number; createdAt: Date } | null> {
  const [row] = await tx.delete(reviews).where(eq(reviews.id, id)).returning();
  return row
    ? { userId: row.userId, rating: row.ratingHalves * RATING_STEP, createdAt: row.createdAt }
    : null;
}

/** Waits for a concurrent review. The caller must mark `reviews` as changed in the transaction. */
export async function deleteReviews(tx: Executor, userId: string): Promise<void> {
  await lockReviewer(tx, userId);
  await tx.delete(reviews).where(eq(reviews.userId, userId));
}

async function markVerified(db: Executor, payers: Payers, rows: readonly Row[]): Promise<Review[]> {
  const paid = await payers.findPayers(
    db,
    rows.map(({ userId }) => userId),
  );
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    rating: row.ratingHalves * RATING_STEP,
    description: row.description,
    verified: row.userId !== null && paid.has(row.userId),
    createdAt: row.createdAt.toISOString(),
  }));
}
