import { Problem } from '#src/platform/core/problem.ts';

/** Per process, as an open file holds a database connection or rows in memory. */
const MAX_OPEN = 8;
/** So that nobody takes all places. */
const MAX_OPEN_PER_USER = 2;
const RETRY_SECONDS = 10;

export interface Places {
  /**
   * @returns a function that frees the place; call it once
   * @throws Problem `too-many` for the person, `overloaded` for the process
   */
  enter(userId: string): () => void;
}

export function createPlaces(): Places {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    enter(userId) {
      const count = counts.get(userId) ?? 0;
      if (count >= MAX_OPEN_PER_USER) {
        const detail = 'You are downloading other files at this moment.';
        throw new Problem('too-many', { detail, retryAfterSeconds: RETRY_SECONDS });
      }
      if (total >= MAX_OPEN) throw new Problem('overloaded', { retryAfterSeconds: RETRY_SECONDS });
      counts.set(userId, count + 1);
      total += 1;
      return () => {
        const left = (counts.get(userId) ?? 1) - 1;
        if (left > 0) counts.set(userId, left);
        else counts.delete(userId);
        total -= 1;
      };
    },
  };
}
