import { expect, test } from 'vitest';
import { readPdfLines } from './pdf-lines.ts';

/** The last two are own names that descriptions have as words. */
const known = new Set(['PF-D6101', 'PF-B4501', 'PF-C2203', 'PF-F1107', 'DISPLAY', 'S8']);
const findPart = (number: string) => (known.has(number) ? number : null);

/** Each text is a row; empty cells leave their column out. Spaces move a cell, and long ones reach further. */
const read = (...texts: readonly string[]) => {
  const { lines, columns } = readTexts(texts);
  return [lines.map(({ number, quantity }) => `${number} ${quantity}`), columns.map(({ name }) => name)];
};
const readTexts = (texts: readonly string[]) => {
  const rows = texts.map((text) => ({
    cells: text.split('|').flatMap((cell, place) => {
      const trimmed = cell.trim();
      const left = 100 * place + 10 * cell.search(/\S/);
      return trimmed === '' ? [] : { text: trimmed, left, right: left + 5 * trimmed.length };
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
const counted = 'PF-D6101 | Qty: | 120 | 6.30 | 756.00 | 756.00';
const battery = 'PF-B4501 | for S8 | 25 | 3.05 | 76.25 | 76.25';
const freight = '3 | Freight | 2 | 9.50 | 19.00';
const both = ['PF-D6101 120', 'PF-B4501 25'];

test.each([
  ['below their figures', below],
  ['above their figures', above],
  ['below a second line of text', below.flatMap((row) => (row.includes('PF') ? [' | black', row] : row))],
  ['below their figures, and totals end the list', [...below, ' | Sum | 145 | Total | 832.25']],
  ['below a head in an unknown language', ['Poř | Popis | Množství | Cena | Celkem', ...below]],
  ['below the name of the quantity alone', ['Menge', ...below]],
  ['beside and below their figures', ['1 | PF-D6101 | 120 | 6.30 | 756.00', ...below.slice(2)]],
  [
    'beside the name of the quantity, and another row has two',
    [counted, battery, 'PF-C2203 | like PF-F1107'],
  ],
  ['beside currencies', ['PF-D6101 | 120 | USD 6.30 | 756.00USD', 'PF-B4501 | 25.00 PCS | €3.05 | 76.25 €']],
  ['beside words named part', ['Part | Ref | Qty', 'OLED | PF-D6101 | 120', 'Cell | PF-B4501 | 25']],
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
  ['a deposit before a line without a price', [freight, ...above.slice(0, 3), '2 | Battery | 25']],
  ['no amounts', ['Pos | Name | Qty', '1 | Display | 120', ' | PF-D6101']],
  ['a second number', [...below, ' | PF-C2203']],
  ['freight', [...below, freight]],
  ['a deposit', [freight, ...above]],
])('gives no number the figures of another line because of %s', (_, rows) => {
  expect(read(...rows)).toEqual([[], []]);
  // Without positions, a row has fewer figures.
  expect(read(...rows.map((row) => row.replace(/^\d/, '')))).toEqual([[], []]);
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
});

const [display = '', other = ''] = stock;
test.each([
  ['positions', [head, display.replace(/5$/, '10'), other.replace(/7$/, '20')], both, []],
  ['one line', [display], [], ['', '', '']],
  ['an order of some parts', [display.slice(0, -1), other.replace(/7$/, '1')], [], ['']],
  ['wide cells', [display.replace(/5$/, 'W1 | 5'), other.replace(/7$/, 'W2 to W3, seven pieces')], [], []],
  ['a head with fewer names', [head.replace('Kód |', ''), ...stock], [], ['', '']],
  ['sums of two amounts', [`${display} | 31.50`, ' | 756.00 | 31.50'], [], ['', '', '']],
  ['the sum of one amount', ['PF-D6101 | 2 | 6.30 | 12.60 | 3 | 18.90', ' | 18.90'], ['PF-D6101 3'], []],
  ['a square', ['PF-D6101 | 2 | 4'], [], ['', '']],
  ['one piece', ['PF-D6101 | 1 | 6.30 | 6.30'], [], ['']],
  ['an amount that differs', [counted, battery.replaceAll('76', '77')], [], ['']],
  ['a row of two numbers', ['PF-D6101 | 120 | 7', 'PF-B4501 | PF-C2203 | 25'], [], ['', '']],
  [
    'a name left of its figures',
    ['Part number | |Qty|Price', 'PF-D6101 | 7 | 120 | 6.30'],
    ['PF-D6101 120'],
    [],
  ],
  ['a name without figures', ['Part number | | Qty | Price', 'PF-D6101 | 7 | 120'], ['PF-D6101 120'], []],
  ['a head below figures', ['PF-B4501 | 3', 'Part number | Qty', 'PF-D6101 | 120'], ['PF-D6101 120'], []],
])('reads no more pieces than those proved: %s', (_, rows, lines, columns) => {
  expect(read(...rows)).toEqual([lines, columns]);
});

const qty = 'Part number | Price | Qty';
test.each([
  ['Head and amounts say different quantities.', ['Part number | | Stock | Price | Value 1 | Qty', display]],
  ['No quantity.', [qty, 'PF-D6101 |       120']],
  ['No quantity.', ['Part number |           Qty | Price', 'PF-D6101 |           1,000,000']],
  ['“5 BOX” is not a quantity.', [qty, 'PF-D6101 | | 5 BOX']],
  ['“100000001” is not a quantity.', [qty, 'PF-D6101 | | 100000001']],
])('says why a row has no certain quantity: %s', (reason, rows) => {
  expect(readTexts(rows)).toMatchObject({ lines: [], because: [], unread: [{ reason }] });
});

test.each([
  ['Own number | Alternative | Qty', 'AX-17 | PF-D6101 | 120'],
  ['SKU | Part number | Qty', 'PF-C2203 | PF-D6101 | 120'],
])('orders no other part than that of the number column: %s', (...rows) => {
  expect(read(...rows)).toEqual([[], []]);
});

test('asks for an own number without the position before it', () => {
  const unknown = ['11. MY-123 | Own | 5 | 2.00 | 10.00', '12 PF-D6101 | Display | 2 | 6.30 | 12.60'];
  expect(readTexts(unknown).unread).toMatchObject([{ asked: { name: 'MY-123', quantity: 5 } }]);
  const [first = '', second = ''] = unknown;
  const plain = [first, second.replace('12 PF-D6101', 'PF-D6101 OLED'), second];
  expect(readTexts(plain).unread).toMatchObject([{ asked: { name: '11. MY-123', quantity: 5 } }]);
});

test.each([`MY-1${'0'.repeat(60)} | 3.05 | 5`, 'MY-1234 | 5 | 7'])('asks for no unclear name: %s', (row) => {
  const heads = [qty, 'PF-D6101 | 6.30 | 120', 'Part number | Qty | Price', 'PF-B4501 | 25 | 3.05'];
  const { unread } = readTexts([...heads, row]);
  expect(unread.map(({ text, asked }) => [text, asked])).toEqual([[row.replaceAll(' | ', '\t'), undefined]]);
});

test('names an Arabic column in reading order', () => {
  expect(readTexts(['SKU | ﺔﻴﻤﻜﻟا', 'PF-D6101 | 120']).because).toEqual(['The pieces stand below “الكمية”.']);
});
