import type { Product } from '@parts-forge/contract/products';
import { coalesceCalls } from '#src/platform/database/coalesce-calls.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { findProductsOnSale } from './store.ts';

/** Fewer parts wait for others, but only beside a statement that is under way, and for a millisecond at most. */
const batch = { maxItems: 64, maxUnderWay: 8, minItems: 8, maxLingerMs: 1 };

/** @returns reads a part, concurrent ones in one statement; null for one that does not exist or was deleted */
export function createPartReader(
  database: Pick<Database, 'runPrepared'>,
): (id: string) => Promise<Product | null> {
  const readTogether = coalesceCalls((ids: readonly string[]) => findProductsOnSale(database, ids), batch);
  return async (askedId) => {
    const id = askedId.toLowerCase();
    return (await readTogether(id)).get(id) ?? null;
  };
}
