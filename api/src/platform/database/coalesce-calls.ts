import { Problem } from '#src/platform/core/problem.ts';

export interface CoalesceBounds<Item> {
  /** Items of one key never run concurrently, as they would wait for one lock. */
  readKey?: (item: Item) => string;
  maxItems?: number;
  maxUnderWay?: number;
  /** Fewer wait for a run's end or `maxLingerMs`, as larger statements share their cost. Default: one. */
  minItems?: number;
  maxLingerMs?: number;
  maxWaitMs?: number;
}

interface Waiting<Item, Result> {
  item: Item;
  key: string | null;
  sinceMs: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * A call runs at once when `run` is idle, otherwise it joins the next run, in order. A failed run fails
 * only its own callers.
 * @throws Problem `overloaded` after `maxWaitMs`; the item is then in no run
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
    // Calls of the same tick share the run.
    queueMicrotask(beginRuns);
    return promise;
  };
}

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
