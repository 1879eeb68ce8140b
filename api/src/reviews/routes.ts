import {
  addReview as addReviewCall,
  deleteReview as deleteReviewCall,
  listReviews,
} from '@parts-forge/contract/products/reviews';
import type { FastifyInstance } from 'fastify';
import { requireOwnEmail } from '#src/platform/http/calls/access.ts';
import { serveCall, serveList } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { addReview } from './add-review.ts';
import { deleteReview } from './delete-review.ts';
import type { Payers } from './payers.ts';
import { findReviews } from './store.ts';

export function registerReviews(app: FastifyInstance, platform: Platform, payers: Payers): void {
  serveList(app, listReviews, ({ query }) => findReviews(platform.database.db, payers, query));

  serveCall(app, addReviewCall, async ({ actor, body }) => {
    requireOwnEmail(addReviewCall, actor, body.email);
    return { insertedId: await addReview(platform, actor, body) };
  });

  serveCall(app, deleteReviewCall, async ({ actor, params: { id } }) => {
    await deleteReview(platform, actor, id);
    return { deletedCount: 1 };
  });
}
