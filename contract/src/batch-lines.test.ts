import { describe, expect, test } from 'vitest';
import { readBatchLines } from './batch-lines.ts';

/** What the only line of a text is read as: number and quantity, or why not. */
function readOne(text: string): [string, number] | string | undefined {
  const { lines, unread } = readBatchLines(text);
  expect(lines.length + unread.length).toBe(1);
  return lines[0] ? [lines[0].number, lines[0].quantity] : unread[0]?.reason;
}

describe('a pasted line', () => {
  test.each([
    'PF-D6101,250',
    'PF-D6101, 250',
    'PF-D6101;250',
    'PF-D6101\t250',
    'PF-D6101 250',
    '  PF-D6101   250  ',
    'pf-d6101 250',
    '"PF-D6101","250"',
    'PF-D6101;250;OLED display assembly; 6.1 inch',
    'PF-D6101, "250"',
    '" PF-D6101 ";250',
    'PF-D6101,250,"Display, OLED"',
    '\uFEFFPF-D6101,250',
  ])('is a part number and a quantity: %j', (text) => {
    expect(readOne(text)).toEqual(['PF-D6101', 250]);
  });

  test.each(['1000', '"1,000"', '1.000', '1 000', '1’000'])('may group its thousands: %s', (quantity) => {
    expect(readOne(`PF-1;${quantity}`)).toEqual(['PF-1', 1000]);
  });

  test.each([
    ['"1,000"', 1000],
    ['12.000', 12_000],
    ['1.000.000', 1_000_000],
    ['1', 1],
    ['100000000', 100_000_000],
  ])('may say %s, where the comma between columns is not inside quotes', (text, quantity) => {
    expect(readOne(`PF-1,${text}`)).toEqual(['PF-1', quantity]);
  });

  test.each([
    ['PF-1;1;000', 1],
    ['PF-1,2500,100', 2500],
    ['PF-1,1,x100', 1],
    ['PF-1,1,100x', 1],
  ])('with a further column that is no part of the quantity is read: %s', (text, quantity) => {
    expect(readOne(text)).toEqual(['PF-1', quantity]);
  });

  test.each(['PF-1,1,000', 'PF-1, 1,000', 'PF-1 1 000', 'PF-1,10,500'])(
    'where a thousand cannot be told from two columns is not read: %s',
    (text) => {
      expect(readOne(text)).toBe('Write the quantity without a comma or space in it.');
    },
  );

  test.each([
    ['PF-B4501; many', '“many” is not a quantity.'],
    ['PF-B4501; 0', '“0” is not a quantity.'],
    ['PF-B4501; -5', '“-5” is not a quantity.'],
    ['PF-B4501; 2.5', '“2.5” is not a quantity.'],
    ['PF-B4501; 1,00', '“1,00” is not a quantity.'],
    ['PF-B4501; 100000001', '“100000001” is not a quantity.'],
    ['PF-B4501; 99999999999999999999', '“99999999999999999999” is not a quantity.'],
    ['PF-B4501', 'No quantity.'],
    ['PF-B4501,', 'No quantity.'],
    [',250', 'No part number.'],
    ['USB-C port; 250', '“USB-C port” is no part number.'],
    ['12; 250', '“12” is no part number.'],
    ['USB C port\t250', '“USB C port” is no part number.'],
    ['"6.1"" display"; 250', '“6.1" display” is no part number.'],
    ['PF"-1"; 250', '“PF"-1"” is no part number.'],
    ['"PF"-1; 250', '“"PF"-1” is no part number.'],
    ['PF\uFEFF-1; 250', '“PF\uFEFF-1” is no part number.'],
    ['PF-1; x1.000', '“x1.000” is not a quantity.'],
    ['PF-1; 1.000x', '“1.000x” is not a quantity.'],
  ])('that is none says why: %s', (text, reason) => {
    expect(readOne(text)).toBe(reason);
  });

  test('without a part number says what stood there, to be searched for', () => {
    expect(readBatchLines('USB-C port; 250').unread).toEqual([
      { line: 1, text: 'USB-C port; 250', reason: '“USB-C port” is no part number.', search: 'USB-C port' },
    ]);
    expect(readBatchLines(';250').unread).toEqual([{ line: 1, text: ';250', reason: 'No part number.' }]);
  });
});

describe('a pasted text', () => {
  test('is read line by line, whichever way they end, and empty ones count as places only', () => {
    const { lines, unread } = readBatchLines('PF-1 5\r\n\r\n  \nPF-2 x\rPF-3 7\n');
    expect(lines.map(({ line, number }) => [line, number])).toEqual([
      [1, 'PF-1'],
      [5, 'PF-3'],
    ]);
    expect(unread.map(({ line, text }) => [line, text])).toEqual([[4, 'PF-2 x']]);
  });

  test.each(['Part number,Quantity', 'number\tadd', '"No.";"Pieces"'])(
    'may begin with a header: %s',
    (header) => {
      const { lines, unread } = readBatchLines(`\n${header}\nPF-1;5`);
      expect([lines.length, unread.length]).toEqual([1, 0]);
    },
  );

  test('has a header in front and nowhere else', () => {
    const { unread } = readBatchLines('PF-1;5\nnumber;quantity');
    expect(unread.map(({ text }) => text)).toEqual(['number;quantity']);
  });

  test('of nothing has no lines', () => {
    expect(readBatchLines(' \n\t\n')).toEqual({ lines: [], unread: [] });
  });
});
