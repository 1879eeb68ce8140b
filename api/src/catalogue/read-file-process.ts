import { constants, setPriority } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { FileError, readCatalogue, readCatalogueCsv } from '@parts-forge/contract/catalogue-file';
import type { FileAnswer } from './read-file.ts';
import { readWorkbook } from './read-workbook.ts';

// Loads no other part of the shop and knows no settings.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const content = await buffer(process.stdin);
process.stdout.write(JSON.stringify(read()));

function read(): FileAnswer {
  try {
    const start = content.toString('latin1', 0, 4);
    if (start === 'ÐÏ\u0011à') return { refusal: 'This is an old Excel workbook. Save it as XLSX or CSV.' };
    if (start === 'PK\u0003\u0004') {
      const { rows, notes } = readWorkbook(content);
      const file = readCatalogue(rows.map((row) => ({ ...row, cells: row.cells.map(clean) })));
      return { file: { ...file, notes: [...notes.map(clean), ...file.notes] } };
    }
    return { file: readCatalogueCsv(clean(decode(content))) };
  } catch (error) {
    if (error instanceof FileError) return { refusal: error.message };
    throw error;
  }
}

/** The database takes no NUL and no half of a character. */
function clean<Cell>(cell: Cell): Cell {
  return typeof cell === 'string' ? (cell.toWellFormed().replaceAll('\0', '') as Cell) : cell;
}

/** UTF-8, UTF-16 with a byte-order mark (Excel's "Unicode Text"), else Windows-1252 (Excel's CSV). */
function decode(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 2);
  if (mark === 'ÿþ') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 'þÿ') return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
