import { expect, test } from 'vitest';
import { createTimeOrderedIds } from './ids.ts';

/** The time of RFC 9562's own example (appendix A.6). */
const NOON_MS = 0x017f22e279b0;

/** Ids of a clock that moves only by hand. */
function idsAt(startMs: number) {
  const moment = { ms: startMs };
  const ids = createTimeOrderedIds({ now: () => new Date(moment.ms) });
  return { moment, next: () => ids.next() };
}

const readMilliseconds = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

test('an id is a UUIDv7 that begins with its millisecond', () => {
  const { next } = idsAt(NOON_MS);
  expect(next()).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('ids of one millisecond are distinct and rise', () => {
  const { next } = idsAt(NOON_MS);
  const made = Array.from({ length: 2000 }, next);
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(2000);
  // Their first counter is below the middle, which leaves room for all of them.
  expect(made.every((id) => readMilliseconds(id) === NOON_MS)).toBe(true);
});

test('a full millisecond continues in the next one', () => {
  const { next } = idsAt(NOON_MS);
  const made = Array.from({ length: 3 * 4096 }, next);
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
  expect(readMilliseconds(made.at(-1) ?? '')).toBe(NOON_MS + 3);
  const [first] = made.filter((id) => readMilliseconds(id) === NOON_MS + 1);
  expect(first?.slice(14, 18)).toBe('7000');
  expect(made.filter((id) => readMilliseconds(id) === NOON_MS + 1)).toHaveLength(4096);
});

test('an id of the next millisecond begins with that millisecond', () => {
  const { moment, next } = idsAt(NOON_MS);
  const before = next();
  moment.ms += 1;
  const after = next();
  expect(readMilliseconds(after)).toBe(NOON_MS + 1);
  expect(after > before).toBe(true);
});

test('ids never fall when the clock is set back', () => {
  const { moment, next } = idsAt(NOON_MS);
  const before = next();
  moment.ms -= 60_000;
  const made = [before, next(), next()];
  expect(made.toSorted()).toEqual(made);
  expect(made.map(readMilliseconds)).toEqual([NOON_MS, NOON_MS, NOON_MS]);
});

test('the random bits of ids are random', () => {
  const { next } = idsAt(NOON_MS);
  const tails = Array.from({ length: 100 }, () => next().slice(19));
  expect(new Set(tails).size).toBe(100);
  expect(new Set(tails.map((tail) => tail.slice(0, 2))).size).toBeGreaterThan(10);
  const counters = Array.from({ length: 20 }, () => Number.parseInt(idsAt(NOON_MS).next().slice(15, 18), 16));
  expect(new Set(counters).size).toBeGreaterThan(1);
  expect(Math.max(...counters)).toBeLessThan(0x800);
});
