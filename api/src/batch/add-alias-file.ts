import type { ReadAlias } from '@parts-forge/contract/files/alias-file';
import { foldPartName } from '@parts-forge/contract/products/part-rules';
import { IS_NUMBER } from '@parts-forge/contract/products/product-fields';
import { readFile } from '#src/files/read-file.ts';
import type { SentFile } from '#src/platform/core/sent-file.ts';
import { actAs, type Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProductsByNumber } from '#src/products/store.ts';
import { type NewAlias, writeAliases } from './aliases-store.ts';

/** @throws Problem `invalid` for a file that cannot be read, `too-many-names` */
export async function addAliasFile(
  { database: { db }, changes, clock }: Pick<Platform, 'database' | 'changes' | 'clock'>,
  customer: Customer,
  file: SentFile,
): Promise<{ saved: number; problems: ReadAlias['problems']; notes: string[] }> {
  const { lines, notes } = await readFile(file, 'aliases');
  const numbers = new Set(lines.flatMap(({ alias, number }) => [foldPartName(alias), number]));
  const parts = await findProductsByNumber(db, [...numbers]);
  const aliases: NewAlias[] = [];
  const problems = lines.flatMap(({ line, alias, number, problems }) => {
    const part = parts.get(number);
    const refusals = [...problems];
    if (parts.has(foldPartName(alias))) refusals.push({ line, column: 'name', message: IS_NUMBER });
    if (!part && number !== '')
      refusals.push({ line, column: 'part number', message: `No part has the number ${number}.` });
    if (part && refusals.length === 0) aliases.push({ alias, productId: part._id, lastUsedAt: null });
    return refusals;
  });
  await actAs(changes, customer, (tx) => writeAliases(tx, customer.userId, aliases, clock.now()));
  return { saved: aliases.length, problems, notes };
}
