import { describe, expect, test } from 'vitest';
import { readChanges } from './read-changes.ts';
import { readCsv, writeCsv } from './read-csv.ts';

describe('a CSV text', () => {
  test.each<[name: string, text: string, rows: string[][]]>([
    [
      'with commas',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'with semicolons, as where commas part cents',
      'a;b\r\n1;2,5\r\n',
      [
        ['a', 'b'],
        ['1', '2,5'],
      ],
    ],
    [
      'with tabs, as it is copied from a table',
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'with quotes, breaks and quotes within',
      'a,b\n"x, ""y""\nz",2',
      [
        ['a', 'b'],
        ['x, "y"\nz', '2'],
      ],
    ],
    [
      'with spaces around and empty lines',
      ' a , b \n\n,\n 1 , 2 \n\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'with a byte-order mark and an empty last cell',
      '\uFEFFa,b\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['with a quote that is never closed', 'a,b\n"1,2\n3', [['a', 'b'], ['1,2\n3']]],
    ['of nothing', '', []],
  ])('%s', (_, text, rows) => {
    expect(readCsv(text).rows.map(({ cells }) => cells)).toEqual(rows);
  });

  test('tells where each row begins', () => {
    expect(readCsv('a,b\n\n"x\ny",2\nz,3').rows.map(({ line }) => line)).toEqual([1, 3, 5]);
  });

  test('is written so that it reads the same, and no cell is a formula', () => {
    const rows = [
      ['number', 'note'],
      ['PF-1', 'a "b", c\nd'],
      ['PF-2', ''],
    ];
    expect(readCsv(writeCsv(rows)).rows.map(({ cells }) => cells)).toEqual(rows);
    expect(writeCsv([['=1+1', '-5', 7, -7]])).toBe("\uFEFF'=1+1,'-5,7,-7\r\n");
  });
});

const read = (text: string) =>
  readChanges(text).map(({ line, change, error }) => change ?? `${line}: ${error}`);

describe('a file of changes', () => {
  test('has number, add and price, each of the last two only where something changes', () => {
    expect(
      read('number,add,price\nPF-D6701,5000,91.00\npf-b4501,20000,\nPF-C2001,,3.75\nPF-X0000,,'),
    ).toEqual([
      { number: 'PF-D6701', add: 5000, price: 91 },
      { number: 'PF-B4501', add: 20_000 },
      { number: 'PF-C2001', price: 3.75 },
    ]);
  });

  test('may have its columns in another order, with others between, or no names at all', () => {
    expect(read('Name;Price;Number;Add\nDisplay;91,5;PF-1;"5,000"')).toEqual([
      { number: 'PF-1', add: 5000, price: 91.5 },
    ]);
    expect(read('PF-1,5\nPF-2,+7,$9')).toEqual([
      { number: 'PF-1', add: 5 },
      { number: 'PF-2', add: 7, price: 9 },
    ]);
  });

  test.each([
    ['PF-1,2k', '1: “2k” is not a whole number.'],
    ['PF-1,1.5', '1: “1.5” is not a whole number.'],
    ['PF-1,-5', '1: “-5” would take pieces away. A file adds; correct a stock under its part.'],
    ['PF-1,−5', '1: “−5” would take pieces away. A file adds; correct a stock under its part.'],
    ['PF-1,5,cheap', '1: “cheap” is not a price.'],
    [',5', '1: The part number is missing.'],
  ])('%j is an error of its line', (text, error) => {
    expect(read(`${text}\nPF-9,1`)).toEqual([error, { number: 'PF-9', add: 1 }]);
  });

  test('that names a part twice is wrong in both lines', () => {
    expect(read('number,add\nPF-1,5\nPF-2,1\npf-1,6')).toEqual([
      '2: PF-1 is named more than once: lines 2, 4.',
      { number: 'PF-2', add: 1 },
      '4: PF-1 is named more than once: lines 2, 4.',
    ]);
  });
});
