import { formatPieces } from '@parts-forge/contract/money/money';
import type { Instead } from '@parts-forge/contract/products/instead';
import { useState } from 'react';
import type { BrowserLine } from '#app/batch/browser-batch.ts';
import { toastError } from '#app/errors/toast-error.ts';
import { toast } from '#app/ui/toast.tsx';
import { useLateFocus } from '#app/ui/use-late-focus.ts';
import { findDecisionId, quantityFieldId } from './line-ids.ts';
import { useSetQuantities } from './queries.ts';
import type { LineOnPage } from './use-batch-lines.ts';
import type { List } from './use-list.ts';

/** A line that stands for another one, until the page is left. */
interface Exchanged {
  text: string;
  /** Quantities before; null if a removed part cannot come back. */
  before: BrowserLine[] | null;
}

export type Exchange = ReturnType<typeof useExchange>;

/** Puts one part in the place of another, and back. */
export function useExchange(rows: readonly LineOnPage[], list: Pick<List, 'addStandIn'>) {
  const setting = useSetQuantities();
  const [exchanged, setExchanged] = useState<ReadonlyMap<string, Exchanged>>(new Map());
  const moveFocus = useLateFocus();
  const send = async (lines: BrowserLine[], focused: string) => {
    try {
      await setting.mutateAsync(lines);
    } catch (error) {
      toastError(error);
      return false;
    }
    moveFocus(focused);
    return true;
  };
  return {
    exchanged,
    /** @param pieces of the other part; @param left of this one */
    exchange: async (
      { product, quantity, gone }: LineOnPage,
      other: Instead,
      pieces: number,
      left: number,
    ) => {
      const known = rows.find((row) => row.product._id === other.product._id)?.quantity ?? 0;
      const line = { productId: product._id, quantity };
      const standIn = { productId: other.product._id, quantity: known };
      const isSent = await send(
        [
          { ...line, quantity: left },
          { ...standIn, quantity: known + pieces },
        ],
        findNextId(rows, line.productId) ?? quantityFieldId(other),
      );
      if (!isSent) return;
      // Not all pieces of the line stand for the other part.
      const isPart = left > 0 || known > 0;
      const former = `${isPart ? `${formatPieces(pieces)} of ` : ''}${product.number}.`;
      const before = gone ? null : [line, standIn];
      list.addStandIn(line.productId, standIn.productId, known);
      toast('success', `${other.product.number} is in the batch instead of ${former}`);
      setExchanged((all) => new Map(all).set(standIn.productId, { text: `Instead of ${former}`, before }));
    },
    undo: async (productId: string) => {
      const before = exchanged.get(productId)?.before ?? [];
      if (await send(before, `quantity-${before[0]?.productId}`))
        setExchanged((all) => new Map([...all].filter(([id]) => id !== productId)));
    },
  };
}

/** Of the next line to decide, so that nobody loses the place among them. */
function findNextId(rows: readonly LineOnPage[], id: string): string | undefined {
  const place = rows.findIndex(({ product }) => product._id === id);
  const next = [...rows.slice(place + 1), ...rows.slice(0, place)].find(({ problem }) => problem !== null);
  return next && findDecisionId({ number: 0, row: next });
}
