/** What a cell has: text, a figure, or nothing. */
export type Cell = string | number | null;

/** Rows as CSV (RFC 4180): the header first, each row with its line end. */
export interface Csv<Row> {
  header: readonly string[];
  readCells(row: Row): readonly Cell[];
}

const LINE_END = '\r\n';
/** Tells spreadsheets that what follows is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** The file as it comes, page by page. */
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
 * A text that a spreadsheet would take for a formula gets an apostrophe before it, which shows that it is text; also
 * where a cell would begin in a spreadsheet that separates by semicolons, as those of many countries do.
 */
function writeCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = cell.replace(formulas, "$&'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Where one would begin, also behind characters that cannot be seen. */
const formulas = /(?:^(?:"|\p{Cf})*|[;\t\r\n](?:[" ]|\p{Cf})*)(?=[=+\-@＝＋－＠\t\r])/gu;
