import type { UnreadBatchLine } from '@parts-forge/contract/batch';
import { type ReadLine, readBatchLines } from '@parts-forge/contract/batch-lines';
import { problems } from '@parts-forge/contract/problems';
import type { Platform } from '#src/platform/platform.ts';
import { findNearNumber, findProductsByNumber } from '#src/products/store.ts';
import { addToBatch } from './add-to-batch.ts';
import { lockOwnLines } from './lock-own-lines.ts';

/** What a number that no part has was meant to be is looked for in so many lines of one text. */
const MAX_SUGGESTIONS = 20;

/**
 * Adds to a person's list what can be read of a pasted text.
 * @returns the lines that were not added, in their order, with a reason each
 */
export async function addPastedLines(
  { database: { db }, clock }: Pick<Platform, 'database' | 'clock'>,
  userId: string,
  text: string,
): Promise<UnreadBatchLine[]> {
  const { lines, unread } = readBatchLines(text);
  const numbers = [...new Set(lines.map(({ number }) => number))];
  const products = await findProductsByNumber(db, numbers);
  const [known, unknown] = partition(lines, ({ number }) => products.has(number));
  const leftOut = await db.transaction(async (tx) => {
    const additions = known.flatMap(({ number, quantity }) => {
      const product = products.get(number);
      return product ? [{ product, quantity }] : [];
    });
    return addToBatch(tx, userId, await lockOwnLines(tx, userId), additions, clock.now());
  });
  const tooMany = known.filter(({ number }) => leftOut.has(products.get(number)?._id ?? ''));
  const explained: UnreadBatchLine[] = [];
  // One after the other: each looks for some thousand numbers, and others want the database, too.
  for (const [index, line] of unknown.entries()) {
    explained.push(await explainUnknown(db, line, index < MAX_SUGGESTIONS));
  }
  return [
    ...unread,
    ...tooMany.map(({ line, text: content }) => ({
      line,
      text: content,
      reason: `${problems['batch-full'].title}.`,
    })),
    ...explained,
  ].sort((a, b) => a.line - b.line);
}

/** A word without a digit is likelier the name of something than a wrong number. */
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

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
