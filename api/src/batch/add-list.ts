import { MAX_STOCK } from '@parts-forge/contract/calls/bounds';
import { problems } from '@parts-forge/contract/calls/problems';
import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import type { AddedList, UnreadBatchLine } from '@parts-forge/contract/orders/batch';
import { mayBeName, type ReadLine, type ReadList } from '@parts-forge/contract/orders/batch-lines';
import { foldPartName, isPartNumber } from '@parts-forge/contract/products/part-rules';
import { invalidField } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findNearNumber } from '#src/products/store.ts';
import { addToBatch, type LeftOut } from './add-to-batch.ts';
import { findNamedParts, type NamedPart, noteUse } from './aliases-store.ts';
import { lockOwnLines, writeLines } from './store.ts';

/** Characters of unknown numbers compared per text; each causes 72 lookups. */
const MAX_COMPARED = 320;

const reasons: Record<LeftOut, string> = {
  'batch-full': `${problems['batch-full'].title}.`,
  'above-limit': `A part can have no more than ${formatPieces(MAX_STOCK)} pieces in the batch.`,
};

/**
 * @param choice one of the list's columns, from 1; 0 for none
 * @returns what became of each line, without the batch itself; `columns` asks for a choice, and nothing is added
 * @throws Problem `invalid` for a column that the list does not have
 */
export async function addList(
  platform: Pick<Platform, 'config' | 'database' | 'clock'>,
  customer: Customer,
  { header, because, columns, ...list }: ReadList,
  choice: number,
): Promise<Omit<AddedList, 'data'>> {
  if (choice > columns.length)
    throw invalidField('quantity', `The list asks for one of ${columns.length} columns.`);
  if (choice === 0 && columns.length > 0) {
    const asked = columns.map(({ name, example }) => ({ name, example }));
    return { lines: [], unread: [], added: 0, read: 'Which column holds the pieces?', columns: asked };
  }
  const { lines, unread } = await addReadLines(platform, customer, list);
  const all = list.lines.length + list.unread.length;
  const added = all - unread.length;
  const joined = added - lines.filter(({ before }) => before === 0).length;
  const into = joined === 0 ? '' : `, ${joined} into a line of the same part`;
  const read = [`${added} of ${formatCount(all, 'line')} read${into}.`, ...because].join(' ');
  return { lines, unread, added, ...(header && { header }), read };
}

/**
 * @returns the first line of each added part, and the skipped lines with reasons beside those that were `unread`
 * before; both in order
 */
async function addReadLines(
  { database: { db }, ...platform }: Pick<Platform, 'config' | 'database' | 'clock'>,
  customer: Customer,
  { lines, unread }: Pick<ReadList, 'lines' | 'unread'>,
): Promise<Pick<AddedList, 'lines' | 'unread'>> {
  const { userId } = customer;
  const named = lines.map((line) => ({ ...line, name: foldPartName(line.number) }));
  const parts = await findNamedParts(db, userId, [...new Set(named.map(({ name }) => name))]);
  const unknown: { line: ReadLine; found: readonly NamedPart[] }[] = [];
  const additions = named.flatMap(({ name, ...line }) => {
    const found = parts.get(name) ?? [];
    const [part, other] = found;
    if (part && !other) return [{ ...line, product: part.product, by: part.by, name }];
    unknown.push({ line, found });
    return [];
  });
  const { leftOut, known } = await db.transaction(async (tx) => {
    const known = await lockOwnLines(tx, customer);
    const result = addToBatch(known, additions);
    await writeLines(tx, platform, userId, result.added);
    const used = additions.flatMap(({ by, name }) => (by === 'customer' ? name : []));
    await noteUse(tx, userId, used, platform.clock.now());
    return { ...result, known };
  });
  const before = new Map(known.map(({ productId, quantity }) => [productId, quantity]));
  const added = new Map<string, AddedList['lines'][number]>();
  for (const addition of additions) {
    const { _id: productId } = addition.product;
    if (added.has(productId) || leftOut.has(addition)) continue;
    added.set(productId, { line: addition.line, productId, before: before.get(productId) ?? 0 });
  }
  const explained: UnreadBatchLine[] = [];
  // Sequential: each runs some thousand lookups.
  let characters = 0;
  for (const { line, found } of unknown) {
    characters += line.number.length;
    const isCompared = found.length === 0 && characters <= MAX_COMPARED;
    explained.push(await explainUnknown(db, line, found, isCompared));
  }
  const skipped = [
    ...unread,
    ...additions.flatMap((addition) => {
      const why = leftOut.get(addition);
      const { line, text } = addition;
      return why ? [{ line, text, reason: reasons[why] }] : [];
    }),
    ...explained,
  ];
  return { lines: [...added.values()], unread: skipped.sort((a, b) => a.line - b.line) };
}

async function explainUnknown(
  db: Executor,
  { line, text, number, written = number, quantity }: ReadLine,
  found: readonly NamedPart[],
  isCompared: boolean,
): Promise<UnreadBatchLine> {
  const asked = mayBeName(number) && { asked: { name: written, quantity } };
  const [part, other] = found.map(({ product }) => product.number);
  if (other !== undefined) {
    const reason = `${part} and ${other} are both known as “${number}”. Write the number of one.`;
    return { line, text, reason, ...asked };
  }
  // Without a digit it is rather a word.
  if (!isPartNumber(number) || !/\d/.test(number)) {
    const search = isPartNumber(number) ? number.toLowerCase() : number;
    return { line, text, reason: `“${search}” is no part number.`, search, ...asked };
  }
  const suggestion = isCompared ? await findNearNumber(db, number) : null;
  const near = suggestion !== null && { suggestion };
  return { line, text, reason: 'No part has this number.', ...near, ...asked };
}
