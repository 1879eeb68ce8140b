import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Whoever is counted is remembered up to this number; the one that asked longest ago is forgotten first. */
const MAX_REMEMBERED = 5_000;

/** The requests of one address, or account, in the window that is open. */
export interface LocalCount {
  readonly key: Buffer;
  /** Of this process and, as far as they were heard of, of the others. */
  count: number;
  /** Those of this process that the others have not heard of. */
  untold: number;
  /** On the clock of `performance.now()`, which nobody sets. */
  endsAtMs: number;
  readonly windowMs: number;
}

/** What this process counts of one limit. */
export interface LocalCounts {
  /** Counts a request. */
  add(who: string, windowMs: number): LocalCount;
  /** Those whose window is open and of which so many are untold. */
  listUntold(atLeast: number): LocalCount[];
}

/** @param limit under which name all processes count it */
export function createLocalCounts(limit: string): LocalCounts {
  const counts = new LRUCache<string, LocalCount>({ max: MAX_REMEMBERED });
  return {
    add(who, windowMs) {
      const now = performance.now();
      let count = counts.get(who);
      if (!count || count.endsAtMs <= now) {
        const key = count?.key ?? createHash('sha256').update(`${limit}\n${who}`).digest();
        count = { key, count: 0, untold: 0, endsAtMs: now + windowMs, windowMs };
        counts.set(who, count);
      }
      count.count += 1;
      count.untold += 1;
      return count;
    },
    listUntold(atLeast) {
      const now = performance.now();
      return [...counts.values()].filter(
        ({ count, untold, endsAtMs }) => untold > 0 && count >= atLeast && endsAtMs > now,
      );
    },
  };
}
