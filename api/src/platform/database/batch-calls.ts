import { Problem } from '#src/platform/core/problem.ts';

export interface BatchBounds {
  /** Items that one run may have; any number when absent. */
  maxItems?: number;
  /** Runs that may be at work at the same time; one when absent. */
  maxUnderWay?: number;
  /** How long an item may wait for its run to begin; for ever when absent. */
  maxWaitMs?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  sinceMs: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Calls that come while `run` is at work wait and then run together, in the order in which they came; a call that comes
 * while it is not goes at once. Each caller gets what the run with its item returns or throws. A failed run fails for
 * its callers alone.
 * @throws Problem `overloaded` to a caller whose item waited for longer than `maxWaitMs`; it is in no run then
 */
export function batchCalls<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result>,
  { maxItems = Infinity, maxUnderWay = 1, maxWaitMs = Infinity }: BatchBounds = {},
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;

  const beginRuns = () => {
    while (waiting.length > 0 && underWay < maxUnderWay) {
      const oldestMs = performance.now() - maxWaitMs;
      for (let first = waiting[0]; first && first.sinceMs < oldestMs; first = waiting[0]) {
        waiting.shift();
        first.reject(new Problem('overloaded', { retryAfterSeconds: 2 }));
      }
      if (waiting.length > 0) void runBatch(waiting.splice(0, maxItems));
    }
  };
  const runBatch = async (batch: readonly Waiting<Item, Result>[]) => {
    underWay += 1;
    try {
      const result = await run(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    underWay -= 1;
    beginRuns();
  };

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, sinceMs: performance.now(), resolve, reject });
    // Whatever comes in the same moment goes along.
    queueMicrotask(beginRuns);
    return promise;
  };
}
