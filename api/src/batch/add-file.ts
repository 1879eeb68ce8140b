import { listNumbers, type PdfRow, readPdfLines } from '@parts-forge/contract/files/pdf-lines';
import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import type { UnreadBatchLine } from '@parts-forge/contract/orders/batch';
import { type ReadLine, readBatchLines, type UnreadLine } from '@parts-forge/contract/orders/batch-lines';
import { type ListFile, readFile } from '#src/files/read-file.ts';
import { invalidField } from '#src/platform/core/problem.ts';
import type { Drizzle } from '#src/platform/database/connection.ts';
import type { Customer } from '#src/platform/http/calls/access.ts';
import type { SentFile } from '#src/platform/http/calls/serve-call.ts';
import type { Platform } from '#src/platform/platform.ts';
import { addReadLines } from './add-read-lines.ts';
import { findNamedParts } from './aliases-store.ts';

interface AddedFile {
  added: number;
  unread: UnreadBatchLine[];
  header?: string;
  read: string;
}

interface ReadList {
  lines: ReadLine[];
  unread: UnreadLine[];
  header?: string | null;
  /** Says to the customer how the file was read. */
  read: string;
}

/** @throws Problem `invalid` for a file that cannot be read, or without a known number */
export async function addFile(
  platform: Pick<Platform, 'database' | 'clock'>,
  customer: Customer,
  sent: SentFile,
): Promise<AddedFile> {
  const file = await readFile(sent, 'list');
  const { header, read, ...list } =
    file.kind === 'pdf' ? await readPdfList(platform.database.db, customer, file) : readTextList(file);
  const unread = await addReadLines(platform, customer, list);
  const added = list.lines.length + list.unread.length - unread.length;
  return { added, unread, ...(header && { header }), read: [read, ...file.notes].join(' ') };
}

function readTextList({ kind, lines: rows }: ListFile): ReadList {
  const list = readBatchLines(rows.join('\n'));
  const all = list.lines.length + list.unread.length;
  const isByName = list.header !== null && list.lines.length > 0;
  const below = isByName ? ', the pieces by the name of their column' : '';
  return {
    ...list,
    read: `Read as ${kind === 'text' ? 'text' : 'a workbook'}: ${formatCount(all, 'line')}${below}.`,
  };
}

async function readPdfList(db: Drizzle, { userId }: Customer, { pages, lines }: ListFile): Promise<ReadList> {
  const rows = lines as PdfRow[];
  const known = await findNamedParts(db, userId, listNumbers(rows));
  const { proof, ...list } = readPdfLines(rows, (name) => {
    const [one, other] = known.get(name) ?? [];
    // Later its line says that several parts have the name.
    return other ? name : (one?.product.number ?? null);
  });
  const all = list.lines.length + list.unread.length;
  if (all === 0) throw invalidField('file', `No known part number in ${formatPieces(rows.length)} rows.`);
  const read = `Read as a PDF of ${formatCount(pages, 'page')}: ${formatCount(all, 'line')}.${proof ? ` ${proof}` : ''}`;
  return { ...list, read };
}
