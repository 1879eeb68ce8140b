import type { UnreadBatchLine } from '@parts-forge/contract/orders/batch';
import { type DragEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { describeError } from '#app/errors/describe-error.ts';
import { useDraft } from '#app/forms/use-draft.ts';
import { readListFile } from '#app/ui/read-text-file.ts';
import { toast } from '#app/ui/toast.tsx';
import { countLines, listUnread, readPaste, replaceInLine } from './paste-text.ts';
import { useAddFile, useAddLines } from './queries.ts';

export interface Result {
  added: number;
  /** Added lines whose part already had a line. */
  joined: number;
  unread: readonly UnreadBatchLine[];
  /** Number of the first unread line in the field: behind the header. */
  first: number;
  /** What the shop read in a file. */
  about?: string;
}

/** Replaces a line's part number. */
export type Suggest = (line: UnreadBatchLine, suggestion: string) => void;

/**
 * Unread lines stay in the field, with the last result.
 * @param lineCount lines in the batch
 */
export function usePaste(email: string, lineCount: number) {
  const [text, setText] = useState('');
  /** Not the rest of a file. */
  const [isTyped, setTyped] = useState(true);
  useDraft('batch-lines', email, {
    read: () => ({ text }),
    initial: { text: '' },
    restore: ({ text: kept }) => setText(kept ?? ''),
  });
  const field = useRef<HTMLTextAreaElement>(null);
  const { add, send, refuse, result, problem, busy, clear } = useAdding(lineCount, field, setText);
  const addFile = async (files: readonly File[]) => {
    // The answer to the lines before would replace a sentence in the form.
    if (busy) return toast('error', 'Lines are still being added. Choose the file again after that.');
    if (isTyped && text.trim() !== '') {
      return toast('error', 'Lines still wait in the field. Add or delete them, then choose the file again.');
    }
    setTyped(false);
    try {
      const content = await readListFile(files);
      if (typeof content === 'string') await add(content);
      else await send(content);
    } catch (error) {
      refuse(describeError(error));
    }
  };
  const drop = (event: DragEvent) => {
    const { files } = event.dataTransfer;
    // The browser inserts dropped text itself.
    if (files.length === 0) return;
    event.preventDefault();
    void addFile([...files]);
  };
  const type = (typed: string) => {
    setText(typed);
    setTyped(true);
    clear(typed.trim() === '');
  };
  const take: Suggest = ({ text: line }, suggestion) => {
    setText(replaceInLine(text, line, suggestion));
    field.current?.focus();
  };
  return {
    text,
    /** Lines that are not in the batch. */
    waiting: countLines(text),
    result,
    problem,
    busy,
    field,
    add: () => void add(text),
    addFile: (file: File) => void addFile([file]),
    drop,
    type,
    take,
  };
}

export type Paste = ReturnType<typeof usePaste>;

interface Outcome {
  result: Result | null;
  /** Why nothing was sent, or that no response came. */
  problem: string | null;
}

interface Answer extends Pick<Result, 'added' | 'unread'> {
  data: readonly unknown[];
  header?: string | null | undefined;
}

/** Sends a text as lines, or a file; unread ones stay in the field. */
function useAdding(
  lineCount: number,
  field: RefObject<HTMLTextAreaElement | null>,
  setText: (text: string) => void,
) {
  const { result, problem, refuse, clear, setResult } = useOutcome(field);
  const adding = useAddLines();
  const sending = useAddFile();
  const show = ({ data, added, unread, header }: Answer, about?: string) => {
    const joined = added - (data.length - lineCount);
    setResult({ added, joined, unread, first: header ? 2 : 1, ...(about && { about }) });
    const left = unread.map((line) => line.text);
    // Without its header, the rest would be read by column position.
    if (header && left.length > 0) left.unshift(header);
    setText(left.join('\n'));
  };
  const add = async (given: string) => {
    if (adding.isPending) return;
    setText(given);
    const paste = readPaste(given);
    refuse(paste.refusal);
    if (paste.refusal) return field.current?.focus();
    try {
      const { data, ...answer } = await adding.mutateAsync(paste.sent);
      const unread = listUnread(paste, answer.unread);
      const added = paste.lines.length + paste.unread.length - unread.length;
      show({ data, added, unread, header: paste.header });
    } catch (error) {
      refuse(describeError(error));
    }
  };
  const send = async (file: File) => {
    refuse(null);
    try {
      const answer = await sending.mutateAsync(file);
      show(answer, `${file.name}: ${answer.read}`);
    } catch (error) {
      refuse(describeError(error));
    }
  };
  return { add, send, refuse, clear, result, problem, busy: adding.isPending || sending.isPending };
}

function useOutcome(field: RefObject<HTMLTextAreaElement | null>) {
  const [{ result, problem }, setOutcome] = useState<Outcome>({ result: null, problem: null });
  useEffect(() => {
    if (result === null) return;
    // The added lines push this form down.
    if (result.unread.length > 0) field.current?.focus();
    else document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [result, field]);
  const refuse = (reason: string | null) => setOutcome({ result: null, problem: reason });
  const setResult = (added: Result) => setOutcome({ result: added, problem: null });
  /** Typing clears the problem; an empty field clears the unread lines too. */
  const clear = (isEmpty: boolean) =>
    setOutcome((before) => ({ result: isEmpty ? null : before.result, problem: null }));
  return { result, problem, refuse, clear, setResult };
}
