import type { joinBatch as joinBatchCall, LeftLine } from '@parts-forge/contract/orders/batch';
import { idPattern } from '@parts-forge/contract/text/text';
import type { z } from 'zod';
import { runOnce } from '#src/platform/database/run-once.ts';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProductsById } from '#src/products/store.ts';
import { addToBatch } from './add-to-batch.ts';
import { lockOwnLines, type NewLine, writeLines } from './store.ts';

type Join = z.output<NonNullable<(typeof joinBatchCall)['body']>>;

/**
 * Adds a browser's list once, however often it is sent.
 * @returns the lines that were left out, with reasons
 */
export async function joinBatch(
  { database: { db }, ...platform }: Pick<Platform, 'config' | 'database' | 'clock'>,
  customer: Customer,
  { join, lines }: Join,
): Promise<LeftLine[]> {
  // An empty join needs no record.
  if (lines.length === 0) return [];
  const ids = lines.map(({ productId }) => productId.toLowerCase());
  const products = await findProductsById(
    db,
    ids.filter((id) => idPattern.test(id)),
  );
  const gone: LeftLine[] = [];
  const additions: NewLine[] = [];
  for (const { productId, quantity } of lines) {
    const { product, isDeleted = true } = products.get(productId.toLowerCase()) ?? {};
    if (product && !isDeleted) additions.push({ product, quantity });
    else gone.push({ productId, ...(product && { name: product.name }), reason: 'gone' });
  }
  const { userId } = customer;
  // No header has a key with a space. A repeat with other lines is no refusal.
  const request = { userId, key: `join ${join}`, meaning: 'join', now: platform.clock.now() };
  const { leftOut } = await db.transaction(async (tx) => {
    const result = addToBatch(await lockOwnLines(tx, customer), additions);
    // The answer to the first request may be lost.
    await runOnce(tx, request, async () => {
      await writeLines(tx, platform, userId, result.added);
      return {};
    });
    return result;
  });
  const left = [...leftOut].map(([{ product }, reason]) => ({
    productId: product._id,
    name: product.name,
    reason,
  }));
  return [...gone, ...left];
}
