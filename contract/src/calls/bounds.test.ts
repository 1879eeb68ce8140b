import { expect, test } from 'vitest';
import * as bounds from './bounds.ts';

// Typed by hand.
test('the bounds are those of the specification (§5, §9)', () => {
  expect(bounds).toMatchObject({
    MIN_PASSWORD: 6,
    MIN_PRICE: 1,
    MIN_NEW_STOCK: 1000,
    MIN_MINIMUM_ORDER: 50,
    MIN_RATING: 1,
    MAX_RATING: 5,
    RATING_STEP: 0.5,
    DEFAULT_RATING: 5,
    FEATURED_PARTS: 3,
    CARD_DESCRIPTION: 90,
  });
});
