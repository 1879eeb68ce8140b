import type { EventEmitter } from 'node:events';
import { Problem } from '#src/platform/core/problem.ts';
import { createTurns } from '#src/platform/core/turns.ts';

interface Bounds {
  places: number;
  waiting: number;
  waitMs: number;
}

/**
 * A picture has a file on disk, a file of parts is in memory. Waiting ones stay unread: a refused client would
 * send its megabytes again.
 */
export const uploadPlaces: Bounds = { places: 4, waiting: 20, waitMs: 20_000 };

/**
 * The response's end or a disconnect frees the place.
 * @returns aborts when the place is free again
 * @throws Problem `overloaded` when the queue is full or the wait too long
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
    const end = () => {
      if (signal.aborted) return;
      underWay -= 1;
      gone.abort();
      endTurn?.();
    };
    connection.once('finish', end);
    connection.once('close', end);
    const waitEnds = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
    endTurn = await takeTurn(waitEnds).catch(() => undefined);
    if (signal.aborted) endTurn?.();
    else if (!endTurn) throw tooManyUploads();
    return signal;
  };
}

const tooManyUploads = () =>
  new Problem('overloaded', {
    detail: 'Other files are being received. Try again in a moment.',
    retryAfterSeconds: 5,
  });
