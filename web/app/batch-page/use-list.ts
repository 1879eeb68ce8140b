import { MAX_BATCH_TEXT } from '@parts-forge/contract/calls/bounds';
import type { AddedList, UnreadBatchLine } from '@parts-forge/contract/orders/batch';
import { foldPartName } from '@parts-forge/contract/products/part-rules';
import type { Product } from '@parts-forge/contract/products/products';
import { useRef, useState } from 'react';
import { linesFieldId } from '#app/batch/browser-batch.ts';
import { describeError } from '#app/errors/describe-error.ts';
import { toastError } from '#app/errors/toast-error.ts';
import { useDraft } from '#app/forms/use-draft.ts';
import { useWriteAlias } from '#app/own-names/queries.ts';
import { readListFile } from '#app/ui/files.ts';
import { focusHeading } from '#app/ui/focus-heading.ts';
import { toast } from '#app/ui/toast.tsx';
import { useAddFile, useAddLines, useSetQuantities } from './queries.ts';
import { useDrops } from './use-drops.ts';

/** The last list, as the shop read it, until it is taken back or placed. */
export interface ReadList extends Pick<AddedList, 'lines' | 'read'> {
  name: string;
  /** Lines that were not read. */
  leftOut: number;
}

/** A line on this page alone. `line` is negative once another list was read. */
export type UnreadLine = UnreadBatchLine & Pick<AddedList, 'header'>;

export interface Kept {
  list: ReadList | null;
  unread: readonly UnreadLine[];
}
const nothing: Kept = { list: null, unread: [] };

export type List = ReturnType<typeof useList>;

/** Typed, pasted, dropped and chosen lists. The last one and all unread lines survive a reload. */
export function useList(email: string) {
  const [text, setText] = useState('');
  const [kept, setKept] = useState(nothing);
  useDraft('batch-lines', email, {
    read: () => ({ text, ...kept }),
    initial: { text: '', ...nothing },
    restore: ({ text: typed = '', ...before }) => {
      setText(typed);
      setKept({ ...nothing, ...before });
    },
  });
  const changes = useKept(kept, setKept);
  const { addText, ...reading } = useReading(changes.show);
  useDrops({
    addFile: reading.addFile,
    addText: (pasted) => void addText('Your lines', pasted).catch(toastError),
  });
  return {
    ...kept,
    ...changes,
    ...reading,
    text,
    setText,
    /** @throws as `callShop`; the text then stays */
    addTyped: async () => {
      if (await addText('Your lines', text)) setText('');
    },
    /** Puts a line back into the field, below the header of its list. */
    edit: (line: UnreadLine) => {
      const head = line.header && !text.includes(line.header) ? [line.header] : [];
      setText([...head, ...(text.trim() === '' ? [] : [text.trimEnd()]), line.text].join('\n'));
      changes.drop(line);
      // Once the field is there.
      requestAnimationFrame(() => document.getElementById(linesFieldId)?.focus());
    },
  };
}

/** Changes the last list and its unread lines. */
function useKept({ list, unread }: Kept, setKept: (change: (before: Kept) => Kept) => void) {
  const setting = useSetQuantities();
  const drop = (line: UnreadLine, added: AddedList['lines'] = []) =>
    setKept(({ list, unread }) => {
      const known = new Set(list?.lines.map(({ productId }) => productId));
      const more = added.filter(({ productId }) => !known.has(productId));
      const lines = [...(list?.lines ?? []), ...more.map((each) => ({ ...each, line: line.line }))];
      return { list: list && { ...list, lines }, unread: unread.filter((each) => each !== line) };
    });
  return {
    ...useAddUnread(unread, drop),
    drop,
    show: (name: string, { lines, unread, header, read }: AddedList) =>
      setKept((before) => ({
        list: { name, read, lines, leftOut: unread.length },
        unread: [
          ...before.unread.map((line, index) => ({ ...line, line: index - before.unread.length })),
          ...unread.map((line) => ({ ...line, header })),
        ],
      })),
    /** Gives a part the place of another in the list. @param before its pieces in the batch */
    addStandIn: (from: string, productId: string, before: number) =>
      setKept(({ list, unread }) => {
        const place = list?.lines.find((line) => line.productId === from);
        const isListed = list?.lines.some((line) => line.productId === productId);
        if (!list || !place || isListed) return { list, unread };
        return { list: { ...list, lines: [...list.lines, { ...place, productId, before }] }, unread };
      }),
    /** Removes what the list added, and restores quantities that it changed. */
    takeBack: async () => {
      try {
        await setting.mutateAsync(
          (list?.lines ?? []).map(({ productId, before }) => ({ productId, quantity: before })),
        );
        setKept(({ unread }) => ({ list: null, unread: unread.filter(({ line }) => line < 0) }));
        // The pressed button is gone.
        focusHeading();
      } catch (error) {
        toastError(error);
      }
    },
    /** Placed lines are not taken back. */
    forgetPlaced: (placed: readonly string[]) =>
      setKept(({ list, unread }) => {
        const lines = list?.lines.filter(({ productId }) => !placed.includes(productId)) ?? [];
        return { list: list && lines.length > 0 ? { ...list, lines } : null, unread };
      }),
    forgetAll: () => setKept(() => nothing),
  };
}

type Drop = (line: UnreadLine, added: AddedList['lines']) => void;

function useAddUnread(unread: readonly UnreadLine[], drop: Drop) {
  const adding = useAddLines();
  const remembering = useWriteAlias();
  const addAs = async (number: string, same: readonly UnreadLine[]) => {
    const text = same.map(({ asked }) => `${number};${asked?.quantity}`).join('\n');
    const answer = await adding.mutateAsync({ text });
    if (answer.unread[0]) return toast('error', answer.unread[0].reason);
    for (const line of same) drop(line, answer.lines);
  };
  return {
    /** Adds a line by another number. */
    take: (line: UnreadLine, number: string) => addAs(number, [line]).catch(toastError),
    /** One choice is for all lines with the name. @param isRemembered also for later lists */
    choose: async (line: UnreadLine, { _id: productId, number }: Product, isRemembered: boolean) => {
      const alias = line.asked?.name ?? '';
      const isSame = ({ asked }: UnreadLine) => asked && foldPartName(asked.name) === foldPartName(alias);
      try {
        if (isRemembered) await remembering.mutateAsync({ alias, productId });
        await addAs(number, unread.filter(isSame));
      } catch (error) {
        toastError(error);
      }
    },
  };
}
/** @param quantity one of the columns that an earlier answer asked for */
type Send = (quantity?: string) => Promise<AddedList>;

interface Reading {
  /** Name of the file that is being read. */
  reading: string | null;
  /** Why the last file was not read. */
  refusal: string | null;
  /** Nothing is added before one of its columns is chosen. */
  question: { name: string; columns: NonNullable<AddedList['columns']>; send: Send } | null;
}
const idle: Reading = { reading: null, refusal: null, question: null };

function useReading(show: (name: string, answer: AddedList) => void) {
  const adding = useAddLines();
  const sending = useAddFile();
  const strip = useRef<HTMLDivElement>(null);
  const [state, setState] = useState(idle);
  const { reading, question } = state;
  const read = async (name: string, send: Send, quantity?: string) => {
    setState({ ...idle, reading: name });
    try {
      const answer = await send(quantity);
      if (!answer.columns) show(name, answer);
      setState({ ...idle, question: answer.columns ? { name, columns: answer.columns, send } : null });
    } catch (error) {
      setState(idle);
      throw error;
    }
  };
  /** Says a failure in the strip. */
  const readInStrip = async (...list: Parameters<typeof read>) => {
    try {
      await read(...list);
    } catch (error) {
      // The columns stay: typed lines stand nowhere else.
      setState({ ...idle, refusal: describeError(error), question: list[2] ? question : null });
    }
    // Once it is there: the page is shorter now.
    requestAnimationFrame(() => strip.current?.focus());
  };
  return {
    ...state,
    strip,
    busy: reading !== null,
    /** @returns false while another list is read. @throws as `callShop` */
    addText: async (name: string, text: string): Promise<boolean> => {
      if (reading !== null) {
        toast('error', 'Lines are still being added. Paste these again after that.');
        return false;
      }
      const file = new File([text], name, { type: 'text/plain' });
      await read(name, (quantity) =>
        text.length > MAX_BATCH_TEXT
          ? sending.mutateAsync({ file, quantity })
          : adding.mutateAsync({ text, quantity }),
      );
      return true;
    },
    addFile: async (files: readonly File[]) => {
      if (reading !== null)
        return toast('error', 'Lines are still being added. Choose the file again after that.');
      await readInStrip(files[0]?.name ?? '', async (quantity) =>
        sending.mutateAsync({ file: await readListFile(files), quantity }),
      );
    },
    /** @param index of the question's columns */
    chooseColumn: (index: number) =>
      question && void readInStrip(question.name, question.send, String(index + 1)),
  };
}
