import { listNumbers, type PdfRow, readPdfLines } from '@parts-forge/contract/files/pdf-lines';
import { formatPieces } from '@parts-forge/contract/money/money';
import { readBatchLines } from '@parts-forge/contract/orders/batch-lines';
import { type ListFile, readFile } from '#src/files/read-file.ts';
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
  const file = await readFile(sent, 'list');
  const { because, ...list } =
    file.kind === 'pdf'
      ? await readPdfList(platform.database.db, customer, file, choice)
      : readTextList(file.lines.join('\n'), choice);
  return addList(platform, customer, { ...list, because: [...because, ...file.notes] }, choice);
}

export function readTextList(text: string, choice: number): ReadList {
  const { pieces, ...list } = readBatchLines(text, choice);
  return { ...list, because: pieces ? [`The pieces stand in “${pieces}”.`] : [] };
}

async function readPdfList(
  db: Drizzle,
  { userId }: Customer,
  { lines }: ListFile,
  choice: number,
): Promise<ReadList> {
  const rows = lines as PdfRow[];
  const known = await findNamedParts(db, userId, listNumbers(rows));
  const { proof, ...list } = readPdfLines(
    rows,
    (name) => {
      const [one, other] = known.get(name) ?? [];
      // Later its line says that several parts have the name.
      return other ? name : (one?.product.number ?? null);
    },
    choice,
  );
  if (list.lines.length + list.unread.length === 0)
    throw invalidField('file', `No known part number in ${formatPieces(rows.length)} rows.`);
  return { ...list, because: proof ? [proof] : [] };
}
