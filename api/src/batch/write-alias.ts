import type { Alias, writeAlias as writeAliasCall } from '@parts-forge/contract/orders/aliases';
import { foldPartName } from '@parts-forge/contract/products/part-rules';
import { IS_NUMBER } from '@parts-forge/contract/products/product-fields';
import type { z } from 'zod';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import { actAs, type Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProduct, findProductsByNumber } from '#src/products/store.ts';
import { deleteAlias, hasAlias, writeAliases } from './aliases-store.ts';

/**
 * Choosing another part moves the name. Renaming moves it in one step.
 * @throws Problem `not-found`, `too-many-names`, `invalid` for the number of a part and for a new name that the
 *   customer has already
 */
export async function writeAlias(
  { database: { db }, changes, clock }: Pick<Platform, 'database' | 'changes' | 'clock'>,
  customer: Customer,
  { alias, productId, was = alias }: z.output<NonNullable<(typeof writeAliasCall)['body']>>,
): Promise<Alias> {
  const { userId } = customer;
  const lastUsedAt = clock.now();
  const product = await findProduct(db, productId);
  if (!product) throw new Problem('not-found');
  await actAs(changes, customer, async (tx) => {
    const folded = foldPartName(alias);
    if ((await findProductsByNumber(tx, [folded])).size > 0) throw invalidField('alias', IS_NUMBER);
    const isRenamed = foldPartName(was) !== folded;
    if (isRenamed && (await hasAlias(tx, userId, alias)))
      throw invalidField('alias', 'Is a name of yours already');
    if (isRenamed) await deleteAlias(tx, userId, was);
    await writeAliases(tx, userId, [{ alias, productId, lastUsedAt }], lastUsedAt);
  });
  const { _id, name, number, image } = product;
  return { alias, product: { _id, name, number, image }, lastUsedAt: lastUsedAt.toISOString() };
}
