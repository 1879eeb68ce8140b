import type { BatchLine } from '@parts-forge/contract/batch';
import { MAX_STOCK } from '@parts-forge/contract/bounds';
import { totalCents, unitPriceFor } from '@parts-forge/contract/pricing';
import { readNumberText } from '@parts-forge/contract/quantity';
import { useEffect, useRef, useState } from 'react';
import { canOrder, explainLine, findFormerPrice, type Sentence } from './explain-line.ts';
import { useWriteLine } from './queries.ts';

/** How long somebody has stopped typing before a quantity is saved. */
const SAVE_AFTER_MS = 600;

/** A line as it is shown, with what is typed into it. */
export interface LineOnPage extends BatchLine {
  /** As typed. */
  text: string;
  /** null for an empty field */
  pieces: number | null;
  /** Why it cannot be ordered; null when it can. */
  problem: Sentence | null;
  /** Whether there is a quantity of the part that can be ordered. */
  isMendable: boolean;
  /** The price of a piece at this quantity, in cents. */
  unitCents: number;
  totalCents: number;
  /** What a piece cost before, where the price changed since the line was; else null. */
  formerCents: number | null;
  setText: (text: string) => void;
  /** Saves at once what waits to be saved. */
  save: () => void;
}

/** The lines of the list with their typed quantities, each saved a moment after it was changed. */
export function useBatchLines(lines: readonly BatchLine[]): {
  rows: LineOnPage[];
  saving: ReturnType<typeof useWriteLine>;
} {
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const saving = useWriteLine();
  const { mutateAsync } = saving;
  const timers = useRef(new Map<string, { timer: number; save: () => void }>());

  useEffect(() => {
    const waiting = timers.current;
    // Whoever leaves the page has changed what they changed.
    return () => {
      for (const { timer, save } of waiting.values()) {
        clearTimeout(timer);
        save();
      }
      waiting.clear();
    };
  }, []);

  /** What is typed stands in front of what is saved only until that is the same. */
  const forget = (productId: string, text: string) =>
    setTyped((before) => {
      if (before.get(productId) !== text) return before;
      return new Map([...before].filter(([id]) => id !== productId));
    });
  const saveNow = (productId: string) => {
    const waiting = timers.current.get(productId);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    timers.current.delete(productId);
    waiting.save();
  };
  const setText = (productId: string, text: string) => {
    setTyped((before) => new Map(before).set(productId, text));
    clearTimeout(timers.current.get(productId)?.timer);
    timers.current.delete(productId);
    const quantity = readPieces(text);
    if (quantity === null || !Number.isInteger(quantity) || quantity < 1 || quantity > MAX_STOCK) return;
    const save = () =>
      void mutateAsync({ productId, quantity }).then(
        () => forget(productId, text),
        () => {},
      );
    const timer = window.setTimeout(() => saveNow(productId), SAVE_AFTER_MS);
    timers.current.set(productId, { timer, save });
  };

  const rows = lines.map((line): LineOnPage => {
    const { _id } = line.product;
    const text = typed.get(_id) ?? String(line.quantity);
    const pieces = readPieces(text);
    const counted = Math.max(0, Math.trunc(pieces ?? 0));
    const unitCents = unitPriceFor(counted, line.product);
    return {
      ...line,
      text,
      pieces,
      problem: explainLine(pieces, line),
      isMendable: canOrder(line),
      unitCents,
      totalCents: totalCents(counted, unitCents),
      formerCents: pieces === line.quantity ? findFormerPrice(line) : null,
      setText: (changed) => setText(_id, changed),
      save: () => saveNow(_id),
    };
  });
  return { rows, saving };
}

const readPieces = (text: string): number | null => (text.trim() === '' ? null : readNumberText(text));
