import { expect, test } from 'vitest';
import * as bounds from './bounds.ts';

// Written by hand from the specification (§5, §9) and the contract ("Fields and their bounds", "Ground rules"): a
// changed bound is a changed document.
test('the bounds are those of the specification and the contract', () => {
  expect({ ...bounds }).toEqual({
    MAX_NAME: 120,
    MAX_EMAIL: 254,
    MIN_PASSWORD: 6,
    MAX_PASSWORD: 128,
    MIN_ADMIN_PASSWORD: 12,
    MAX_PROFILE_TEXT: 200,
    MAX_PROFILE_PHONE: 40,
    MAX_LINKDIN: 300,
    MAX_DESCRIPTION: 2000,
    MIN_PRICE: 1,
    MAX_PRICE: 100_000,
    MIN_STOCK: 0,
    MIN_NEW_STOCK: 1000,
    MAX_STOCK: 100_000_000,
    MIN_MINIMUM_ORDER: 50,
    MAX_MINIMUM_ORDER: 1_000_000,
    MAX_IMAGE_ADDRESS: 2048,
    MAX_ADDRESS: 500,
    MIN_PHONE: 5,
    MAX_PHONE: 20,
    MAX_TOTAL_CENTS: 99_999_999,
    MAX_REFUND_REASON: 200,
    MAX_IDEMPOTENCY_KEY: 255,
    MAX_REVIEW: 1000,
    MIN_RATING: 1,
    MAX_RATING: 5,
    RATING_STEP: 0.5,
    DEFAULT_RATING: 5,
    FEATURED_PARTS: 3,
    CARD_DESCRIPTION: 90,
    PAGE_LIMIT: 100,
    PAGE_SIZE: 24,
    COUNTED_TO: 10_000,
    MAX_CURSOR: 800,
    MAX_SEARCH: 120,
    MAX_JSON_BYTES: 65_536,
    MAX_IMAGE_BYTES: 10_485_760,
    IMAGE_TYPES: ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'],
    IMAGE_WIDTHS: [160, 320, 640, 1280],
  });
});
