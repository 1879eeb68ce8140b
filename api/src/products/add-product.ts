import { toCents } from '@parts-forge/contract/money/money';
import type { NewProduct } from '@parts-forge/contract/products/products';
import type { ChangeTag } from '#src/platform/database/change-feed.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Actor, type Administrator, actAs } from '#src/platform/http/calls/access.ts';
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

export type WriteServices = Pick<Platform, 'changes' | 'clock' | 'ids'>;

/** A transaction of its own, which first confirms the actor. */
export const writeAs = <Done>(
  { changes }: Pick<Platform, 'changes'>,
  actor: Actor,
  work: (write: Write) => Promise<Done>,
): Promise<Done> =>
  actAs(changes, actor, (tx, changed) => work({ tx, changed, note: (entry) => writeEntry(tx, entry) }));

/**
 * Adds a part, with its stock as the first line of its ledger.
 * @param part with pictures as accepted by the image host
 * @returns its id
 * @throws Problem `number-taken`, `invalid` for another name that is the number of a part, or a successor that is none
 */
export const addProduct = (
  services: WriteServices,
  administrator: Administrator,
  part: NewProduct,
): Promise<string> =>
  writeAs(services, administrator, async (write) => {
    await refuseNumbers(write.tx, part.alsoKnownAs);
    await refuseSuccessor(write.tx, part.replacedBy);
    await notePhoneModels(write.tx, part.fits ?? []);
    return addWithin(write, services, part);
  });

/** As `addProduct`, in the caller's transaction, which notes the phone models. */
export async function addWithin(
  { tx, changed, note }: Write,
  { clock, ids }: Pick<Platform, 'clock' | 'ids'>,
  part: NewProduct,
): Promise<string> {
  const id = ids.next();
  const now = clock.now();
  await insertProduct(tx, id, part, now);
  const { price, quantity, minimumOrder } = part;
  await note({
    id: ids.next(),
    now,
    event: 'product-added',
    productId: id,
    stockChange: quantity,
    after: { priceCents: toCents(price), quantity, minimumOrder },
  });
  changed(`product:${id}`, 'products', 'catalogue');
  return id;
}
