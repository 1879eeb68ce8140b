import { writeFields } from '@parts-forge/contract/files/catalogue-file';
import type { Executor } from '#src/platform/database/connection.ts';
import type { ImportLine } from './schema.ts';
import { type ImportRow, readImportLines } from './store.ts';

/** Holds the cells by the column's name. */
export type UndoLine = Readonly<Record<string, string | number>>;

/**
 * Lines that put applied lines back. Stocks are undone by a difference, as orders go on. New parts and
 * prices are removed; no line brings a removed part back.
 */
export async function* listUndoLines(
  db: Executor,
  { id, done, appliedAt }: ImportRow,
): AsyncGenerator<UndoLine[]> {
  let left = appliedAt === null ? 0 : done;
  for await (const page of readImportLines(db, id)) {
    const applied = page.slice(0, left).filter(({ problems }) => problems.length === 0);
    left -= Math.min(left, page.length);
    yield applied.flatMap(({ change }) => (change ? toUndoLine(change) : []));
  }
}

function toUndoLine(change: ImportLine): UndoLine[] {
  const { number, customer, from = 1, version, will, was: before } = change;
  if (customer !== undefined) {
    const price = version === null ? { remove: 'yes' } : writeFields(before);
    return [{ customer, number, from, ...price }];
  }
  if (will.remove) return [];
  if (version === null) return [{ number, version: 1, remove: 'yes' }];
  const { stock = 0, ...was } = before;
  const now = will.stock ?? stock + (will.add ?? 0);
  const edited = writeFields(was);
  // An edit since then is warned of.
  const isEdit = Object.keys(edited).length > 0;
  const added = now === stock ? {} : { add: stock - now };
  return [{ number, ...edited, ...added, ...(isEdit && { version: version + 1 }) }];
}
