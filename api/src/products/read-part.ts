import type { CacheTag } from '@parts-forge/contract/call';
import type { Product } from '@parts-forge/contract/products';
import { requestContext } from '#src/platform/core/request-context.ts';
import { batchCalls } from '#src/platform/database/batch-calls.ts';
import type { PublicReads } from '#src/platform/database/public-reads.ts';
import { findProductsOnSale } from './store.ts';

/** Parts in one statement, and statements under way. */
const MAX_TOGETHER = 64;
const MAX_UNDER_WAY = 8;
/** Fewer wait for others, but only beside a statement that is under way, and no longer than this. */
const MIN_BESIDE = 8;
const MAX_LINGER_MS = 1;

interface Asked {
  id: string;
  /** What the answer shows. */
  tags: readonly CacheTag[];
  readsOwnWrites: boolean;
}

/**
 * Reads single parts, those that are asked for meanwhile together: after each order its part is read by somebody. Nobody
 * is given what was read before they asked.
 * @returns the part; null when there is none or it was deleted
 */
export function createPartReader(
  publicReads: Pick<PublicReads, 'run'>,
): (id: string, tags: readonly CacheTag[]) => Promise<Product | null> {
  const readTogether = batchCalls(
    (asked: readonly Asked[]) => {
      // On the primary for all where one of them has just written.
      const readsOwnWrites = asked.some((each) => each.readsOwnWrites);
      return requestContext.run({ ...requestContext.current(), readsOwnWrites }, () =>
        publicReads.run(
          asked.flatMap(({ tags }) => tags),
          (_db, database) =>
            findProductsOnSale(
              database,
              asked.map(({ id }) => id),
            ),
          (found) => asked.every(({ id }) => found.has(id.toLowerCase())),
        ),
      );
    },
    {
      maxItems: MAX_TOGETHER,
      maxUnderWay: MAX_UNDER_WAY,
      minItems: MIN_BESIDE,
      maxLingerMs: MAX_LINGER_MS,
    },
  );
  return async (id, tags) => {
    const { readsOwnWrites = false } = requestContext.current();
    return (await readTogether({ id, tags, readsOwnWrites })).get(id.toLowerCase()) ?? null;
  };
}
