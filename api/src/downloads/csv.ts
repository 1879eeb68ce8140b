export type Cell = string | number | null;

/** A table for CSV (RFC 4180). */
export interface Csv<Row> {
  header: readonly string[];
  readCells(row: Row): readonly Cell[];
}

const LINE_END = '\r\n';
/** Marks the file as UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = '\ufeff';

/** Writes the header and the rows, page by page. */
export async function* writeCsv<Row>(
  { header, readCells }: Csv<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const head = BYTE_ORDER_MARK + writeRow(header);
  let isBegun = false;
  for await (const rows of pages) {
    yield (isBegun ? '' : head) + rows.map((row) => writeRow(readCells(row))).join('');
    isBegun = true;
  }
}

export const writeRow = (cells: readonly Cell[]): string => cells.map(writeCell).join(',') + LINE_END;

/**
 * Adds an apostrophe before text that a spreadsheet would read as a formula. Semicolons count as separators,
 * too, as they are in many countries.
 */
function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = cell.replace(formulas, "$&'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Places where a formula could begin, also after invisible characters. */
const formulas = /(?:^(?:"|\p{Cf})*|[;\t\r\n](?:[" ]|\p{Cf})*)(?=[=+\-@＝＋－＠\t\r])/gu;
