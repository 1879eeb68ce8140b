import { MAX_BATCH_LINES, MAX_STOCK } from '@parts-forge/contract/calls/bounds';
import type { LineRow, NewLine } from './store.ts';

/** `above-limit`: more than the largest possible stock. */
export type LeftOut = 'batch-full' | 'above-limit';

/** @param known the batch's lines, locked by the caller, who writes `added` */
export function addToBatch(known: readonly LineRow[], additions: readonly NewLine[]) {
  const quantities = new Map(known.map(({ productId, quantity }) => [productId, quantity]));
  const added = new Map<string, NewLine>();
  const leftOut = new Map<NewLine, LeftOut>();
  for (const addition of additions) {
    const { product, quantity } = addition;
    const before = quantities.get(product._id);
    if (before === undefined && quantities.size >= MAX_BATCH_LINES) {
      leftOut.set(addition, 'batch-full');
      continue;
    }
    const sum = (before ?? 0) + quantity;
    if (sum > MAX_STOCK) {
      leftOut.set(addition, 'above-limit');
      continue;
    }
    quantities.set(product._id, sum);
    added.set(product._id, { product, quantity: sum });
  }
  return { added: [...added.values()], leftOut };
}
