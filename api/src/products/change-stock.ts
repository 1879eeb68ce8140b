import { MAX_STOCK } from '@parts-forge/contract/calls/bounds';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { Product } from '@parts-forge/contract/products/products';
import type { StockChange } from '@parts-forge/contract/products/stock';
import { Problem } from '#src/platform/core/problem.ts';
import { runOnce } from '#src/platform/database/run-once.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { type Write, type WriteServices, writeAs } from './add-product.ts';
import { insertStockNote, lockProduct, setStock } from './store.ts';

const stockEvents = { restock: 'stock-restocked', correction: 'stock-corrected' } as const;

/**
 * Adds to the stock, or sets it while it equals `was`. Idempotent by `key`.
 *
 * @throws Problem `not-found`, `above-stock`, `stock-changed` and `stock-limit` (with the present stock),
 *   `key-reused`
 */
export async function changeStock(
  services: WriteServices,
  administrator: Administrator,
  productId: string,
  change: StockChange,
  key: string,
): Promise<Product> {
  const now = services.clock.now();
  const request = { userId: administrator.userId, key, meaning: [productId, change], now };
  const { product } = await writeAs(services, administrator, (write) =>
    runOnce(write.tx, request, async () => {
      const { quantity: was } = await lockProduct(write.tx, productId);
      const move = {
        event: stockEvents[change.reason],
        productId,
        was,
        quantity: computeStock(was, change),
        why: change.note,
      };
      return { product: await writeStock(write, services, move) };
    }),
  );
  return product;
}

interface StockMove {
  event: (typeof stockEvents)[StockChange['reason']];
  productId: string;
  was: number;
  quantity: number;
  /** Kept beside the ledger, which has no free text. */
  why?: string | undefined;
}

/** With its line in the ledger. The caller holds the product's lock. */
export async function writeStock(
  { tx, changed, note }: Write,
  { clock, ids }: Pick<Platform, 'clock' | 'ids'>,
  { event, productId, was, quantity, why }: StockMove,
): Promise<Product> {
  const id = ids.next();
  const now = clock.now();
  const product = await setStock(tx, productId, quantity, now);
  await note({
    id,
    now,
    event,
    productId,
    stockChange: quantity - was,
    before: { quantity: was },
    after: { quantity },
  });
  if (why) await insertStockNote(tx, id, why);
  changed(`product:${productId}`, 'products');
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
