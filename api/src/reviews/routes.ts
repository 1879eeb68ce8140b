import { addReview, listReviews } from '@parts-forge/contract/reviews';
import type { FastifyInstance } from 'fastify';
import { requireOwnEmail } from '#src/platform/http/access.ts';
import { serveCall, serveList } from '#src/platform/http/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findReviews, insertReview } from './store.ts';

export function registerReviews(app: FastifyInstance, { publicReads, changes, clock, ids }: Platform): void {
  serveList(app, listReviews, ({ query, dependencies }) =>
    publicReads.run(dependencies, (reader) => findReviews(reader, query)),
  );

  serveCall(app, addReview, async ({ actor, body }) => {
    requireOwnEmail(addReview, actor, body.email);
    const id = ids.next();
    await changes.write(async (tx, changed) => {
      await insertReview(tx, {
        id,
        userId: actor.userId,
        name: actor.name,
        rating: body.rating,
        description: body.description,
        now: clock.now(),
      });
      changed('reviews');
    });
    return { insertedId: id };
  });
}
