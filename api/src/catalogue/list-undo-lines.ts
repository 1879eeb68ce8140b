import { writeFields } from '@parts-forge/contract/catalogue-file';
import type { Executor } from '#src/platform/database/connection.ts';
import type { ImportLine } from './schema.ts';
import { type ImportRow, readImportLines } from './store.ts';

/** Cells by column. */
export type UndoLine = Readonly<Record<string, string | number>>;

/**
 * Lines that put applied lines back. Stocks are undone by a difference, as orders go on; new parts stay,
 * without stock.
 */
export async function* listUndoLines(
  db: Executor,
  { id, done, appliedAt }: ImportRow,
): AsyncGenerator<UndoLine[]> {
  let left = appliedAt === null ? 0 : done;
  for await (const page of readImportLines(db, id)) {
    const applied = page.slice(0, left).filter(({ problems }) => problems.length === 0);
    left -= Math.min(left, page.length);
    yield applied.flatMap(({ change }) => (change ? [toUndoLine(change)] : []));
  }
}

function toUndoLine({ number, version, will, was: { stock = 0, ...was } }: ImportLine): UndoLine {
  const now = will.stock ?? stock + (will.add ?? 0);
  const edited = writeFields(was);
  // An edit since then is warned of.
  const isEdit = version !== null && Object.keys(edited).length > 0;
  return {
    ...{ number, ...edited, ...(now !== stock && { add: stock - now }) },
    ...(isEdit && { version: version + 1 }),
  };
}
