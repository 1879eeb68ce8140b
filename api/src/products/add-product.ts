import { toCents } from '@parts-forge/contract/money';
import type { NewProduct } from '@parts-forge/contract/products';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { insertProduct } from './store.ts';

/**
 * Adds a part, with its stock as the first line of its ledger.
 * @param image as accepted by the image host, like `moreImages`
 * @returns its id
 * @throws Problem `number-taken`
 */
export async function addProduct(
  { changes, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  { price, images: _, priceBreaks, ...fields }: NewProduct & { moreImages?: string[] },
): Promise<string> {
  const id = ids.next();
  const { quantity, minimumOrder } = fields;
  const priceCents = toCents(price);
  await changes.write(async (tx, changed) => {
    const now = clock.now();
    await insertProduct(tx, {
      ...fields,
      id,
      priceCents,
      priceBreaks: priceBreaks?.map((each) => ({ quantity: each.quantity, priceCents: toCents(each.price) })),
      now,
    });
    await writeEntry(tx, {
      id: ids.next(),
      now,
      event: 'product-added',
      productId: id,
      stockChange: quantity,
      after: { priceCents, quantity, minimumOrder },
    });
    changed(`product:${id}`, 'products', 'catalogue');
  });
  return id;
}
