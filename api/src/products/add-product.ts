import { toCents } from '@parts-forge/contract/money';
import type { NewProduct } from '@parts-forge/contract/products';
import type { ChangeFeed } from '#src/platform/database/change-feed.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { insertProduct, notePhoneModels } from './store.ts';

/** Within `changes.write`. */
export type Write = Parameters<Parameters<ChangeFeed['write']>[0]>;

/**
 * Adds a part, with its stock as the first line of its ledger.
 * @param image as accepted by the image host, like `moreImages`
 * @returns its id
 * @throws Problem `number-taken`
 */
export const addProduct = (
  services: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  part: NewProduct & { moreImages?: string[] },
): Promise<string> =>
  services.changes.write(async (...write) => {
    await notePhoneModels(write[0], part.fits ?? []);
    return addWithin(write, services, part);
  });

/** As `addProduct`, in the caller's transaction, which notes the phone models. */
export async function addWithin(
  [tx, changed]: Write,
  { clock, ids }: Pick<Platform, 'clock' | 'ids'>,
  { price, images: _, priceBreaks, ...fields }: NewProduct & { moreImages?: string[] },
): Promise<string> {
  const id = ids.next();
  const now = clock.now();
  const { quantity, minimumOrder } = fields;
  const priceCents = toCents(price);
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
  return id;
}
