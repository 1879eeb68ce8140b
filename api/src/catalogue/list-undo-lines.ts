import { writeFields } from '@parts-forge/contract/catalogue-file';
import type { ImportRow } from './store.ts';

/** Cells by column. */
export type UndoLine = Readonly<Record<string, string | number>>;

/**
 * Lines that put applied lines back. Stocks are undone by a difference, as orders go on; new parts stay,
 * without stock.
 */
export const listUndoLines = ({ lines, done, leftOut, appliedAt }: ImportRow): UndoLine[] =>
  lines
    .slice(0, appliedAt === null ? 0 : done)
    .filter(({ line }) => !leftOut.includes(line))
    .map(({ number, version, will, was: { stock = 0, ...was } }) => {
      const now = will.stock ?? stock + (will.add ?? 0);
      const edited = writeFields(was);
      // An edit since then is warned of.
      const isEdit = version !== null && Object.keys(edited).length > 0;
      return {
        ...{ number, ...edited, ...(now !== stock && { add: stock - now }) },
        ...(isEdit && { version: version + 1 }),
      };
    });
