import { Problem } from '#src/platform/core/problem.ts';
import { createTally } from '#src/platform/core/tally.ts';

/** As an open file holds a database connection or rows in memory. */
const MAX_OPEN = 8;
/** So that nobody takes all places. */
const MAX_OPEN_PER_USER = 2;
const RETRY_SECONDS = 10;

/** The places of one process. */
export function createPlaces() {
  const open = createTally();
  return {
    /**
     * @returns a function that frees the place; call it once
     * @throws Problem `too-many` for the person, `overloaded` for the process
     */
    enter(userId: string): () => void {
      if (open.of(userId) >= MAX_OPEN_PER_USER) {
        const detail = 'You are downloading other files at this moment.';
        throw new Problem('too-many', { detail, retryAfterSeconds: RETRY_SECONDS });
      }
      if (open.total >= MAX_OPEN) throw new Problem('overloaded', { retryAfterSeconds: RETRY_SECONDS });
      return open.enter(userId);
    },
  };
}
