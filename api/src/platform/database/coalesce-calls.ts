import { Problem } from '#src/platform/core/problem.ts';

export interface CoalesceBounds<Item> {
  /** An item waits while a run is at work on one with the same key: they would only wait for each other there. */
  readKey?: (item: Item) => string;
  /** Items that one run may have; any number when absent. */
  maxItems?: number;
  /** Runs that may be at work at the same time; one when absent. */
  maxUnderWay?: number;
  /**
   * Items that are worth a further run beside those at work; one when absent. Fewer wait for others to come along, until
   * a run ends or `maxLingerMs` have passed. They are fewer statements then, and what each costs is shared by more.
   */
  minItems?: number;
  /** In milliseconds; 0 when absent. */
  maxLingerMs?: number;
  /** How long an item may wait for its run to begin; for ever when absent. */
  maxWaitMs?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  /** Null where nothing is in its way. */
  key: string | null;
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
export function coalesceCalls<Item, Result>(
  run: (items: readonly Item[]) => Promise<Result>,
  {
    readKey,
    maxItems = Infinity,
    maxUnderWay = 1,
    minItems = 1,
    maxLingerMs = 0,
    maxWaitMs = Infinity,
  }: CoalesceBounds<Item> = {},
): (item: Item) => Promise<Result> {
  const queue = createQueue<Item, Result>(maxItems, maxWaitMs);
  let underWay = 0;
  let isLingering = false;

  /** How long until the batch runs beside what is at work: no longer at all when it has items enough. */
  const readLingerMs = (batch: readonly Waiting<Item, Result>[]) =>
    underWay === 0 || batch.length >= minItems
      ? 0
      : (batch[0]?.sinceMs ?? 0) + maxLingerMs - performance.now();
  const beginRuns = () => {
    queue.refuseLate();
    while (underWay < maxUnderWay) {
      const batch = queue.findBatch();
      if (batch.length === 0) return;
      const lingerMs = readLingerMs(batch);
      if (lingerMs > 0) return beginLater(lingerMs);
      void runBatch(batch);
    }
  };
  const beginLater = (ms: number) => {
    if (isLingering) return;
    isLingering = true;
    setTimeout(() => {
      isLingering = false;
      beginRuns();
    }, ms);
  };
  const runBatch = async (batch: readonly Waiting<Item, Result>[]) => {
    underWay += 1;
    queue.take(batch);
    try {
      const result = await run(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve(result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    underWay -= 1;
    queue.release(batch);
    beginRuns();
  };

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    queue.add({ item, key: readKey?.(item) ?? null, sinceMs: performance.now(), resolve, reject });
    // Whatever comes in the same moment goes along.
    queueMicrotask(beginRuns);
    return promise;
  };
}

/** The items that wait, and the keys of those that a run is at work on. */
function createQueue<Item, Result>(maxItems: number, maxWaitMs: number) {
  const waiting = new Set<Waiting<Item, Result>>();
  const keysAtWork = new Set<string>();
  return {
    add: (next: Waiting<Item, Result>) => waiting.add(next),
    refuseLate() {
      const oldestMs = performance.now() - maxWaitMs;
      for (const late of waiting) {
        if (late.sinceMs >= oldestMs) return;
        waiting.delete(late);
        late.reject(new Problem('overloaded', { retryAfterSeconds: 2 }));
      }
    },
    /** Those that could run now, in the order in which they came. */
    findBatch() {
      const batch: Waiting<Item, Result>[] = [];
      for (const next of waiting) {
        if (batch.length === maxItems) break;
        if (next.key === null || !keysAtWork.has(next.key)) batch.push(next);
      }
      return batch;
    },
    take(batch: readonly Waiting<Item, Result>[]) {
      for (const taken of batch) {
        waiting.delete(taken);
        if (taken.key !== null) keysAtWork.add(taken.key);
      }
    },
    release(batch: readonly Waiting<Item, Result>[]) {
      for (const { key } of batch) if (key !== null) keysAtWork.delete(key);
    },
  };
}
