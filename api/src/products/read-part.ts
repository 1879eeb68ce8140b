import type { Product } from '@parts-forge/contract/products/products';
import { coalesceCalls } from '#src/platform/database/coalesce-calls.ts';
import type { Database } from '#src/platform/database/connection.ts';
import { findProductsOnSale } from './store.ts';

/** Fewer parts wait, but only beside a running statement. */
const batch = { maxItems: 64, maxUnderWay: 8, minItems: 8, maxLingerMs: 1 };

/** @returns a reader that batches concurrent reads; null for a missing or deleted part */
export function createPartReader(
  database: Pick<Database, 'runPrepared'>,
): (id: string) => Promise<Product | null> {
  const readTogether = coalesceCalls((ids: readonly string[]) => findProductsOnSale(database, ids), batch);
  return async (askedId) => {
    const id = askedId.toLowerCase();
    return (await readTogether(id)).get(id) ?? null;
  };
}
