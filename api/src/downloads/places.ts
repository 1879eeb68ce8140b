import { Problem } from '#src/platform/core/problem.ts';

/** Files that one process writes at a time: each holds a connection to the database or rows in memory until it has gone. */
const MAX_OPEN = 8;
/** Of these for one person, so that nobody holds all of them. */
const MAX_OPEN_PER_USER = 2;
const RETRY_SECONDS = 10;

/** The places for files that are written at this moment. */
export interface Places {
  /**
   * @returns to be called once, when the file has gone
   * @throws Problem `too-many` when the person has too many files, `overloaded` when all together have
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
