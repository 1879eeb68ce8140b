import * as z from 'zod/mini';
import { defineCall } from './call.ts';
import { messages } from './messages.ts';
import { pagingFields } from './paging.ts';
import { emailField, instant, text } from './text.ts';

/** Ratings run from 1 to 5 in steps of a half, 5 to begin with (specification §9). */
export const MIN_RATING = 1;
export const MAX_RATING = 5;
export const RATING_STEP = 0.5;
export const DEFAULT_RATING = 5;
export const RATINGS: readonly number[] = Array.from(
  { length: (MAX_RATING - MIN_RATING) / RATING_STEP + 1 },
  (_, step) => MIN_RATING + step * RATING_STEP,
);

export const reviewSchema = z.object({
  _id: z.string(),
  name: z.string(),
  rating: z.number(),
  description: z.string(),
  createdAt: instant,
});
/** A review as everyone sees it; the reviewer's email is not given out. */
export type Review = z.infer<typeof reviewSchema>;

export const newReviewSchema = z.object({
  email: emailField,
  name: z.optional(z.unknown()),
  rating: z
    .number('Rating is Required')
    .check(z.refine((value) => RATINGS.includes(value), 'Must be from 1 to 5 in steps of 0.5'))
    .register(z.globalRegistry, { minimum: MIN_RATING, maximum: MAX_RATING, multipleOf: RATING_STEP }),
  description: text({ min: 1, max: 1000, required: messages.reviewRequired, lines: true }),
});
export type NewReview = z.infer<typeof newReviewSchema>;

export const listReviews = defineCall({
  method: 'GET',
  path: '/review',
  caller: 'everyone',
  summary: 'List reviews',
  description: 'Newest first.',
  query: z.object(pagingFields),
  answer: z.array(reviewSchema),
});

export const addReview = defineCall({
  method: 'POST',
  path: '/review',
  caller: 'user',
  summary: 'Add a review',
  description: "The name is the account's.",
  body: newReviewSchema,
  answer: z.object({ insertedId: z.string() }),
  problems: ['not-yours'],
});
