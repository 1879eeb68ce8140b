/** The returned function ends the turn. @throws the signal's reason */
export type TakeTurn = (signal?: AbortSignal) => Promise<() => void>;

/** First come, first served. */
export function createTurns(max: number): TakeTurn {
  let free = max;
  const waiting = new Set<() => void>();
  const endTurn = () => {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  };
  return async (signal) => {
    signal?.throwIfAborted();
    if (free > 0) free -= 1;
    else await waitForTurn(waiting, signal);
    return endTurn;
  };
}

/** Leaves the queue when aborted, so that no turn is lost. */
function waitForTurn(waiting: Set<() => void>, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      waiting.delete(begin);
      signal?.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = () => {
      waiting.delete(begin);
      reject(signal?.reason);
    };
    waiting.add(begin);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
