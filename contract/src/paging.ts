import * as z from 'zod/mini';

/** How many rows a list answers with, at most and when nothing is said (contract, "Ground rules"). */
export const PAGE_LIMIT = 100;
/** Matches are counted exactly up to here; above, `X-Total-Count` is `10000+`. */
export const COUNTED_TO = 10_000;

/** A whole number in a query string. Written as digits only; `1e2`, `+5` or an empty value are refused. */
const limitField = z
  .pipe(
    z.string().check(z.regex(/^[1-9][0-9]{0,2}$/, `Must be a whole number from 1 to ${PAGE_LIMIT}`)),
    z.pipe(
      z.transform(Number),
      z
        .int()
        .check(
          z.gte(1, `Must be a whole number from 1 to ${PAGE_LIMIT}`),
          z.lte(PAGE_LIMIT, `Must be a whole number from 1 to ${PAGE_LIMIT}`),
        ),
    ),
  )
  .register(z.globalRegistry, { type: 'integer', minimum: 1, maximum: PAGE_LIMIT, pattern: undefined });

/** Longer than any cursor: a name of 120 characters of four bytes each gives 700. */
const MAX_CURSOR = 800;

/** `?limit=` and `?after=` of every list. `after` is the opaque cursor of the previous answer. */
export const pagingFields = {
  limit: z.optional(limitField),
  after: z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_CURSOR))),
};

/** `?q=`: a search text, every character literal; empty means none. */
export const searchField = z.optional(
  z.string().check(z.maxLength(120, 'Must be no more than 120 characters')),
);
