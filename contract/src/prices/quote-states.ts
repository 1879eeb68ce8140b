/** No imports, so that a page loads no validation library. */

/** A quote ends once: by its answer, or by who asked for it. */
export const QUOTE_STATES = ['asked', 'answered', 'declined', 'withdrawn'] as const;
export type QuoteState = (typeof QUOTE_STATES)[number];
