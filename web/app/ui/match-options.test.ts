import { expect, test } from 'vitest';
import { highlightMatch, matchOptions } from './match-options.ts';

const options = ['Norda 12', 'Norda 12 Pro', 'Véla 9'].map((value) => ({ value, count: 1 }));
const match = (text: string) => matchOptions(options, text).map(({ value }) => value);

test('options match every word, ignoring case and accents', () => {
  expect(match('')).toHaveLength(3);
  expect(match('  ')).toHaveLength(3);
  expect(match('nor')).toEqual(['Norda 12', 'Norda 12 Pro']);
  expect(match('pro 12')).toEqual(['Norda 12 Pro']);
  expect(match('VELA')).toEqual(['Véla 9']);
  expect(match('x')).toEqual([]);
});

test('the typed text is highlighted where it occurs', () => {
  expect(highlightMatch('Norda 12', 'NOR')).toEqual(['', 'Nor', 'da 12']);
  expect(highlightMatch('Norda 12', ' 12')).toEqual(['Norda ', '12', '']);
  expect(highlightMatch('Norda 12', '12 nor')).toEqual(['Norda 12', '', '']);
  expect(highlightMatch('Norda 12', '')).toEqual(['Norda 12', '', '']);
});
