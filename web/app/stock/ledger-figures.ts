import type { StockMove } from '@parts-forge/contract/events/trail';
import type { StockKind } from '@parts-forge/contract/events/trail-events';

export const DAY_MS = 24 * 60 * 60 * 1000;
/** The days that the sales pace is computed from. */
export const PACE_DAYS = 30;

/** Numbers of days that may be chosen. */
export const PERIODS = [30, 90, 365] as const;
export type Period = (typeof PERIODS)[number];
export const DEFAULT_PERIOD: Period = 90;

/** Expects the newest move first. */
export const listSince = (moves: readonly StockMove[], sinceMs: number): StockMove[] =>
  moves.filter(({ at }) => Date.parse(at) >= sinceMs);

/** The stock before these moves (newest first); `stock` without moves. */
export function findOpening(moves: readonly StockMove[], stock: number): number {
  const first = moves.at(-1);
  return first ? first.balance - first.change : stock;
}

/** The sum of each kind of move, in the order of first appearance. */
export function sumKinds(moves: readonly StockMove[]): Map<StockKind, number> {
  const sums = new Map<StockKind, number>();
  for (const { kind, change } of moves) sums.set(kind, (sums.get(kind) ?? 0) + change);
  return sums;
}

/** Ordered pieces minus the returned ones. */
export function countOrdered(moves: readonly StockMove[]): number {
  const sums = sumKinds(moves);
  const kinds: StockKind[] = ['order', 'cancel', 'expiry', 'refund'];
  return Math.max(
    0,
    kinds.reduce((pieces, kind) => pieces - (sums.get(kind) ?? 0), 0),
  );
}

/** At the pace of the last `days`; null without orders. */
export const computeDaysLeft = (stock: number, ordered: number, days: number): number | null =>
  ordered === 0 ? null : Math.floor((stock / ordered) * days);

export interface StockStep {
  atMs: number;
  stock: number;
}

/** @param moves of the period, newest first */
export function listSteps(moves: readonly StockMove[], sinceMs: number, stock: number): StockStep[] {
  const rising = moves.toReversed().map(({ at, balance }) => ({ atMs: Date.parse(at), stock: balance }));
  return [{ atMs: sinceMs, stock: findOpening(moves, stock) }, ...rising];
}

/** A scale from 0 with three lines: 1, 2, 2.5 or 5 times a power of ten. */
export function chooseScale(highest: number): { top: number; lines: number[] } {
  const LINES = 3;
  const raw = Math.max(1, highest) / LINES;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= raw && each % 1 === 0);
  const round = step ?? Math.ceil(raw);
  return { top: round * LINES, lines: Array.from({ length: LINES + 1 }, (_, index) => index * round) };
}
