import { MAX_BATCH_LINES, MAX_STOCK } from '@parts-forge/contract/calls/bounds';
import { formatPieces } from '@parts-forge/contract/money/money';
import { readFrom, storeIn } from '#app/ui/browser-storage.ts';
import { createId } from '#app/ui/create-id.ts';

/**
 * A visitor's list, kept until sign-in, and an account's last known line count. Small and without schemas,
 * because every page loads it.
 */

export const BATCH_PATH = '/dashboard/batch';
/** Its field for pasted lines. */
export const linesFieldId = 'add-lines';
/** The sign-in keeps the query, not the hash. */
export const PASTE_PATH = `${BATCH_PATH}?paste`;

export const batchLimits = `a batch has at most ${MAX_BATCH_LINES} lines of ${formatPieces(MAX_STOCK)} pieces each`;

export interface BrowserLine {
  productId: string;
  quantity: number;
}

/** `join` names the list, so that the API merges it only once. */
export interface BrowserBatch {
  join: string;
  lines: readonly BrowserLine[];
  /** The account's batch had no room for them; names of their parts. */
  refused?: readonly string[];
}

const LIST_KEY = 'batch';
const COUNT_KEY = 'batch-lines';

const listeners = new Set<() => void>();

/** Calls `listener` after every change, also of other tabs. Returns the unsubscribe function. */
export function subscribeToBatch(listener: () => void): () => void {
  listeners.add(listener);
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key === LIST_KEY || key === COUNT_KEY) listener();
  };
  addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', onStorage);
  };
}

/** The list awaiting a sign-in; null when empty. */
export function readBrowserBatch(): BrowserBatch | null {
  const batch = readFrom<Partial<BrowserBatch>>('localStorage', LIST_KEY);
  if (typeof batch?.join !== 'string' || !Array.isArray(batch.lines)) return null;
  const lines = batch.lines.filter(isLine);
  const { join, refused } = batch;
  return lines.length > 0 ? { join, lines, ...(refused && { refused }) } : null;
}

export function addToBrowserBatch({ productId, quantity }: BrowserLine): void {
  const lines = readBrowserBatch()?.lines ?? [];
  const known = lines.find((line) => line.productId === productId);
  const others = lines.filter((line) => line !== known);
  const added = { productId, quantity: quantity + (known?.quantity ?? 0) };
  // A new name with each change: after a merge with a lost response, additions would be ignored.
  store(LIST_KEY, { join: createId(), lines: [...others, added] });
}

/** Removes the merged list but the lines that found no room, unless it has grown since. */
export function forgetBrowserBatch(
  { join, lines }: BrowserBatch,
  refused: readonly { productId: string; name?: string | undefined }[] = [],
): void {
  if (readBrowserBatch()?.join !== join) return;
  const left = lines.filter((line) => refused.some(({ productId }) => productId === line.productId));
  const names = refused.map(({ name = 'a part' }) => name);
  store(LIST_KEY, left.length === 0 ? null : { join: createId(), lines: left, refused: names });
}

/** Last known count of the account's saved lines; -1 for an administrator, who has no batch. */
export function readLineCount(account: string): number {
  const count = readFrom<{ account?: unknown; lines?: unknown }>('localStorage', COUNT_KEY);
  return count !== null && count.account === account && typeof count.lines === 'number' ? count.lines : 0;
}

export function storeLineCount(account: string, lines: number): void {
  if (readLineCount(account) !== lines) store(COUNT_KEY, { account, lines });
}

const isLine = (line: Partial<BrowserLine> | null): line is BrowserLine =>
  typeof line?.productId === 'string' && typeof line.quantity === 'number';

function store(key: string, value: object | null): void {
  storeIn('localStorage', key, value && JSON.stringify(value));
  for (const listener of listeners) listener();
}
