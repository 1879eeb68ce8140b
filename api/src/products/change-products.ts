import { REPEATED_STOCK_HOURS } from '@parts-forge/contract/bounds';
import { toAmount, toCents } from '@parts-forge/contract/money';
import type { BulkChange, BulkLine, BulkState } from '@parts-forge/contract/stock';
import { Problem } from '#src/platform/core/problem.ts';
import type { Administrator } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findStockChanges } from '#src/trail/store.ts';
import { type NewEntry, writeEntries } from '#src/trail/write-entry.ts';
import { judgeBulkChange } from './judge-bulk-change.ts';
import { runOnce } from './run-once.ts';
import { type BulkPart, findBulkParts, updateBulkParts } from './store.ts';

type JudgedLine = { change: BulkChange; part: BulkPart | undefined; line: BulkLine };

/** Changes nothing; marks recent identical additions. */
export async function previewChanges(
  { database: { db }, clock }: Pick<Platform, 'database' | 'clock'>,
  changes: readonly BulkChange[],
): Promise<BulkLine[]> {
  const judged = judgeLines(changes, await findBulkParts(db, readNumbers(changes)));
  const productIds = judged.flatMap(({ change, part }) => (part && change.add ? [part.id] : []));
  const since = new Date(clock.now().getTime() - REPEATED_STOCK_HOURS * 3_600_000);
  const made = await findStockChanges(db, productIds, since);
  const buildKey = (productId: string | null | undefined, pieces: number | null | undefined) =>
    `${productId} ${pieces}`;
  const lastAt = new Map(made.map((each) => [buildKey(each.productId, each.stockChange), each.lastAt]));
  return judged.map(({ change, part, line }) => {
    const same = lastAt.get(buildKey(part?.id, change.add));
    return line.ok && same ? { ...line, addedBefore: same.toISOString() } : line;
  });
}

/**
 * One transaction for all; invalid lines are skipped with their reason. Locks in the order of ids, as orders
 * do. Idempotent by `key`.
 *
 * @throws Problem `key-reused`
 */
export async function applyChanges(
  { changes: feed, clock, ids }: Pick<Platform, 'changes' | 'clock' | 'ids'>,
  { userId }: Administrator,
  changes: readonly BulkChange[],
  key: string,
): Promise<BulkLine[]> {
  const now = clock.now();
  const { lines } = await feed.write((tx, changed) =>
    runOnce(tx, { userId, key, meaning: ['bulk', changes], now }, async () => {
      const parts = await findBulkParts(tx, readNumbers(changes), { lock: true });
      const judged = judgeLines(changes, parts);
      const edits = judged.flatMap(({ part, line: { after } }) =>
        part && after && !isSame(part, after) ? [{ part, after }] : [],
      );
      await updateBulkParts(
        tx,
        edits.map(({ part, after }) => ({ id: part.id, ...toRow(after) })),
        now,
      );
      await writeEntries(
        tx,
        edits.flatMap(({ part, after }) => describeEdit(part, after, now, ids)),
      );
      for (const { part } of edits) changed(`product:${part.id}`, 'products');
      if (edits.some(({ part, after }) => part.version !== after.version)) changed('catalogue');
      return { lines: judged.map(({ line }) => line) };
    }),
  );
  return lines;
}

const normalizeNumber = (number: string): string => number.toUpperCase();
const readNumbers = (changes: readonly BulkChange[]): string[] => [
  ...new Set(changes.map(({ number }) => normalizeNumber(number))),
];

function judgeLines(changes: readonly BulkChange[], parts: readonly BulkPart[]): JudgedLine[] {
  const byNumber = new Map(parts.map((part) => [part.number, part]));
  const named = Map.groupBy(changes, ({ number }) => normalizeNumber(number));
  return changes.map((change) => {
    const number = normalizeNumber(change.number);
    const part = byNumber.get(number);
    return { change, part, line: describeLine(change, part, (named.get(number)?.length ?? 0) > 1) };
  });
}

function describeLine(change: BulkChange, part: BulkPart | undefined, isTwice: boolean): BulkLine {
  const { number } = change;
  const before = part ? toState(part) : null;
  const product = part && { product: { _id: part.id, name: part.name, image: part.image } };
  try {
    if (isTwice) throw new Problem('invalid', { detail: `${number} is named more than once.` });
    if (!part) throw new Problem('not-found', { detail: `No part has the number ${number}.` });
    return { number, ok: true, ...product, before, after: judgeBulkChange(change, part) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message } = error;
    return { number, ok: false, ...product, before, after: null, error: { code, detail: message } };
  }
}

const toState = ({ quantity, priceCents, version }: BulkPart): BulkState => ({
  quantity,
  price: toAmount(priceCents),
  version,
});
const toRow = ({ quantity, price, version }: BulkState) => ({
  quantity,
  priceCents: toCents(price),
  version,
});
const isSame = (part: BulkPart, after: BulkState): boolean =>
  part.quantity === after.quantity && part.version === after.version;

/** Stock and price are two events. */
function describeEdit(
  part: BulkPart,
  after: BulkState,
  now: Date,
  ids: Pick<Platform, 'ids'>['ids'],
): NewEntry[] {
  const { id: productId, quantity, priceCents, version } = part;
  const stockChange = after.quantity - quantity;
  const entries: NewEntry[] = [];
  if (after.version !== version) {
    entries.push({
      id: ids.next(),
      now,
      event: 'product-changed',
      productId,
      before: { priceCents, version },
      after: { priceCents: toCents(after.price), version: after.version },
    });
  }
  if (stockChange !== 0) {
    entries.push({
      id: ids.next(),
      now,
      event: stockChange > 0 ? 'stock-restocked' : 'stock-corrected',
      productId,
      stockChange,
      before: { quantity },
      after: { quantity: after.quantity },
    });
  }
  return entries;
}
