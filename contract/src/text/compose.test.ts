import { afterEach, expect, test, vi } from 'vitest';
import { readBatchLines } from '../orders/batch-lines.ts';
import { compose } from './compose.ts';
import { toPhoneText } from './phone.ts';
import { cleanText } from './text.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('composes letters and their marks', () => {
  expect(compose('Toma\u0301s', 'NFC')).toBe('Tomás');
  expect(compose('ﬁ１', 'NFKC')).toBe('fi1');
});

test('keeps thirty marks on a letter', () => {
  const marks = '\u0301\u0323'.repeat(15);
  expect(compose(`x${marks}`, 'NFC')).toBe(`x${marks}`.normalize('NFC'));
  expect(compose(`x${marks}\u0301y${marks}`, 'NFC')).toBe(`x${marks}y${marks}`.normalize('NFC'));
  // Two code units each.
  const long = '\u{1d165}'.repeat(31);
  expect(compose(`x${long}`, 'NFC')).toBe(`x${long.slice(2)}`);
});

// `normalize` takes quadratic time: 60 kB of marks would stop the shop for a second.
test.each([
  ['a text', (marks: string) => cleanText(marks, false)],
  ['a phone number', (marks: string) => toPhoneText(marks)],
  ['a pasted list', (marks: string) => readBatchLines(`number;pieces\n${marks};5`)],
])('normalizes no run of more than thirty marks in %s', (_, read) => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  read(
    `a${'\u0301\u0323'.repeat(1000)}a${'\u05b0'.repeat(1000)}${'\u3099'.repeat(1000)}a${'\uff9e\u0301'.repeat(1000)}`,
  );
  const normalized = normalize.mock.contexts.join('');
  expect(normalized).toContain('\u0301');
  expect(normalized).not.toMatch(/[\p{M}\uff9e]{31}/u);
});
