import * as z from 'zod/mini';
import { cleanText, tooLong } from '../text/text.ts';
import { MAX_CURSOR, MAX_SEARCH, PAGE_LIMIT } from './bounds.ts';

const notALimit = `Must be a whole number from 1 to ${PAGE_LIMIT}`;

/** Digits only: `1e2`, `+5` and an empty value are refused. */
const limitField = z
  .pipe(
    z.string().check(z.regex(/^[1-9][0-9]{0,2}$/, notALimit)),
    z.pipe(z.transform(Number), z.int().check(z.gte(1, notALimit), z.lte(PAGE_LIMIT, notALimit))),
  )
  .register(z.globalRegistry, { type: 'integer', minimum: 1, maximum: PAGE_LIMIT, pattern: undefined });

/** `after` is the previous answer's opaque cursor. */
export const pagingFields = {
  limit: z.optional(limitField),
  after: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_CURSOR))),
};

/** An empty text searches for nothing. */
export const searchField = z.optional(
  z.string().check(
    z.maxLength(MAX_SEARCH, tooLong(MAX_SEARCH)),
    z.overwrite((value) => cleanText(value, false)),
  ),
);
