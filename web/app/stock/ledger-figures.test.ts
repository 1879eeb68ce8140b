import type { StockMove } from '@parts-forge/contract/events/trail';
import { expect, test } from 'vitest';
import {
  chooseScale,
  computeDaysLeft,
  countOrdered,
  findOpening,
  listSince,
  listSteps,
  sumKinds,
} from './ledger-figures.ts';

const move = (day: number, kind: StockMove['kind'], change: number, balance: number): StockMove => ({
  at: `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`,
  kind,
  change,
  balance,
  by: { kind: 'system' },
});
const moves = [
  move(21, 'order', -50, 1250),
  move(18, 'expiry', 325, 1300),
  move(17, 'order', -325, 975),
  move(10, 'restock', 400, 1300),
  move(2, 'correction', -100, 900),
];
const start = Date.parse('2026-11-10T00:00:00Z');

test('a period has its moves, opening and sums by kind', () => {
  const period = listSince(moves, start);
  expect(period).toHaveLength(4);
  expect(findOpening(period, 1250)).toBe(900);
  expect(findOpening([], 1250)).toBe(1250);
  const sums = sumKinds(period);
  expect([...sums]).toEqual([
    ['order', -375],
    ['expiry', 325],
    ['restock', 400],
  ]);
  expect(900 + [...sums.values()].reduce((sum, each) => sum + each, 0)).toBe(1250);
});

test('returned pieces do not count as ordered', () => {
  expect(countOrdered(moves)).toBe(50);
  expect(countOrdered([move(1, 'cancel', 70, 70)])).toBe(0);
  expect(computeDaysLeft(24_800, 4000, 30)).toBe(186);
  expect(computeDaysLeft(24_800, 4000, 2.5)).toBe(15);
  expect(computeDaysLeft(24_800, 0, 30)).toBeNull();
});

test('the chart begins with the opening and steps with each move', () => {
  expect(listSteps(listSince(moves, start), start, 1250).map(({ stock }) => stock)).toEqual([
    900, 1300, 975, 1300, 1250,
  ]);
  expect(listSteps([], start, 7)).toEqual([{ atMs: start, stock: 7 }]);
});

test.each([
  [26_225, 30_000],
  [30_000, 30_000],
  [30_001, 60_000],
  [1250, 1500],
  [7, 15],
  [1, 3],
  [0, 3],
  [100_000_000, 150_000_000],
])('the scale of a stock of %i ends at %i', (highest, top) => {
  const scale = chooseScale(highest);
  expect(scale.top).toBe(top);
  expect(scale.lines).toEqual([0, top / 3, (top * 2) / 3, top]);
});
