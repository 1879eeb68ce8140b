import type { UnreadBatchLine } from '@parts-forge/contract/batch';
import { type DragEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { describeError } from '#app/errors/describe-error.ts';
import { useDraft } from '#app/forms/use-draft.ts';
import { isWorkbook, readTextFile } from '#app/ui/read-text-file.ts';
import { countLines, listUnread, readPaste, replaceInLine } from './paste-text.ts';
import { useAddLines } from './queries.ts';

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
  const field = useRef<HTMLTextAreaElement>(null);
  const { add, refuse, result, problem, busy, clear } = useAdding(lineCount, field, setText);
  const addFile = async (file: File) => {
    const content = await readTextFile(file);
    if (isWorkbook(content)) refuse('This is an Excel workbook: save it as CSV.');
    else await add(content);
  };
  return {
    text,
    /** How many lines stand in the field and are not in the batch. */
    waiting: countLines(text),
    result,
    problem,
    busy,
    field,
    add: () => void add(text),
    addFile: (file: File) => void addFile(file),
    drop: (event: DragEvent) => {
      const [file] = event.dataTransfer.files;
      // The field takes a dropped text by itself.
      if (!file) return;
      event.preventDefault();
      void addFile(file);
    },
    type: (typed: string) => {
      setText(typed);
      clear(typed.trim() === '');
    },
    take: (({ text: line }, suggestion) => {
      setText(replaceInLine(text, line, suggestion));
      field.current?.focus();
    }) satisfies Suggest,
  };
}

export type Paste = ReturnType<typeof usePaste>;

interface Outcome {
  result: Result | null;
  /** Why nothing was sent or no answer came. */
  problem: string | null;
}

/** Sends a text to become lines and leaves in the field what was not added. */
function useAdding(
  lineCount: number,
  field: RefObject<HTMLTextAreaElement | null>,
  setText: (text: string) => void,
) {
  const [{ result, problem }, setOutcome] = useState<Outcome>({ result: null, problem: null });
  const adding = useAddLines();
  useEffect(() => {
    if (result === null) return;
    // The lines that were added push this form down.
    if (result.unread.length > 0) field.current?.focus();
    else document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [result, field]);

  const refuse = (reason: string | null) => setOutcome({ result: null, problem: reason });
  const add = async (given: string) => {
    if (adding.isPending) return;
    setText(given);
    const paste = readPaste(given);
    refuse(paste.refusal);
    if (paste.refusal) return field.current?.focus();
    try {
      const answer = await adding.mutateAsync(paste.sent);
      const unread = listUnread(paste, answer.unread);
      const added = paste.lines.length + paste.unread.length - unread.length;
      const joined = added - (answer.data.length - lineCount);
      setOutcome({ result: { added, joined, unread }, problem: null });
      const left = unread.map((line) => line.text);
      // Without it the lines that stay would be read by place.
      if (paste.header !== null && left.length > 0) left.unshift(paste.header);
      setText(left.join('\n'));
    } catch (error) {
      refuse(describeError(error));
    }
  };
  /** What is typed mends the problem; an empty field has no unread lines either. */
  const clear = (isEmpty: boolean) =>
    setOutcome((before) => ({ result: isEmpty ? null : before.result, problem: null }));
  return { add, refuse, clear, result, problem, busy: adding.isPending };
}
