import type { EventEmitter } from 'node:events';
import { Problem } from '#src/platform/core/problem.ts';
import { createTurns } from './turns.ts';

interface Bounds {
  /** Uploads that are taken in at a time. */
  places: number;
  /** Further ones that wait for a place, in the order they came. */
  waiting: number;
  /** For so long, in milliseconds. */
  waitMs: number;
}

/**
 * Uploads that are taken in at a time, those on the way included, as each has a file on the disk, and one from a storage is in memory whole. Further
 * ones wait with their bodies unread: whoever is told to send megabytes again makes the shop read them again, which
 * held up everybody else.
 */
export const uploadPlaces: Bounds = { places: 4, waiting: 20, waitMs: 20_000 };

/**
 * Waits for a place for an upload.
 * @param connection says `close` when the answer was taken or nobody waits for it any more; the place is free then
 * @returns aborted when the place is free again
 * @throws Problem `overloaded` when too many wait, or this one has waited too long
 */
export type TakePlace = (connection: Pick<EventEmitter, 'once'>) => Promise<AbortSignal>;

export function createPlaces({ places, waiting, waitMs }: Bounds): TakePlace {
  const takeTurn = createTurns(places);
  let underWay = 0;
  return async (connection) => {
    if (underWay >= places + waiting) throw tooManyUploads();
    underWay += 1;
    const gone = new AbortController();
    const { signal } = gone;
    let endTurn: (() => void) | undefined;
    connection.once('close', () => {
      underWay -= 1;
      gone.abort();
      endTurn?.();
    });
    const waitEnds = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    endTurn = await takeTurn(waitEnds).catch(() => undefined);
    if (signal.aborted) endTurn?.();
    else if (!endTurn) throw tooManyUploads();
    return signal;
  };
}

const tooManyUploads = () =>
  new Problem('overloaded', {
    detail: 'Other pictures are being taken in. Try again in a moment.',
    retryAfterSeconds: 5,
  });
