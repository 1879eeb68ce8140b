import { type BatchLine, joinBatch } from '@parts-forge/contract/batch';
import { callShop } from '#app/calls/api-client.ts';
import { getProblemCode } from '#app/errors/describe-error.ts';
import { session } from '#app/session/session.ts';
import {
  forgetBrowserBatch,
  type KeptLine,
  makeId,
  readBrowserBatch,
  storeLineCount,
} from './browser-batch.ts';

/**
 * Adds pieces of a part to the saved list of whoever is signed in.
 * @returns the list as it is then
 * @throws as `callShop`
 */
export async function addToSavedBatch(line: KeptLine): Promise<readonly BatchLine[]> {
  const { data } = await callShop(joinBatch, { body: { join: makeId(), lines: [line] } });
  return noteLines(data);
}

let takeover: Promise<void> | null = null;

/**
 * Adds what this browser has kept to the saved list of whoever has signed in. Safe to repeat: a list is taken over once.
 * @throws as `callShop`; the list is kept for another try then
 */
export function joinBrowserBatch(): Promise<void> {
  takeover ??= takeOver().finally(() => {
    takeover = null;
  });
  return takeover;
}

async function takeOver(): Promise<void> {
  const kept = readBrowserBatch();
  if (!kept) return;
  try {
    const { data } = await callShop(joinBatch, { body: { join: kept.join, lines: [...kept.lines] } });
    noteLines(data);
  } catch (error) {
    // An administrator has no list, and whoever signs in after them must not get this one.
    const code = getProblemCode(error);
    if (code !== 'customers-only' && code !== 'invalid') throw error;
  }
  forgetBrowserBatch(kept);
}

/** Notes how many lines the list has, for the bar. Gives back what it was given. */
export function noteLines(lines: readonly BatchLine[]): readonly BatchLine[] {
  const state = session.getState();
  if (state.status === 'signed-in') storeLineCount(state.user.id, lines.length);
  return lines;
}
