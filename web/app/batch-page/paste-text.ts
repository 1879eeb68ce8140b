import { MAX_BATCH_LINES, MAX_BATCH_TEXT } from '@parts-forge/contract/calls/bounds';
import { readCell } from '@parts-forge/contract/files/table';
import { formatPieces } from '@parts-forge/contract/money/money';
import type { UnreadBatchLine } from '@parts-forge/contract/orders/batch';
import { readBatchLines, replaceNumber } from '@parts-forge/contract/orders/batch-lines';
import { foldPartNumber } from '@parts-forge/contract/products/part-rules';

/** Columns that are not sent count too. */
const MAX_FILE_TEXT = 200_000;

export interface PastedText extends ReturnType<typeof readBatchLines> {
  /** Lines by number and quantity, in their places: descriptions would bloat the request. */
  sent: string;
  /** null when it can be sent. */
  refusal: string | null;
}

export function readPaste(text: string): PastedText {
  const read = readBatchLines(text.slice(0, MAX_FILE_TEXT));
  const rows = Array.from({ length: read.lines.at(-1)?.line ?? 0 }, () => '');
  for (const { line, number, quantity } of read.lines) rows[line - 1] = `${quote(number)};${quantity}`;
  const sent = rows.join('\n');
  return { ...read, sent, refusal: refuseText(text, sent) };
}

/** A name of the customer may have any letter. */
const quote = (number: string): string =>
  /[",;\t]/.test(number) ? `"${number.replaceAll('"', '""')}"` : number;

function refuseText(text: string, sent: string): string | null {
  if (text.trim() === '') return 'Paste or type a line first.';
  if (text.length > MAX_FILE_TEXT) return `At most ${formatPieces(MAX_FILE_TEXT)} characters at once.`;
  return sent.length > MAX_BATCH_TEXT ? `These are too many lines: a batch has ${MAX_BATCH_LINES}.` : null;
}

/** The unread lines as pasted. @param refused lines, known to the API by number and quantity */
export function listUnread({ lines, unread }: PastedText, refused: readonly UnreadBatchLine[]) {
  const texts = new Map(lines.map(({ line, text }) => [line, text]));
  const pasted = refused.map((each) => ({ ...each, text: texts.get(each.line) ?? each.text }));
  return [...unread, ...pasted].sort((a, b) => a.line - b.line);
}

/** Number of lines without the header. */
export function countLines(text: string): number {
  const { lines, unread } = readBatchLines(text);
  return lines.length + unread.length;
}

/** Replaces the part number in a line. */
export function replaceInLine(text: string, line: string, number: string): string {
  const wrong = readBatchLines(text).lines.find((read) => read.text === line)?.number ?? '';
  const mend = (each: string) => {
    let at = 0;
    // A header may put the number behind another column.
    while (wrong !== '' && at < each.length) {
      const { cell, end } = readCell(each, at, '\t;,');
      if (at > 0 && foldPartNumber(cell).toUpperCase() === wrong) {
        return each.slice(0, at) + number + each.slice(end);
      }
      at = end + 1;
    }
    return replaceNumber(each, number);
  };
  const at = `\n${text}\n`.indexOf(`\n${line}\n`);
  return at === -1 ? text : text.slice(0, at) + mend(line) + text.slice(at + line.length);
}
