import { expect, test } from 'vitest';
import { createGapWatch } from './change-gaps.ts';

test('received changes are not missed, in any order', () => {
  const watch = createGapWatch();
  expect(watch.look(0)).toBe(false);
  watch.receive(2);
  watch.receive(1);
  expect(watch.look(2)).toBe(false);
  expect(watch.look(2)).toBe(false);
  watch.receive(3);
  expect(watch.look(3)).toBe(false);
  expect(watch.look(3)).toBe(false);
});

test('a change received by the next look is in time', () => {
  const watch = createGapWatch();
  watch.look(0);
  expect(watch.look(1)).toBe(false);
  watch.receive(1);
  expect(watch.look(1)).toBe(false);
});

test('a change not received by the next look is missed once', () => {
  const watch = createGapWatch();
  watch.look(0);
  watch.receive(1);
  watch.receive(3);
  expect(watch.look(3)).toBe(false);
  expect(watch.look(3)).toBe(true);
  expect(watch.look(3)).toBe(false);
  // Its late arrival must not hide another gap.
  watch.receive(2);
  expect(watch.look(4)).toBe(false);
  expect(watch.look(4)).toBe(true);
});

test('changes before the first look are not missed', () => {
  const watch = createGapWatch();
  expect(watch.look(41)).toBe(false);
  expect(watch.look(41)).toBe(false);
});

test('a database with lower numbers than before counts as missed once', () => {
  const watch = createGapWatch();
  watch.look(10);
  watch.receive(11);
  watch.look(11);
  expect(watch.look(9)).toBe(true);
  expect(watch.look(9)).toBe(false);
});

test('a reset watch starts over', () => {
  const watch = createGapWatch();
  watch.look(0);
  watch.reset();
  expect(watch.look(5)).toBe(false);
  expect(watch.look(5)).toBe(false);
});
