import { isPrintable } from '@parts-forge/contract/text/printed-letters';
import { expect, test } from 'vitest';
import { readFonts } from './fonts.ts';

const { makePrintable } = await readFonts();

test.each([
  ['Aḥmad al-Ṣāliḥ', 'Ahmad al-Sālih'],
  ['Ὀδυσσεὺς ὰ', 'Οδυσσευς α'],
  ['Ɗanɓaba Ƙofar ƴan', 'Danbaba Kofar yan'],
  ['Kɛtɛ ʔ', 'Kete ’'],
  ['\u200eLi Wei\u200f \u2060\u202aa\u202e\u00ad', 'Li Wei a'],
  ['山田', '??'],
])('%j is printed as %j', (given, printed) => {
  expect(makePrintable(given)).toBe(printed);
});

test('every printable letter has a glyph', () => {
  const broken = Array.from({ length: 0x1_10_00 }, (_, code) => String.fromCodePoint(code))
    .filter((character) => !/[\p{Cc}\p{Cs}\p{Cn}]/u.test(character) && isPrintable(character))
    .filter((character) => !character.normalize('NFKD').includes('?'))
    .filter((character) => makePrintable(character).includes('?'));
  expect(broken).toEqual([]);
});

test.each(['山田 太郎', 'محمد', 'Ռուբեն', 'Ana 😀'])('%j is not printable', (text) => {
  expect(isPrintable(text)).toBe(false);
});

test.each(['Łukasz Ωμέγα Жанна', 'Nguyễn Văn Ḥ', 'Straße 12 – “Hof”, №\u00a05\nΆ'])(
  '%j is printable',
  (text) => {
    expect(isPrintable(text)).toBe(true);
  },
);
