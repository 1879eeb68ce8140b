import type { Product } from '@parts-forge/contract/products';
import { batchCalls } from '#src/platform/database/batch-calls.ts';
import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { createPartMemory } from './part-memory.ts';
import { findProductsOnSale } from './store.ts';

/** Parts in one statement, and statements under way. */
const MAX_TOGETHER = 64;
const MAX_UNDER_WAY = 8;
/** Fewer wait for others, but only beside a statement that is under way, and no longer than this. */
const MIN_BESIDE = 8;
const MAX_LINGER_MS = 1;

export interface PartReader {
  /** @returns the part; null when there is none or it was deleted */
  read(id: string): Promise<Product | null>;
  /** @returns the part as it is; null when that has to be read */
  find(id: string): Product | null;
}

/**
 * Reads single parts: from memory those of which everything is known, and else those that are asked for meanwhile together,
 * as after each order its part is read by somebody. Nobody is given what was read before they asked.
 */
export function createPartReader(
  database: Pick<Database, 'runPrepared'>,
  changes: Pick<ChangeFeed, 'isConnected' | 'subscribe'>,
): PartReader {
  const memory = createPartMemory(changes);
  const readTogether = batchCalls((ids: readonly string[]) => findProductsOnSale(database, ids), {
    maxItems: MAX_TOGETHER,
    maxUnderWay: MAX_UNDER_WAY,
    minItems: MIN_BESIDE,
    maxLingerMs: MAX_LINGER_MS,
  });
  const find = (id: string) => memory.find(id.toLowerCase())?.product ?? null;
  return {
    find,
    async read(askedId) {
      const known = find(askedId);
      if (known) return known;
      const id = askedId.toLowerCase();
      const keep = memory.begin(id);
      const part = (await readTogether(id)).get(id);
      if (part) keep(part);
      return part?.product ?? null;
    },
  };
}
