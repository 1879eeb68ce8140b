import { MAX_BATCH_LINES, MAX_STOCK } from '@parts-forge/contract/calls/bounds';
import { formatCount, formatPieces } from '@parts-forge/contract/money/money';
import type { LeftLine } from '@parts-forge/contract/orders/batch';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { toastError } from '#app/errors/toast-error.ts';
import { session, useSession } from '#app/session/session.ts';
import { toast } from '#app/ui/toast.tsx';
import {
  addToBrowserBatch,
  BATCH_PATH,
  batchLimits,
  readBrowserBatch,
  readLineCount,
  subscribeToBatch,
} from './browser-batch.ts';

export interface Batch {
  lines: number;
  /**
   * Adds pieces to the part's line. A visitor's lines stay in the browser.
   * @param isQuiet no toast for success, as for many parts in a row
   * @returns whether they were added
   */
  add: (productId: string, quantity: number, isQuiet?: boolean) => Promise<boolean>;
}

export function useBatch(): Batch {
  return { lines: useLineCount(), add: useCallback(addToBatch, []) };
}

/** Merges the browser's list after sign-in. Use it once per page. */
export function useJoinBatch(): void {
  const { status } = useSession();
  useEffect(() => {
    if (status !== 'signed-in' || !readBrowserBatch()) return;
    // The next page retries a failure.
    void import('./saved-batch.ts').then(({ joinBrowserBatch }) => joinBrowserBatch()).catch(() => undefined);
  }, [status]);
}

/** Lines of the account or visitor; 0 on the server and while the session loads. */
function useLineCount(): number {
  const state = useSession();
  const account = state.status === 'signed-in' ? state.user.id : null;
  const count = () => {
    if (state.status === 'loading') return 0;
    return account === null ? (readBrowserBatch()?.lines.length ?? 0) : readLineCount(account);
  };
  return useSyncExternalStore(subscribeToBatch, count, () => 0);
}

/** Names of the parts that found no room in the account's batch. */
export function useRefusedLines(): readonly string[] {
  const read = () => JSON.stringify(readBrowserBatch()?.refused ?? []);
  return JSON.parse(useSyncExternalStore(subscribeToBatch, read, () => '[]'));
}

async function addToBatch(productId: string, quantity: number, isQuiet = false): Promise<boolean> {
  try {
    const lines = await countAfterAdding(productId, quantity);
    if (lines === 'gone') {
      const link = { to: `/products/${productId}`, text: 'What fits instead' };
      toast('error', 'Not added: This part is no longer sold.', link);
      return false;
    }
    if (typeof lines === 'string') {
      toast('error', `Not added: ${batchLimits}.`);
      return false;
    }
    const link = { to: BATCH_PATH, text: `Open batch, ${formatCount(lines, 'line')}` };
    if (!isQuiet) toast('success', `${formatPieces(quantity)} pieces added to the batch.`, link);
    return true;
  } catch (error) {
    toastError(error);
    return false;
  }
}

/** Lines after adding, or why the part was not added. */
async function countAfterAdding(productId: string, quantity: number): Promise<number | LeftLine['reason']> {
  const { status } = await session.resolve();
  if (status !== 'signed-in') {
    const lines = readBrowserBatch()?.lines ?? [];
    const before = lines.find((line) => line.productId === productId)?.quantity;
    if (before === undefined && lines.length >= MAX_BATCH_LINES) return 'batch-full';
    if ((before ?? 0) + quantity > MAX_STOCK) return 'above-limit';
    addToBrowserBatch({ productId, quantity });
    return readBrowserBatch()?.lines.length ?? 'batch-full';
  }
  const { addToSavedBatch } = await import('./saved-batch.ts');
  const { data, left } = await addToSavedBatch([{ productId, quantity }]);
  return left[0]?.reason ?? data.length;
}
