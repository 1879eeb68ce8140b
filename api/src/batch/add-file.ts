import {
  listNumbers,
  MAX_CELLS,
  MAX_LETTERS,
  type PdfRow,
  readPdfLines,
} from '@parts-forge/contract/files/pdf-lines';
import { readRows } from '@parts-forge/contract/files/table';
import { formatPieces } from '@parts-forge/contract/money/money';
import { readBatchLines } from '@parts-forge/contract/orders/batch-lines';
import { readFile } from '#src/files/read-file.ts';
import { invalidField } from '#src/platform/core/problem.ts';
import type { Drizzle } from '#src/platform/database/connection.ts';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { SentFile } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { addList, type ReadList } from './add-list.ts';
import { findNamedParts } from './aliases-store.ts';

/** @throws Problem `invalid` for a file that cannot be read, or without a known number */
export async function addFile(
  platform: Pick<Platform, 'config' | 'database' | 'clock'>,
  customer: Customer,
  sent: SentFile,
  choice: number,
): ReturnType<typeof addList> {
  const { kind, lines, notes } = await readFile(sent, 'list');
  const prove = (rows: readonly PdfRow[]) => proveList(platform.database.db, customer, rows, choice);
  const { because, ...list } =
    kind === 'pdf'
      ? await readPdfList(lines as PdfRow[], prove)
      : await readTableList(lines as string[], choice, prove);
  return addList(platform, customer, { ...list, because: [...because, ...notes] }, choice);
}

export function readTextList(text: string, choice: number): ReadList {
  const { pieces, ...list } = readBatchLines(text, choice);
  return { ...list, because: pieces ? [`The pieces stand in “${pieces}”.`] : [] };
}

type Prove = (rows: readonly PdfRow[]) => Promise<ReadList>;

/** Without a header, columns are proved as those of a PDF are. */
async function readTableList(lines: readonly string[], choice: number, prove: Prove): Promise<ReadList> {
  const list = readTextList(lines.join('\n'), choice);
  const isNamed = list.header?.match(/[\t;,]/);
  // `Order 4711` is read as a line.
  const isRead = list.lines.some(({ number }) => /\d/.test(number));
  if (isRead || list.columns.length > 0 || isNamed) return list;
  const separators = lines.some((line) => /[\t;]/.test(line)) ? '\t;' : ',';
  const proved = await prove(
    lines.map((line) => {
      const cells = readRows(line, separators)[0]?.cells ?? [];
      const placed = cells.map((text, place) => ({ text, left: 2 * place, right: 2 * place + 1 }));
      return { page: 1, cells: placed.filter(({ text }) => text !== '') };
    }),
  );
  return proved.lines.length > 0 || proved.columns.length > 0 ? proved : list;
}

async function readPdfList(rows: readonly PdfRow[], prove: Prove): Promise<ReadList> {
  const list = await prove(rows);
  if (list.lines.length + list.unread.length > 0) return list;
  throw invalidField('file', `No known part number in ${formatPieces(rows.length)} rows.`);
}

async function proveList(
  db: Drizzle,
  { userId }: Customer,
  rows: readonly PdfRow[],
  choice: number,
): Promise<ReadList> {
  requireShort(rows);
  const known = await findNamedParts(db, userId, listNumbers(rows));
  const findPart = (name: string) => {
    const [one, other] = known.get(name) ?? [];
    // Later its line says that several parts have the name.
    return other ? name : (one?.product.number ?? null);
  };
  const { proof, ...list } = readPdfLines(rows, findPart, choice);
  return { ...list, because: proof ? [proof] : [] };
}

/** @throws Problem `invalid` */
function requireShort(rows: readonly PdfRow[]): void {
  if (rows.some(({ cells }) => cells.length > MAX_CELLS))
    throw invalidField('file', `A row has more than ${MAX_CELLS} cells. Leave out what you do not order.`);
  const letters = rows.flatMap(({ cells }) => cells.map(({ text }) => text.length));
  if (letters.reduce((sum, length) => sum + length, 0) > MAX_LETTERS)
    throw invalidField('file', 'This list has too much text. Leave out what you do not order.');
}
