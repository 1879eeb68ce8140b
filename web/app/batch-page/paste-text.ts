import type { UnreadBatchLine } from '@parts-forge/contract/batch';
import { readBatchLines, replaceNumber } from '@parts-forge/contract/batch-lines';
import { MAX_BATCH_LINES, MAX_BATCH_TEXT } from '@parts-forge/contract/bounds';
import { formatPieces } from '@parts-forge/contract/money';

/** Characters that one file may have, with columns that are not sent. */
const MAX_FILE_TEXT = 200_000;

/** A pasted text as it is sent, or why it is not. */
export interface PastedText extends ReturnType<typeof readBatchLines> {
  /** Each line that can be read in its place, by number and quantity alone: descriptions would make a long request. */
  sent: string;
  /** Null when it can be sent. */
  refusal: string | null;
}

export function readPaste(text: string): PastedText {
  const read = readBatchLines(text.slice(0, MAX_FILE_TEXT));
  const rows = Array.from({ length: read.lines.at(-1)?.line ?? 0 }, () => '');
  for (const { line, number, quantity } of read.lines) rows[line - 1] = `${number};${quantity}`;
  const sent = rows.join('\n');
  return { ...read, sent, refusal: refuseText(text, sent) };
}

function refuseText(text: string, sent: string): string | null {
  if (text.trim() === '') return 'Paste or type a line first.';
  if (text.length > MAX_FILE_TEXT) return `At most ${formatPieces(MAX_FILE_TEXT)} characters at once.`;
  return sent.length > MAX_BATCH_TEXT ? `These are too many lines: a batch has ${MAX_BATCH_LINES}.` : null;
}

/** The lines that were not added, as they were pasted. @param refused by the shop, which got numbers and quantities */
export function listUnread({ lines, unread }: PastedText, refused: readonly UnreadBatchLine[]) {
  const texts = new Map(lines.map(({ line, text }) => [line, text]));
  const pasted = refused.map((each) => ({ ...each, text: texts.get(each.line) ?? each.text }));
  return [...unread, ...pasted].sort((a, b) => a.line - b.line);
}

/** How many lines a text has beside its header. */
export function countLines(text: string): number {
  const { lines, unread } = readBatchLines(text);
  return lines.length + unread.length;
}

/** Puts another part number in place of the one in a line. */
export function replaceInLine(text: string, line: string, number: string): string {
  const wrong = readBatchLines(text).lines.find((read) => read.text === line)?.number ?? '';
  const mend = (each: string) => {
    const at = each.toUpperCase().indexOf(wrong);
    // Behind another column, where a header says so; else in front, in any characters.
    return at > 0 && wrong !== ''
      ? each.slice(0, at) + number + each.slice(at + wrong.length)
      : replaceNumber(each, number);
  };
  return text
    .split('\n')
    .map((each) => (each === line ? mend(each) : each))
    .join('\n');
}
