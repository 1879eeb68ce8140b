import { MAX_BATCH_LINES } from '@parts-forge/contract/bounds';
import { formatPieces } from '@parts-forge/contract/money';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { describeError } from '#app/errors/describe-error.ts';
import { session, useSession } from '#app/session/session.ts';
import { describeLines } from '#app/ui/describe-lines.ts';
import { toast } from '#app/ui/toast.tsx';
import { addToBrowserBatch, readBrowserBatch, readLineCount, subscribeToBatch } from './browser-batch.ts';

export const BATCH_PATH = '/dashboard/batch';

/** The batch for every page: how many lines it has, and adding to it. */
export interface Batch {
  lines: number;
  /**
   * Adds pieces of a part, to those of the line that is there already, and tells the person what became of it. A visitor's
   * lines stay in the browser until they sign in.
   * @returns whether they were added
   */
  add: (productId: string, quantity: number) => Promise<boolean>;
}

export function useBatch(): Batch {
  return { lines: useLineCount(), add: useCallback(addToBatch, []) };
}

/** Saves what the browser has kept as soon as somebody signs in. For the one place that every page has. */
export function useJoinBatch(): void {
  const { status } = useSession();
  useEffect(() => {
    if (status !== 'signed-in' || !readBrowserBatch()) return;
    // What fails is tried again by the next page.
    void import('./saved-batch.ts').then(({ joinBrowserBatch }) => joinBrowserBatch()).catch(() => undefined);
  }, [status]);
}

/** Lines of whoever uses this browser; none on the server and until it is known who that is. */
function useLineCount(): number {
  const state = useSession();
  const account = state.status === 'signed-in' ? state.user.id : null;
  const count = () => {
    if (state.status === 'loading') return 0;
    return account === null ? (readBrowserBatch()?.lines.length ?? 0) : readLineCount(account);
  };
  return useSyncExternalStore(subscribeToBatch, count, () => 0);
}

async function addToBatch(productId: string, quantity: number): Promise<boolean> {
  try {
    const lines = await countAfterAdding(productId, quantity);
    if (lines === null) {
      toast('error', `Not added: a batch has at most ${MAX_BATCH_LINES} lines, of parts that are sold.`);
      return false;
    }
    const link = { to: BATCH_PATH, text: `Open batch, ${describeLines(lines)}` };
    toast('success', `${formatPieces(quantity)} pieces added to the batch.`, link);
    return true;
  } catch (error) {
    toast('error', describeError(error));
    return false;
  }
}

/** Lines of the batch with the part in it; null when there was no room for it. */
async function countAfterAdding(productId: string, quantity: number): Promise<number | null> {
  const { status } = await session.resolve();
  if (status !== 'signed-in') {
    const lines = readBrowserBatch()?.lines ?? [];
    const isKnown = lines.some((line) => line.productId === productId);
    if (!isKnown && lines.length >= MAX_BATCH_LINES) return null;
    addToBrowserBatch({ productId, quantity });
    return readBrowserBatch()?.lines.length ?? null;
  }
  const { addToSavedBatch } = await import('./saved-batch.ts');
  const lines = await addToSavedBatch({ productId, quantity });
  return lines.some(({ product }) => product._id === productId) ? lines.length : null;
}
