/** Apart from the table in `problems.ts`, so that a first page does not load it. */

/** Also used without the table. */
export const titles = {
  'sign-in-needed': 'Sign in first',
  internal: 'Something went wrong on our side',
  'provider-broken': 'The payment provider gave no usable answer',
} as const;

export const TYPE_PREFIX = 'urn:parts-forge:problem:';

/** Null when the answer is not the shop's. */
export const readProblemType = (type: unknown): string | null =>
  typeof type === 'string' && type.startsWith(TYPE_PREFIX) ? type.slice(TYPE_PREFIX.length) : null;
