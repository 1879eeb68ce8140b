import type { UnreadBatchLine } from '@parts-forge/contract/batch';
import { type ReadLine, readBatchLines, replaceNumber } from '@parts-forge/contract/batch-lines';
import { MAX_BATCH_LINES, MAX_BATCH_TEXT } from '@parts-forge/contract/bounds';
import { formatPieces } from '@parts-forge/contract/money';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { describeError } from '#app/errors/describe-error.ts';
import { useDraft } from '#app/forms/use-draft.ts';
import { isWorkbook, readTextFile } from '#app/ui/read-text-file.ts';
import { useAddLines } from './queries.ts';

/** Characters that one file may have, with columns that are not sent. */
const MAX_FILE_TEXT = 200_000;

/** The field with lines to add, for links that lead to it. */
export const linesFieldId = 'add-lines';

export interface Result {
  /** How many lines were added. */
  added: number;
  /** How many of them went to a part that had a line by then. */
  joined: number;
  unread: readonly UnreadBatchLine[];
}

/** Puts another number in place of a line's own. */
export type Suggest = (line: UnreadBatchLine, suggestion: string) => void;

/**
 * What is typed, pasted or dropped to become lines, and what became of it; what could not be read stays.
 * @param lineCount how many lines the batch has
 */
export function usePaste(email: string, lineCount: number) {
  const [text, setText] = useState('');
  useDraft('batch-lines', email, {
    read: () => ({ text }),
    initial: { text: '' },
    restore: ({ text: kept }) => setText(kept ?? ''),
  });
  const [result, setResult] = useState<Result | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const adding = useAddLines();
  useEffect(() => {
    if (result === null) return;
    // The lines that were added push this form down.
    if (result.unread.length > 0) field.current?.focus();
    else document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [result]);

  const add = async (given: string) => {
    if (adding.isPending) return;
    setResult(null);
    setText(given);
    const read = readBatchLines(given.slice(0, MAX_FILE_TEXT));
    const sent = keepReadColumns(read.lines);
    const problemNow = refuseText(given, sent);
    setProblem(problemNow);
    if (problemNow) return field.current?.focus();
    try {
      const answer = await adding.mutateAsync(sent);
      const { data } = answer;
      const texts = new Map(read.lines.map(({ line, text }) => [line, text]));
      const refused = answer.unread.map((each) => ({ ...each, text: texts.get(each.line) ?? each.text }));
      const unread = [...read.unread, ...refused].sort((a, b) => a.line - b.line);
      const added = read.lines.length + read.unread.length - unread.length;
      setResult({ added, joined: added - (data.length - lineCount), unread });
      const kept = unread.map((line) => line.text);
      // Without it the lines that stay would be read by place.
      if (read.header !== null && kept.length > 0) kept.unshift(read.header);
      setText(kept.join('\n'));
    } catch (error) {
      setProblem(describeError(error));
    }
  };
  const addFile = async (file: File) => {
    const content = await readTextFile(file);
    if (!isWorkbook(content)) return add(content);
    setResult(null);
    setProblem('This is an Excel workbook: save it as CSV.');
  };
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    // A text that is dropped is the field's own matter.
    if (!file) return;
    event.preventDefault();
    void addFile(file);
  };
  const type = (typed: string) => {
    setText(typed);
    setProblem(null);
    // The errors of lines that are gone.
    if (typed.trim() === '') setResult(null);
  };
  const take: Suggest = (line, suggestion) => {
    const lines = text.split('\n');
    const wrong = readBatchLines(text).lines.find((read) => read.text === line.text)?.number ?? '';
    const mend = (each: string) => {
      const at = each.toUpperCase().indexOf(wrong);
      // Behind another column, where a header says so; else in front, in whatever characters.
      return at > 0 && wrong !== ''
        ? each.slice(0, at) + suggestion + each.slice(at + wrong.length)
        : replaceNumber(each, suggestion);
    };
    const mended = lines.map((each) => (each === line.text ? mend(each) : each));
    setText(mended.join('\n'));
    field.current?.focus();
  };
  const standing = readBatchLines(text);
  return {
    text,
    type,
    /** How many lines stand in the field and are not in the batch. */
    waiting: standing.lines.length + standing.unread.length,
    result,
    problem,
    busy: adding.isPending,
    field,
    add,
    addFile: (file: File) => void addFile(file),
    drop,
    take,
  };
}

export type Paste = ReturnType<typeof usePaste>;

/** Each line that can be read in its place, by number and quantity alone: descriptions would make a long request. */
function keepReadColumns(lines: readonly ReadLine[]): string {
  const sent = Array.from({ length: lines.at(-1)?.line ?? 0 }, () => '');
  for (const { line, number, quantity } of lines) sent[line - 1] = `${number};${quantity}`;
  return sent.join('\n');
}

/** Why a text is not sent at all; null when it is. */
function refuseText(text: string, sent: string): string | null {
  if (text.trim() === '') return 'Paste or type a line first.';
  if (text.length > MAX_FILE_TEXT) return `At most ${formatPieces(MAX_FILE_TEXT)} characters at once.`;
  return sent.length > MAX_BATCH_TEXT ? `These are too many lines: a batch has ${MAX_BATCH_LINES}.` : null;
}
