import {
  type EditedPart,
  findChangedFields,
  formatVersion,
  mergeChanges,
  type ProductChanges,
} from '@parts-forge/contract/products/product-changes';
import { findPartProblems } from '@parts-forge/contract/products/product-fields';
import type { Product } from '@parts-forge/contract/products/products';
import { Problem, refuseInvalid } from '#src/platform/core/problem.ts';
import { isUniqueViolation } from '#src/platform/database/connection.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { type Write, type WriteServices, writeAs } from './add-product.ts';
import { describeFields } from './describe-fields.ts';
import {
  lockProduct,
  lockReplaced,
  notePhoneModels,
  refuseNumbers,
  refuseSuccessor,
  updateProduct,
} from './store.ts';

/**
 * Edits all fields but the stock; placed orders keep their price. Parts whose successor it is follow a new
 * number.
 * @param ifMatch the header
 * @param changes with pictures as accepted by the image host
 * @throws Problem `not-found`, `version-changed` (with the present part), `number-taken`, `invalid` for
 *   contradictory fields, another name that is the number of a part, and a successor that is no part
 */
export async function changeProduct(
  services: WriteServices,
  administrator: Administrator,
  productId: string,
  ifMatch: string,
  changes: ProductChanges,
): Promise<Product> {
  return refuseTakenNumber(() =>
    writeAs(services, administrator, async (write) => {
      const product = await lockProduct(write.tx, productId);
      if (ifMatch !== formatVersion(product.version)) {
        throw new Problem('version-changed', { detail: 'The part was edited meanwhile.', current: product });
      }
      const merged = mergeChanges(product, changes);
      refuseInvalid(findPartProblems(merged).map(([path, message]) => ({ path: path.join('.'), message })));
      await refuseNumbers(write.tx, changes.alsoKnownAs);
      if (merged.replacedBy !== product.replacedBy) await refuseSuccessor(write.tx, merged.replacedBy);
      await notePhoneModels(write.tx, changes.fits ?? []);
      const edited = await editWithin(write, services, product, merged);
      const replaced = merged.number === product.number ? [] : await lockReplaced(write.tx, product.number);
      for (const part of replaced)
        await editWithin(write, services, part, mergeChanges(part, { replacedBy: merged.number }));
      return edited;
    }),
  );
}

/** The caller holds the product's lock, has checked the fields and noted the phone models. */
export async function editWithin(
  { tx, changed, note }: Write,
  { clock, ids }: Pick<Platform, 'clock' | 'ids'>,
  product: Product,
  merged: EditedPart,
): Promise<Product> {
  const fields = findChangedFields(product, merged);
  if (fields.length === 0) return product;
  const { _id: productId } = product;
  const now = clock.now();
  const version = product.version + 1;
  const edited = await updateProduct(tx, productId, { ...merged, version }, now);
  await note({
    id: ids.next(),
    now,
    event: 'product-changed',
    productId,
    before: { ...describeFields(product, fields), version: product.version },
    after: { ...describeFields(merged, fields), version },
  });
  // Lists are sorted and filtered by these fields.
  changed(`product:${productId}`, 'products', 'catalogue');
  return edited;
}

async function refuseTakenNumber<Done>(work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'products_number')) throw new Problem('number-taken');
    throw error;
  }
}
