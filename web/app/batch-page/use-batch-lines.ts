import { MAX_STOCK } from '@parts-forge/contract/calls/bounds';
import { countPieces, readPieces } from '@parts-forge/contract/files/number-text';
import { lineCents, unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { BatchLine } from '@parts-forge/contract/orders/batch';
import { useEffect, useRef, useState } from 'react';
import { useShopTimeZone } from '#app/calls/shop-config.ts';
import { useOwnPrice } from '#app/users/own-prices.ts';
import type { OwnPriced } from '#app/users/watch-own-prices.tsx';
import { explainLine, findFormerPrice, type Sentence } from './explain-line.ts';
import { useWriteLine } from './queries.ts';

/** Typing pause before a quantity is saved. */
const SAVE_AFTER_MS = 600;

/** A line with its typed quantity. */
export interface LineOnPage extends BatchLine {
  product: BatchLine['product'] & OwnPriced;
  text: string;
  /** 0 if empty, unreadable or negative. */
  pieces: number;
  /** null when the quantity can be ordered. */
  problem: Sentence | null;
  /** Unit price at this quantity, in cents. */
  unitCents: number;
  totalCents: number;
  /** Former unit price in cents; null if unchanged. */
  formerCents: number | null;
  setText: (text: string) => void;
  /** Saves a delayed quantity at once. */
  save: () => void;
}

/** Saves each typed quantity after a pause. */
export function useBatchLines(lines: readonly BatchLine[]): {
  rows: LineOnPage[];
  saving: ReturnType<typeof useWriteLine>;
} {
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const saving = useWriteLine();
  const timeZone = useShopTimeZone();
  const { mutateAsync } = saving;
  const saves = useDelayedSaves();

  /** Shows the typed text until the server has stored that value. */
  const forget = (productId: string, text: string) =>
    setTyped((before) => {
      if (before.get(productId) !== text) return before;
      return new Map([...before].filter(([id]) => id !== productId));
    });
  const setText = (productId: string, text: string) => {
    setTyped((before) => new Map(before).set(productId, text));
    saves.cancel(productId);
    const quantity = readPieces(text);
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > MAX_STOCK) return;
    saves.delay(productId, () => {
      mutateAsync({ productId, quantity }).then(
        () => forget(productId, text),
        () => {},
      );
    });
  };
  const own = useOwnPrice([]);
  const rows = lines.map((listed): LineOnPage => {
    const line = { ...listed, product: { ...own(listed.product), ownPrices: listed.ownPrices } };
    const { _id } = line.product;
    return {
      ...computeLine(line, typed.get(_id) ?? String(line.quantity), timeZone),
      setText: (text) => setText(_id, text),
      save: () => saves.run(_id),
    };
  });
  return { rows, saving };
}

/** Debounced saves by part; unmounting runs the pending ones. */
function useDelayedSaves() {
  const waiting = useRef(new Map<string, { timer: number; save: () => void }>());
  const cancel = (productId: string) => {
    clearTimeout(waiting.current.get(productId)?.timer);
    waiting.current.delete(productId);
  };
  const run = (productId: string) => {
    const delayed = waiting.current.get(productId);
    cancel(productId);
    delayed?.save();
  };
  const delay = (productId: string, save: () => void) => {
    const timer = window.setTimeout(() => run(productId), SAVE_AFTER_MS);
    waiting.current.set(productId, { timer, save });
  };
  useEffect(() => {
    const { current } = waiting;
    return () => {
      for (const { timer, save } of current.values()) {
        clearTimeout(timer);
        save();
      }
      current.clear();
    };
  }, []);
  return { cancel, run, delay };
}

function computeLine(line: BatchLine, text: string, timeZone: string): Omit<LineOnPage, 'setText' | 'save'> {
  const pieces = countPieces(text);
  return {
    ...line,
    text,
    pieces,
    problem: explainLine(text, line, timeZone),
    unitCents: unitPriceFor(pieces, line.product),
    totalCents: lineCents(pieces, line.product),
    formerCents: pieces === line.quantity ? findFormerPrice(line) : null,
  };
}
