import { expect, test } from 'vitest';
import { createGapWatch } from './change-gaps.ts';

test('changes that were heard of are not missed, in whatever order', () => {
  const watch = createGapWatch();
  expect(watch.look(0)).toBe(false);
  watch.hear(2);
  watch.hear(1);
  expect(watch.look(2)).toBe(false);
  expect(watch.look(2)).toBe(false);
  watch.hear(3);
  expect(watch.look(3)).toBe(false);
  expect(watch.look(3)).toBe(false);
});

test('one that is heard of by the look after the one that saw it is in time', () => {
  const watch = createGapWatch();
  watch.look(0);
  expect(watch.look(1)).toBe(false);
  watch.hear(1);
  expect(watch.look(1)).toBe(false);
});

test('one that is not is missed, once', () => {
  const watch = createGapWatch();
  watch.look(0);
  watch.hear(1);
  watch.hear(3);
  expect(watch.look(3)).toBe(false);
  expect(watch.look(3)).toBe(true);
  expect(watch.look(3)).toBe(false);
  // Heard of at last, it makes no other look like heard.
  watch.hear(2);
  expect(watch.look(4)).toBe(false);
  expect(watch.look(4)).toBe(true);
});

test('what was taken before the first look was told to others', () => {
  const watch = createGapWatch();
  expect(watch.look(41)).toBe(false);
  expect(watch.look(41)).toBe(false);
});

test('a database that is behind what was seen of it has another past', () => {
  const watch = createGapWatch();
  watch.look(10);
  watch.hear(11);
  watch.look(11);
  expect(watch.look(9)).toBe(true);
  expect(watch.look(9)).toBe(false);
});

test('after a time in which nothing was heard it begins anew', () => {
  const watch = createGapWatch();
  watch.look(0);
  watch.reset();
  expect(watch.look(5)).toBe(false);
  expect(watch.look(5)).toBe(false);
});
