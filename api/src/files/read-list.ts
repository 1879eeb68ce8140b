import { DATE_CELL, type FileCell, FileError, type FileRow } from '@parts-forge/contract/files/table';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { ListFile } from './read-file.ts';

const MAX_LIST_ROWS = 1000;
const MAX_LIST_TEXT = 200_000;

/** @throws FileError for a list that is too long */
export function readListText(text: string): ListFile {
  const lines = text.split(/\r\n?|\n/);
  refuseLong(lines);
  return { kind: 'table', notes: [], lines };
}

/**
 * Rows as lines of text with tabs, each at its number. Columns without a cell are left out.
 * @throws FileError for a list that is too long
 */
export function readListRows(rows: readonly FileRow[]): ListFile {
  if (rows.some(({ line }) => line > MAX_LIST_ROWS)) throw tooLong();
  const filled = new Set(
    rows.flatMap(({ cells }) => cells.flatMap((cell, index) => (cell === '' ? [] : index))),
  );
  const columns = [...filled].sort((a, b) => a - b);
  const lines: string[] = [];
  for (const { line, cells } of rows) {
    while (lines.length < line - 1) lines.push('');
    lines.push(columns.map((index) => writeCell(cells[index] ?? '')).join('\t'));
  }
  refuseLong(lines);
  return { kind: 'table', notes: [], lines };
}

function refuseLong(lines: readonly string[]): void {
  if (lines.length > MAX_LIST_ROWS || lines.reduce((sum, { length }) => sum + length, 0) > MAX_LIST_TEXT)
    throw tooLong();
}

const tooLong = () =>
  new FileError(
    `A list has at most ${formatPieces(MAX_LIST_ROWS)} rows of number and quantity. Leave out what you do not order.`,
  );

function writeCell(cell: FileCell): string {
  const text = String(cell).replace(DATE_CELL, '').replace(/\s+/g, ' ').trim();
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
}
