import { MAX_STOCK } from '@parts-forge/contract/calls/bounds';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { Product } from '@parts-forge/contract/products/products';
import type { StockChange } from '@parts-forge/contract/products/stock';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { runOnce } from '#src/platform/database/run-once.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { insertStockNote, lockStock, setStock } from './store.ts';

export const stockEvents = { restock: 'stock-restocked', correction: 'stock-corrected' } as const;

/**
 * Adds to the stock, or sets it while it equals `was`. Idempotent by `key`.
 *
 * @throws Problem `not-found`, `above-stock`, `stock-changed` and `stock-limit` (with the present stock),
 *   `key-reused`
 */
export async function changeStock(
  { changes, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  administrator: Administrator,
  productId: string,
  change: StockChange,
  key: string,
): Promise<Product> {
  const now = clock.now();
  const request = { userId: administrator.userId, key, meaning: [productId, change], now };
  const { product } = await changes.write(async (tx, changed) => {
    await administrator.confirm(tx);
    return runOnce(tx, request, async () => {
      const was = await lockStock(tx, productId);
      if (was === null) throw new Problem('not-found');
      const quantity = computeStock(was, change);
      const entryId = ids.next();
      const event = stockEvents[change.reason];
      const changedProduct = await writeStock(tx, { entryId, now, event, productId, was, quantity });
      if (change.note) await insertStockNote(tx, entryId, change.note);
      changed(`product:${productId}`, 'products');
      return { product: changedProduct };
    });
  });
  return product;
}

interface StockMove {
  entryId: string;
  now: Date;
  event: (typeof stockEvents)[StockChange['reason']];
  productId: string;
  was: number;
  quantity: number;
}

/** With its line in the ledger. The caller holds the product's lock. */
export async function writeStock(
  tx: Executor,
  { entryId, now, event, productId, was, quantity }: StockMove,
): Promise<Product> {
  const product = await setStock(tx, productId, quantity, now);
  await writeEntry(tx, {
    id: entryId,
    now,
    event,
    productId,
    stockChange: quantity - was,
    before: { quantity: was },
    after: { quantity },
  });
  return product;
}

/** @throws Problem `stock-changed`, or as `addToStock` */
function computeStock(stock: number, { add, set, was }: StockChange): number {
  if (set === undefined) return addToStock(stock, add ?? 0);
  if (stock !== was) {
    throw new Problem('stock-changed', {
      detail: `There are ${formatPieces(stock)} in stock now.`,
      quantity: stock,
    });
  }
  return set;
}

/** @throws Problem `above-stock` for a negative result, `stock-limit` */
export function addToStock(stock: number, add: number): number {
  const quantity = stock + add;
  if (quantity < 0) {
    throw new Problem('above-stock', {
      detail: `There are only ${formatPieces(stock)} in stock.`,
      quantity: stock,
    });
  }
  if (add > 0 && quantity > MAX_STOCK) {
    throw new Problem('stock-limit', {
      detail: `The stock can be no more than ${formatPieces(MAX_STOCK)}.`,
      quantity: stock,
    });
  }
  return quantity;
}
