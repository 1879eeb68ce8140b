import { type BatchLine, joinBatch } from '@parts-forge/contract/batch';
import { callShop } from '#app/calls/api-client.ts';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { session } from '#app/session/session.ts';
import {
  type BrowserLine,
  forgetBrowserBatch,
  makeId,
  readBrowserBatch,
  storeLineCount,
} from './browser-batch.ts';

/**
 * @returns the updated saved list
 * @throws as `callShop`
 */
export async function addToSavedBatch(line: BrowserLine): Promise<readonly BatchLine[]> {
  const { data } = await callShop(joinBatch, { body: { join: makeId(), lines: [line] } });
  return noteLines(data);
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
  try {
    const { data } = await callShop(joinBatch, { body: { join: batch.join, lines: [...batch.lines] } });
    noteLines(data);
  } catch (error) {
    // Administrators have no batch, and the next customer must not get this list.
    const code = getProblemCode(error);
    if (code !== 'customers-only' && code !== 'invalid') throw error;
  }
  forgetBrowserBatch(batch);
}

/** Stores the line count for the navbar. */
export function noteLines(lines: readonly BatchLine[]): readonly BatchLine[] {
  const state = session.getState();
  if (state.status === 'signed-in') storeLineCount(state.user.id, lines.length);
  return lines;
}
