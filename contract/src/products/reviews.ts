import * as z from 'zod/mini';
import { MAX_RATING, MAX_REVIEW, MIN_RATING, RATING_STEP, REVIEWS_PER_DAY } from '../calls/bounds.ts';
import { defineCall } from '../calls/call.ts';
import { messages } from '../calls/messages.ts';
import { pagingFields } from '../calls/paging.ts';
import { policies } from '../calls/policies.ts';
import { emailField, idParam, instant, text } from '../text/text.ts';

export const RATINGS: readonly number[] = Array.from(
  { length: (MAX_RATING - MIN_RATING) / RATING_STEP + 1 },
  (_, step) => MIN_RATING + step * RATING_STEP,
);

export const reviewSchema = z.object({
  _id: z.string(),
  name: z.string(),
  rating: z.number(),
  description: z.string(),
  verified: z
    .boolean()
    .check(z.describe('The customer has paid for an open order; seen at most half a minute later')),
  createdAt: instant,
});
export type Review = z.infer<typeof reviewSchema>;

export const newReviewSchema = z.object({
  email: emailField,
  name: z.optional(z.unknown().check(z.describe('Ignored'))),
  rating: z
    .number('Rating is Required')
    .check(
      z.refine(
        (value) => RATINGS.includes(value),
        `Must be from ${MIN_RATING} to ${MAX_RATING} in steps of ${RATING_STEP}`,
      ),
    )
    .register(z.globalRegistry, { minimum: MIN_RATING, maximum: MAX_RATING, multipleOf: RATING_STEP }),
  description: text({ min: 1, max: MAX_REVIEW, required: messages.reviewRequired, lines: true }),
});
export type NewReview = z.infer<typeof newReviewSchema>;

export const listReviews = defineCall({
  method: 'GET',
  path: '/review',
  tag: 'Reviews',
  policy: policies.listReviews,
  summary: 'List reviews',
  description: "Newest first, without the reviewer's email.",
  query: z.object(pagingFields),
  answer: z.array(reviewSchema),
  paged: 'rows',
  dependsOn: () => ['reviews'],
});

export const addReview = defineCall({
  method: 'POST',
  path: '/review',
  tag: 'Reviews',
  policy: policies.addReview,
  summary: 'Add a review',
  description: `The name is the account's. At most ${REVIEWS_PER_DAY} a day (429), unless \`RATE_LIMITS=off\`.`,
  body: newReviewSchema,
  answer: z.object({ insertedId: z.string() }),
  problems: ['not-yours'],
});

export const deleteReview = defineCall({
  method: 'DELETE',
  path: '/review/:id',
  tag: 'Reviews',
  policy: policies.deleteReview,
  summary: 'Remove a review',
  description: 'Gone for good. The trail keeps whose it was and who deleted it, not its text.',
  params: z.object({ id: idParam }),
  answer: z.object({ deletedCount: z.int() }),
  problems: ['not-found'],
});
