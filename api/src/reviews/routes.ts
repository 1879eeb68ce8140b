import { PAGE_LIMIT } from '@parts-forge/contract/paging';
import { addReview, listReviews, type Review } from '@parts-forge/contract/reviews';
import { and, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { reviews } from '#src/db/schema.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { countUpTo } from '#src/platform/database/search.ts';
import { requireOwnEmail } from '#src/platform/http/access.ts';
import { type Page, pageHeaders, pageOf, readCursor } from '#src/platform/http/paging.ts';
import { keptAnswers } from '#src/platform/http/response-cache.ts';
import { serveCall } from '#src/platform/http/serve-call.ts';
import type { Services } from '#src/services.ts';

type Row = typeof reviews.$inferSelect;

export function registerReviews(app: FastifyInstance, { database, changes, clock, ids }: Services): void {
  const kept = keptAnswers(changes, 'reviews', 100);

  serveCall(app, listReviews, ({ query, request, reply }) => {
    const parameters = new URLSearchParams();
    if (query.limit) parameters.set('limit', String(query.limit));
    if (query.after) parameters.set('after', query.after);
    const address = parameters.size > 0 ? `${listReviews.path}?${parameters}` : listReviews.path;
    return kept.send(request, reply, address, async () => {
      const page = await findReviews(database.db, query.limit ?? PAGE_LIMIT, query.after);
      return { body: JSON.stringify(page.rows.map(toReview)), headers: pageHeaders(address, page) };
    });
  });

  serveCall(app, addReview, async ({ actor, body }) => {
    requireOwnEmail(actor, body.email);
    const id = ids.next();
    await changes.write(async (tx, changed) => {
      await tx.insert(reviews).values({
        id,
        userId: actor.userId,
        name: actor.name,
        ratingHalves: body.rating * 2,
        description: body.description,
        createdAt: clock.now(),
      });
      changed('reviews');
    });
    return { insertedId: id };
  });
}

function toReview(row: Row): Review {
  return {
    _id: row.id,
    name: row.name,
    rating: row.ratingHalves / 2,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
  };
}

async function findReviews(db: Executor, limit: number, after: string | undefined): Promise<Page<Row>> {
  const cursor = readCursor(after, ['instant', 'id']);
  const behind = cursor
    ? sql`(${reviews.createdAt}, ${reviews.id}) < (${cursor[0]}::timestamptz, ${cursor[1]}::uuid)`
    : undefined;
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(reviews)
      .where(and(behind))
      .orderBy(sql`${reviews.createdAt} desc, ${reviews.id} desc`)
      .limit(limit + 1),
    countUpTo(db, sql`select 1 from ${reviews}`),
  ]);
  return pageOf(rows, limit, total, (row) => [row.createdAt.toISOString(), row.id]);
}
