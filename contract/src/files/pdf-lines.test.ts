import { expect, test } from 'vitest';
import { readPdfLines } from './pdf-lines.ts';

const known = new Set(['PF-D6101', 'PF-B4501', 'PF-C2203', 'PF-F1107']);
const findPart = (number: string) => (known.has(number) ? number : null);

/** Each text is a row; empty cells leave their column out. */
const read = (...texts: readonly string[]) => {
  const { lines, columns } = readTexts(texts);
  return [lines.map(({ number, quantity }) => `${number} ${quantity}`), columns.map(({ name }) => name)];
};
const readTexts = (texts: readonly string[]) => {
  const rows = texts.map((text) => ({
    page: 1,
    cells: text.split('|').flatMap((cell, place) => {
      const trimmed = cell.trim();
      return trimmed === '' ? [] : { text: trimmed, left: 100 * place, right: 100 * place + 50 };
    }),
  }));
  return readPdfLines(rows, findPart);
};

const below = [
  '1 | Display | 120 | 6.30 | 756.00',
  ' | PF-D6101',
  '2 | Battery | 25 | 3.05 | 76.25',
  ' | PF-B4501',
];
const above = [
  ' | PF-D6101',
  '1 | Display | 120 | 6.30 | 756.00',
  ' | PF-B4501',
  '2 | Battery | 25 | 3.05 | 76.25',
];
const freight = '3 | Freight | 2 | 9.50 | 19.00';
const both = ['PF-D6101 120', 'PF-B4501 25'];

test.each([
  ['below their figures', below],
  ['above their figures', above],
  ['below a second line of text', below.flatMap((row) => (row.includes('PF') ? [' | black', row] : row))],
  ['below their figures, and totals end the list', [...below, ' | Total | 145 |  | 832.25']],
  ['below a head in an unknown language', ['Poř | Popis | Množství | Cena | Celkem', ...below]],
])('reads numbers that stand %s', (_, rows) => {
  expect(read(...rows)).toEqual([both, []]);
});

test.each([
  [
    'a first line without pieces',
    ['Pos | Name | Qty', '1 | Display | many', ...below.slice(1), ' | Total | 145'],
  ],
  [
    'freight behind a line without pieces',
    ['1 | Display | many | 6.30 | 756.00', ...below.slice(1), freight],
  ],
  ['freight behind a line without a price', ['1 | Display | 120 | on request', ...below.slice(1), freight]],
  [
    'a deposit before a line without pieces',
    [freight, ...above.slice(0, 3), '2 | Battery | many | 3.05 | 76.25'],
  ],
  ['freight', [...below, freight]],
  ['a deposit', [freight, ...above]],
])('gives no number the figures of another line because of %s', (_, rows) => {
  expect(read(...rows)).toEqual([[], []]);
});

const stock = ['PF-D6101 | Display | 120 | 6.30 | 756.00 | 5', 'PF-B4501 | Battery | 25 | 3.05 | 76.25 | 7'];
const head = 'Kód | Popis | Skladem | Cena | Hodnota | Objednat';

test('compares no figures of more places than a row may have', () => {
  const rows = Array.from({ length: 20 }, (_, line) => [
    'PF-D6101',
    ...Array(28 * line),
    ...Array(28).fill('2'),
  ]);
  expect(read(...rows.map((cells) => cells.join('|')))).toEqual([[], []]);
});

test('asks which column holds the pieces beside a proved one', () => {
  expect(read(head, ...stock)).toEqual([[], ['Skladem', 'Objednat']]);
  expect(read(...stock, ' | Total | | | 832.25')).toEqual([[], ['', '']]);
  const counted = stock.map((row, index) => row.replace(/\d$/, `${10 * (index + 1)}`));
  expect(read(head, ...counted)).toEqual([both, []]);
});

test.each(['Own number | Alternative | Qty', 'SKU | Part number | Qty'])(
  'orders no other part than that of the number column: %s',
  (names) => {
    const own = names.startsWith('Own') ? 'AX-17' : 'PF-C2203';
    expect(read(names, `${own} | PF-D6101 | 120`)).toEqual([[], []]);
  },
);

test('asks for an own number without the position before it', () => {
  const unknown = ['11 MY-123 | Own | 5 | 2.00 | 10.00', '12 PF-D6101 | Display | 2 | 6.30 | 12.60'];
  expect(readTexts(unknown).unread).toMatchObject([{ asked: { name: 'MY-123', quantity: 5 } }]);
  const [first = '', second = ''] = unknown;
  const plain = [first, second.replace('12 ', '')];
  expect(readTexts(plain).unread).toMatchObject([{ asked: { name: '11 MY-123', quantity: 5 } }]);
});
