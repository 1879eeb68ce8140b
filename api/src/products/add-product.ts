import { toCents } from '@parts-forge/contract/money/money';
import type { NewProduct } from '@parts-forge/contract/products/products';
import type { ChangeTag } from '#src/platform/database/change-feed.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { type NewEntry, writeEntry } from '#src/trail/write-entry.ts';
import { insertProduct, notePhoneModels, refuseNumbers, refuseSuccessor } from './store.ts';

/** Runs within the transaction of `changes.write`. */
export interface Write {
  tx: Executor;
  changed: (...tags: ChangeTag[]) => void;
  /** Writes an entry of the trail, at once or before the transaction ends. */
  note(entry: NewEntry): unknown;
}

/**
 * Adds a part, with its stock as the first line of its ledger.
 * @param image as accepted by the image host, like `moreImages`
 * @returns its id
 * @throws Problem `number-taken`, `invalid` for another name that is the number of a part, or a successor that is none
 */
export const addProduct = (
  services: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  administrator: Administrator,
  part: NewProduct & { moreImages?: string[] },
): Promise<string> =>
  services.changes.write(async (tx, changed) => {
    await administrator.confirm(tx);
    await refuseNumbers(tx, part.alsoKnownAs);
    await refuseSuccessor(tx, part.replacedBy);
    await notePhoneModels(tx, part.fits ?? []);
    return addWithin({ tx, changed, note: (entry) => writeEntry(tx, entry) }, services, part);
  });

/** As `addProduct`, in the caller's transaction, which notes the phone models. */
export async function addWithin(
  { tx, changed, note }: Write,
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
  await note({
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
