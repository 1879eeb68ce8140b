import type { StockMove } from '@parts-forge/contract/trail';
import type { StockKind } from '@parts-forge/contract/trail-events';

export const DAY_MS = 24 * 60 * 60 * 1000;
/** The days that the pace of sales is taken from. */
export const PACE_DAYS = 30;

/** The periods that the ledger can be shown for, in days. */
export const PERIODS = [30, 90, 365] as const;
export type Period = (typeof PERIODS)[number];
export const DEFAULT_PERIOD: Period = 90;

/** Moves since a moment, newest first. */
export const listSince = (moves: readonly StockMove[], sinceMs: number): StockMove[] =>
  moves.filter(({ at }) => Date.parse(at) >= sinceMs);

/** The stock before the first of these moves, newest first; `stock` where there are none. */
export function findOpening(moves: readonly StockMove[], stock: number): number {
  const first = moves.at(-1);
  return first ? first.balance - first.change : stock;
}

/** What each kind of move came to, in the order of their first appearance. */
export function sumKinds(moves: readonly StockMove[]): Map<StockKind, number> {
  const sums = new Map<StockKind, number>();
  for (const { kind, change } of moves) sums.set(kind, (sums.get(kind) ?? 0) + change);
  return sums;
}

/** Pieces that left by orders and did not come back, in the given moves. */
export function countOrdered(moves: readonly StockMove[]): number {
  const sums = sumKinds(moves);
  const kinds: StockKind[] = ['order', 'cancel', 'expiry', 'refund'];
  return Math.max(
    0,
    kinds.reduce((pieces, kind) => pieces - (sums.get(kind) ?? 0), 0),
  );
}

/** How many days the stock lasts when as much is ordered as in the last `days`; null when nothing was. */
export const computeDaysLeft = (stock: number, ordered: number, days: number): number | null =>
  ordered === 0 ? null : Math.floor((stock / ordered) * days);

/** A stock and the moment from which it was so. */
export interface StockStep {
  atMs: number;
  stock: number;
}

/** The stock over a period, as steps from its beginning. @param moves of the period, newest first */
export function listSteps(moves: readonly StockMove[], sinceMs: number, stock: number): StockStep[] {
  const rising = moves.toReversed().map(({ at, balance }) => ({ atMs: Date.parse(at), stock: balance }));
  return [{ atMs: sinceMs, stock: findOpening(moves, stock) }, ...rising];
}

/** The top of a scale from 0 with three lines above it, in round numbers: 1, 2, 2.5 or 5 of a power of ten each. */
export function chooseScale(highest: number): { top: number; lines: number[] } {
  const LINES = 3;
  const raw = Math.max(1, highest) / LINES;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= raw && each % 1 === 0);
  const round = step ?? Math.ceil(raw);
  return { top: round * LINES, lines: Array.from({ length: LINES + 1 }, (_, index) => index * round) };
}
