/**
 * What every page needs of the refusals. It stands apart from their table (`problems.ts`), so that a visitor's first page
 * does not load that.
 */

/** Texts of the table that pages show on their own as well. */
export const titles = {
  'sign-in-needed': 'Sign in first',
  internal: 'Something went wrong on our side',
  'provider-broken': 'The payment provider gave no usable answer',
} as const;

/** What the `type` of every refusal begins with; the code follows. */
export const TYPE_PREFIX = 'urn:parts-forge:problem:';

/** What stands in the place of the code; null when the answer is not one of ours. */
export const readProblemType = (type: unknown): string | null =>
  typeof type === 'string' && type.startsWith(TYPE_PREFIX) ? type.slice(TYPE_PREFIX.length) : null;
