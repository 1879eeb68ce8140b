import { MAX_STOCK } from '@parts-forge/contract/calls/bounds';
import { problems } from '@parts-forge/contract/calls/problems';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { UnreadBatchLine } from '@parts-forge/contract/orders/batch';
import type { ReadLine, UnreadLine } from '@parts-forge/contract/orders/batch-lines';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findNearNumber, findProductsByNumber } from '#src/products/store.ts';
import { addToBatch, type LeftOut } from './add-to-batch.ts';
import { lockOwnLines } from './lock-own-lines.ts';
import { writeLines } from './store.ts';

/** Characters of unknown numbers compared per text; each causes 72 lookups. */
const MAX_COMPARED = 320;

const reasons: Record<LeftOut, string> = {
  'batch-full': `${problems['batch-full'].title}.`,
  'above-limit': `A part can have no more than ${formatPieces(MAX_STOCK)} pieces in the batch.`,
};

/** @returns the skipped lines in order, with reasons, beside those that were `unread` before */
export async function addReadLines(
  { database: { db }, clock }: Pick<Platform, 'database' | 'clock'>,
  customer: Customer,
  { lines, unread }: { lines: readonly ReadLine[]; unread: readonly UnreadLine[] },
): Promise<UnreadBatchLine[]> {
  const numbers = [...new Set(lines.map(({ number }) => number))];
  const products = await findProductsByNumber(db, numbers);
  const unknown = lines.filter(({ number }) => !products.has(number));
  const additions = lines.flatMap(({ number, ...read }) => {
    const product = products.get(number);
    return product ? [{ product, ...read }] : [];
  });
  const { leftOut } = await db.transaction(async (tx) => {
    const result = addToBatch(await lockOwnLines(tx, customer), additions);
    await writeLines(tx, customer.userId, result.added, clock.now());
    return result;
  });
  const explained: UnreadBatchLine[] = [];
  // Sequential: each runs some thousand lookups.
  let characters = 0;
  for (const line of unknown) {
    characters += line.number.length;
    explained.push(await explainUnknown(db, line, characters <= MAX_COMPARED));
  }
  return [
    ...unread,
    ...additions.flatMap((addition) => {
      const why = leftOut.get(addition);
      return why ? [{ line: addition.line, text: addition.text, reason: reasons[why] }] : [];
    }),
    ...explained,
  ].sort((a, b) => a.line - b.line);
}

/** Without a digit it is rather a name. */
async function explainUnknown(
  db: Platform['database']['db'],
  { line, text, number }: ReadLine,
  isCompared: boolean,
): Promise<UnreadBatchLine> {
  if (!/\d/.test(number)) {
    return {
      line,
      text,
      reason: `“${number.toLowerCase()}” is no part number.`,
      search: number.toLowerCase(),
    };
  }
  const suggestion = isCompared ? await findNearNumber(db, number) : null;
  return { line, text, reason: 'No part has this number.', ...(suggestion !== null && { suggestion }) };
}
