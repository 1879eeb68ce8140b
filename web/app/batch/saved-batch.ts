import { formatCount } from '@parts-forge/contract/money/money';
import { type BatchLine, joinBatch, type LeftLine } from '@parts-forge/contract/orders/batch';
import { callShop } from '#app/calls/api-client.ts';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { session } from '#app/session/session.ts';
import { createId } from '#app/ui/create-id.ts';
import { toast } from '#app/ui/toast.tsx';
import {
  BATCH_PATH,
  type BrowserLine,
  forgetBrowserBatch,
  readBrowserBatch,
  storeLineCount,
} from './browser-batch.ts';

/** Names of additions whose answer was lost, by their lines. */
const unanswered = new Map<string, string>();

/**
 * The same lines again after a lost answer are added once.
 * @returns the updated saved list, and lines that were left out
 * @throws as `callShop`
 */
export async function addToSavedBatch(lines: readonly BrowserLine[]) {
  const added = lines.map(({ productId, quantity }) => ({ productId, quantity }));
  const key = JSON.stringify(added);
  const join = unanswered.get(key) ?? createId();
  unanswered.delete(key);
  try {
    const answer = await callShop(joinBatch, { body: { join, lines: added } });
    noteLines(answer.data);
    return answer;
  } catch (error) {
    unanswered.set(key, join);
    throw error;
  }
}

let takeover: Promise<void> | null = null;

/**
 * Merges the browser's list into the saved one; repeatable.
 * @throws as `callShop`; the list then stays for a retry
 */
export function joinBrowserBatch(): Promise<void> {
  takeover ??= takeOver().finally(() => {
    takeover = null;
  });
  return takeover;
}

async function takeOver(): Promise<void> {
  const batch = readBrowserBatch();
  if (!batch) return;
  let refused: readonly LeftLine[] = [];
  try {
    const { data, left } = await callShop(joinBatch, { body: { join: batch.join, lines: [...batch.lines] } });
    noteLines(data);
    refused = left.filter(({ reason }) => reason !== 'gone');
    tellLeftOut(left.length - refused.length, batch.refused ? 0 : refused.length);
  } catch (error) {
    // Administrators have no batch, and the next customer must not get this list.
    const code = getProblemCode(error);
    if (code !== 'customers-only' && code !== 'invalid') throw error;
  }
  forgetBrowserBatch(batch, refused);
}

/** @param refused 0 if it was told before */
function tellLeftOut(gone: number, refused: number): void {
  if (gone > 0)
    toast('error', `${formatCount(gone, 'line')} of your list named parts that are no longer sold.`);
  if (refused === 0) return;
  const link = { to: BATCH_PATH, text: 'Open batch' };
  toast('error', `${formatCount(refused, 'line')} of your list found no room in the batch.`, link);
}

/** Stores the line count for the navbar. */
export function noteLines(lines: readonly BatchLine[]): readonly BatchLine[] {
  const state = session.getState();
  if (state.status === 'signed-in') storeLineCount(state.user.id, lines.length);
  return lines;
}
