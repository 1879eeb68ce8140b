import { setTimeout as wait } from 'node:timers/promises';

/** Nobody waits longer for what was begun before; it may hang. */
const MAX_WAIT_MS = 5_000;

/**
 * Makes one thing at a time for each key, and gives nobody what was begun before they asked: whoever asks while it is
 * being made shares the next one with all others who do.
 */
export function createShareNext<T>(): (key: string, make: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  const waiting = new Map<string, Promise<T>>();

  function begin(key: string, make: () => Promise<T>): Promise<T> {
    const making = make();
    underWay.set(key, making);
    const end = () => void (underWay.get(key) === making && underWay.delete(key));
    making.then(end, end);
    return making;
  }

  return (key, make) => {
    const former = underWay.get(key);
    const next = waiting.get(key);
    if (next) return next;
    if (!former) return begin(key, make);
    const formerEnds = former.then(
      () => {},
      () => {},
    );
    const shared = Promise.race([formerEnds, wait(MAX_WAIT_MS, undefined, { ref: false })]).then(() => {
      waiting.delete(key);
      return begin(key, make);
    });
    waiting.set(key, shared);
    return shared;
  };
}
