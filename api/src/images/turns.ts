/** Waits for a turn. @returns ends it, to be called once @throws the signal's reason when that comes before the turn */
export type TakeTurn = (signal: AbortSignal) => Promise<() => void>;

/** Lets so many work at a time; a turn that ends goes to whoever has waited longest, before anybody who comes later. */
export function createTurns(max: number): TakeTurn {
  let free = max;
  const waiting = new Set<() => void>();
  const endTurn = () => {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  };
  return async (signal) => {
    signal.throwIfAborted();
    if (free > 0) free -= 1;
    else await waitForTurn(waiting, signal);
    return endTurn;
  };
}

/** Leaves the queue at once when the wait is over, either way: a turn that is handed over must not be lost. */
function waitForTurn(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      waiting.delete(begin);
      signal.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = () => {
      waiting.delete(begin);
      reject(signal.reason);
    };
    waiting.add(begin);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}
