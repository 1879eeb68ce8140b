import { guardFormulas } from '@parts-forge/contract/files/formula-guard';

/** Without a string or number it stays empty. */
export type Cell = string | number | boolean | null | undefined;

/** The columns in their order; written as RFC 4180 says. */
export type Csv<Row> = Readonly<Record<string, (row: Row) => Cell>>;

const LINE_END = '\r\n';
/** Spreadsheets need it to read UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

export async function* writeCsv<Row>(
  columns: Csv<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const head = BYTE_ORDER_MARK + writeRow(Object.keys(columns));
  const readCells = Object.values(columns);
  let isBegun = false;
  for await (const rows of pages) {
    yield (isBegun ? '' : head) + rows.map((row) => writeRow(readCells.map((read) => read(row)))).join('');
    isBegun = true;
  }
}

export const writeRow = (cells: readonly Cell[]): string => cells.map(writeCell).join(',') + LINE_END;

function writeCell(cell: Cell): string {
  if (cell == null || typeof cell === 'boolean') return '';
  if (typeof cell === 'number' || isNumber.test(cell)) return String(cell);
  const text = guardFormulas(cell);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A negative amount begins no formula. */
const isNumber = /^-\d{1,12}\.\d\d$/;
