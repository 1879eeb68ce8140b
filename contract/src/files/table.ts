import { MAX_IMPORT_LINES } from '../calls/bounds.ts';
import { type Columns, columnsOf } from './column-names.ts';

/** Rows of tables. Without schemas, which take a quarter of the memory of a process that reads a list. */

export interface TableRow {
  /** Where it starts, from 1. */
  line: number;
  /** Trimmed; has line breaks where a quoted cell does. */
  text: string;
  cells: string[];
  /**
   * A quote that is never closed, or does not end its cell, is read as a letter. One that `covers` separators
   * and line breaks may be an inch mark that another one closed.
   */
  quote?: 'open' | 'stray' | 'covers' | undefined;
}

/** Cells of workbooks may be numbers, which need no reading. */
export type FileCell = string | number;
export interface FileRow extends Pick<TableRow, 'line' | 'quote'> {
  cells: readonly FileCell[];
  /** A CSV file has its text here. */
  text?: string;
}

/** Cells of workbooks that are refused; the day follows the mark of a date. */
export const DATE_CELL = '#DATE!';
export const UNCALCULATED_CELL = '#UNCALCULATED!';

/** Refuses a cell, or the whole file. */
export class FileError extends Error {}

export interface TableHeader extends Columns {
  row: TableRow;
  separator: string;
}

/** Titles may precede the header. */
export const HEADER_ROWS = 8;
/** One more than a file may have. */
export const MAX_FILE_ROWS = MAX_IMPORT_LINES + HEADER_ROWS + 1;

/**
 * Finds the row that names the columns, by any separator. `content` is the text for `readRows`, without a
 * byte order mark and the separator line of Excel (`sep=;`). `separator` is the header's, the declared one,
 * or else the first in the first line.
 */
export function findHeader(
  text: string,
  isHeader: (columns: Columns, names: readonly string[]) => boolean,
): { content: string; header: TableHeader | null; separator: string } {
  const bare = text.replace(/^\uFEFF/, '');
  const declared = /^"?sep=([,;\t])"?[,;\t]*(?=[\r\n]|$)/i.exec(bare);
  const content = bare.slice(declared?.[0].length ?? 0);
  const separators = [...(declared?.[1] ?? ''), '\t', ';', ','];
  for (const separator of separators) {
    for (const row of readRows(content, separator, HEADER_ROWS)) {
      const columns = columnsOf(row.cells);
      if (isHeader(columns, row.cells)) return { content, header: { row, separator, ...columns }, separator };
    }
  }
  const firstLine = content.trimStart().split(/[\r\n]/, 1)[0] ?? '';
  return { content, header: null, separator: separators.find((each) => firstLine.includes(each)) ?? ',' };
}

/** Why a header is refused; null for distinct columns. */
export function explainTwins<Meant extends string>(
  named: Readonly<Record<Meant, readonly string[]>>,
  used: readonly Meant[],
): string | null {
  const [one, other] = used.map((meaning) => named[meaning]).find(({ length }) => length > 1) ?? [];
  return other === undefined
    ? null
    : `The columns “${one}” and “${other}” mean the same. Leave one of them out.`;
}

export const coveringQuote = 'A quoted cell of this line covers other lines. Check its quotes.';

/** Skips empty rows. A cell ends at any letter of `separators`, a line break or, quoted, at its quote. */
export function readRows(text: string, separators: string, most = Number.POSITIVE_INFINITY): TableRow[] {
  const all = text.replace(/\r\n?/g, '\n');
  const rows: TableRow[] = [];
  let at = 0;
  let line = 1;
  while (at < all.length && rows.length < most) {
    const start = at;
    const found: Cell[] = [];
    do {
      const cell = readCell(all, at, separators);
      found.push(cell);
      at = cell.end + 1;
    } while (at <= all.length && all[at - 1] !== '\n');
    const written = all.slice(start, at - 1);
    const cells = found.map(({ cell }) => cell.trim());
    const quote = found.find((each) => each.quote)?.quote;
    if (cells.some((cell) => cell !== '')) {
      rows.push({ line, text: written.trim(), cells, ...(quote && { quote }) });
    }
    line += written.split('\n').length;
  }
  return rows;
}

interface Cell {
  cell: string;
  /** Index of the separator or line break behind it. */
  end: number;
  quote?: TableRow['quote'];
}

function readCell(text: string, start: number, separators: string): Cell {
  const isEnd = (at: number) => at >= text.length || text[at] === '\n' || separators.includes(text[at] ?? '');
  const open = skipSpaces(text, start);
  const isQuoted = text[open] === '"';
  const close = isQuoted ? findClosingQuote(text, open + 1) : -1;
  const behind = skipSpaces(text, close + 1);
  if (close !== -1 && isEnd(behind)) {
    const cell = text.slice(open + 1, close).replaceAll('""', '"');
    const covers = cell.includes('\n') && [...separators].some((separator) => cell.includes(separator));
    return { cell, end: behind, ...(covers && { quote: 'covers' }) };
  }
  let end = start;
  while (!isEnd(end)) end += 1;
  return { cell: text.slice(start, end), end, ...(isQuoted && { quote: close === -1 ? 'open' : 'stray' }) };
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ') at += 1;
  return at;
}

function findClosingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
