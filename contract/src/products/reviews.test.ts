import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { refusals, textsAround } from '../../test/schema.ts';
import { newReviewSchema, RATINGS, reviewSchema } from './reviews.ts';

const review = { email: 'a@b.co', rating: 5, description: 'Good.' };
const refuse = (change: object) => refusals(newReviewSchema, { ...review, ...change });

describe('a review', () => {
  test('is rated from 1.0 to 5.0 in steps of 0.5', () => {
    expect(RATINGS).toEqual([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]);
    for (const rating of RATINGS) expect(refuse({ rating })).toEqual({});
  });

  test.each([0, 0.5, 1.25, 4.75, 5.5, -1])('refuses the rating %d', (rating) => {
    expect(refuse({ rating })).toEqual({ rating: 'Must be from 1 to 5 in steps of 0.5' });
  });

  test.each(['5', null, undefined, Number.NaN])('requires a number as rating: %o', (rating) => {
    expect(refuse({ rating })).toEqual({ rating: 'Rating is Required' });
  });

  test('describes the bounds of the rating', () => {
    const { properties } = z.toJSONSchema(newReviewSchema, { io: 'input', unrepresentable: 'any' });
    expect(properties?.rating).toMatchObject({ type: 'number', minimum: 1, maximum: 5, multipleOf: 0.5 });
  });

  test('has a text of at most 1000 characters, with lines', () => {
    const [, longest, tooLong] = textsAround(1000);
    expect(refuse({ description: 'x' })).toEqual({});
    expect(refuse({ description: longest })).toEqual({});
    expect(refuse({ description: tooLong })).toEqual({ description: 'Must be no more than 1000 characters' });
    expect(newReviewSchema.parse({ ...review, description: ' a\nb ' }).description).toBe('a\nb');
  });

  test('names missing fields', () => {
    expect(refusals(newReviewSchema, {})).toEqual({
      email: 'Email is Required',
      rating: 'Rating is Required',
      description: 'Review is Required',
    });
    expect(refuse({ description: ' ' })).toEqual({ description: 'Review is Required' });
  });

  test("hides the reviewer's email", () => {
    expect(Object.keys(reviewSchema.shape)).not.toContain('email');
  });
});
