import { listNumbers, MAX_CELLS, type PdfRow, readPdfLines } from '@parts-forge/contract/files/pdf-lines';
import { readRows } from '@parts-forge/contract/files/table';
import { formatPieces } from '@parts-forge/contract/money/money';
import { type ReadList, readBatchLines } from '@parts-forge/contract/orders/batch-lines';
import { foldPartName } from '@parts-forge/contract/products/part-rules';
import { readFile } from '#src/files/read-file.ts';
import { invalidField } from '#src/platform/core/problem.ts';
import type { SentFile } from '#src/platform/core/sent-file.ts';
import type { Drizzle } from '#src/platform/database/connection.ts';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { Platform } from '#src/platform/platform.ts';
import { addList } from './add-list.ts';
import { findNamedParts } from './aliases-store.ts';

/** @throws Problem `invalid` for a file that cannot be read, or without a known number */
export async function addFile(
  platform: Pick<Platform, 'config' | 'database' | 'clock'>,
  customer: Customer,
  sent: SentFile,
  choice: number,
): ReturnType<typeof addList> {
  const { kind, lines, notes } = await readFile(sent, 'list');
  const { db } = platform.database;
  const list =
    kind === 'pdf'
      ? await proveList(db, customer, lines as PdfRow[], choice)
      : await readTableList(db, customer, lines as string[], choice);
  if (kind === 'pdf' && list.lines.length + list.unread.length === 0)
    throw invalidField('file', `No known part number in ${formatPieces(lines.length)} rows.`);
  return addList(platform, customer, { ...list, because: [...list.because, ...notes] }, choice);
}

/** Where no line names a known part, rows are proved as those of a PDF are. */
async function readTableList(
  db: Drizzle,
  customer: Customer,
  lines: readonly string[],
  choice: number,
): Promise<ReadList> {
  const list = readBatchLines(lines.join('\n'), choice);
  const names = list.lines.map(({ number }) => foldPartName(number));
  const rows = placeCells(lines);
  const isAsked = choice > 0 && list.columns.length > 0;
  const isLeft = names.length > 0 && isWide(rows);
  if (isAsked || isLeft || (await findNamedParts(db, customer.userId, names)).size > 0) return list;
  const proved = await proveList(db, customer, rows, choice);
  const isProved = proved.lines.length > 0 || (list.columns.length === 0 && proved.columns.length > 0);
  return isProved ? proved : list;
}

function placeCells(lines: readonly string[]): PdfRow[] {
  const separators = lines.some((line) => /[\t;]/.test(line)) ? '\t;' : ',';
  return lines.map((line) => {
    const cells = readRows(line, separators)[0]?.cells ?? [];
    const placed = cells.map((text, place) => ({ text, left: 2 * place, right: 2 * place + 1 }));
    return { cells: placed.filter(({ text }) => text !== '') };
  });
}

/** @throws Problem `invalid` */
async function proveList(
  db: Drizzle,
  { userId }: Customer,
  rows: readonly PdfRow[],
  choice: number,
): Promise<ReadList> {
  if (isWide(rows))
    throw invalidField('file', `A row has more than ${MAX_CELLS} cells. Leave out what you do not order.`);
  const known = await findNamedParts(db, userId, listNumbers(rows));
  const findPart = (name: string) => {
    const [one, other] = known.get(name) ?? [];
    // Later its line says that several parts have the name.
    return other ? name : (one?.product.number ?? null);
  };
  return readPdfLines(rows, findPart, choice);
}

const isWide = (rows: readonly PdfRow[]): boolean => rows.some(({ cells }) => cells.length > MAX_CELLS);
