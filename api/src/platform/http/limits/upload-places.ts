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

/** Of one sender, so that others find a place. Administrators have no such bound. */
const MOST_OF_ONE = 2;

/**
 * The response's end or a disconnect frees the place.
 * @param sender id of who may have two at once, waiting ones included; absent: as many as there are
 * @returns aborts when the place is free again
 * @throws Problem `too-many` when the sender has two, `overloaded` when the queue is full or the wait too long
 */
export type TakePlace = (connection: Pick<EventEmitter, 'once'>, sender?: string) => Promise<AbortSignal>;

export function createPlaces({ places, waiting, waitMs }: Bounds): TakePlace {
  const takeTurn = createTurns(places);
  const underWay: { sender: string | undefined }[] = [];
  return async (connection, sender) => {
    const own = underWay.filter((each) => sender !== undefined && each.sender === sender);
    if (own.length >= MOST_OF_ONE) throw tooManyOfOne();
    if (underWay.length >= places + waiting) throw tooManyUploads();
    const upload = { sender };
    underWay.push(upload);
    const gone = new AbortController();
    const { signal } = gone;
    let endTurn: (() => void) | undefined;
    const end = () => {
      if (signal.aborted) return;
      underWay.splice(underWay.indexOf(upload), 1);
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

const RETRY_SECONDS = 5;

const tooManyUploads = () =>
  new Problem('overloaded', {
    detail: 'Other files are being received. Try again in a moment.',
    retryAfterSeconds: RETRY_SECONDS,
  });

const tooManyOfOne = () =>
  new Problem('too-many', {
    detail: 'Two of your files are being read. Send the next one after them.',
    retryAfterSeconds: RETRY_SECONDS,
  });
