import { readRows } from '@parts-forge/contract/table';
import { describe, expect, test } from 'vitest';
import { readChanges } from './read-changes.ts';
import { writeCsv } from './write-csv.ts';

describe('a CSV text', () => {
  test('writeCsv output reads the same and has no formula', () => {
    const rows = [
      ['number', 'note'],
      ['PF-1', 'a "b", c\nd'],
      ['PF-2', 'x;y\tz'],
    ];
    const read = readRows(writeCsv(rows).slice(1), ',');
    expect(read.map(({ cells }) => cells)).toEqual(rows);
    expect(writeCsv([['=1+1', '-5', 7, -7]])).toBe("\uFEFF'=1+1,'-5,7,-7\r\n");
    expect(writeCsv([['x;y', 'x\ty', '＝1+1', '\u200b=1+1', 'x;"=1+1']])).toBe(
      `\uFEFF"x;y","x\ty",'＝1+1,\u200b'=1+1,"x;""'=1+1"\r\n`,
    );
  });
});

const read = (text: string) =>
  readChanges(text).lines.map(({ line, change, error }) => change ?? `${line}: ${error}`);

describe('a file of changes', () => {
  test('a file needs number, and add or price for a change', () => {
    expect(
      read('number,add,price\nPF-D6701,5000,91.00\npf-b4501,20000,\nPF-C2001,,3.75\nPF-X0000,,'),
    ).toEqual([
      { number: 'PF-D6701', add: 5000, price: 91 },
      { number: 'PF-B4501', add: 20_000 },
      { number: 'PF-C2001', price: 3.75 },
    ]);
  });

  test.each<[name: string, text: string]>([
    ['other names and another order', 'SKU,Price,Qty\nPF-D6701,91,5000\n'],
    ['capitals, spaces and semicolons', ' Part  Number ;Unit price;Add\nPF-D6701;91,00;5000\n'],
    ['underscores', 'part_no,QTY_TO_ADD,unit_price\nPF-D6701,5000,$91\n'],
    ['a quantity', 'number,quantity,price\nPF-D6701,5000,91.00\n'],
    ['columns between', 'Name;Price;Number;Add\nDisplay;91;PF-D6701;5000'],
    ['a line that names the separator', 'sep=;\nnumber;price;add\nPF-D6701;91;5000\n'],
    ['a quoted line that names the separator', '"sep=,"\nnumber,price,add\nPF-D6701,91,5000\n'],
    ['a title before them', 'Goods in 25 Nov,,\nnumber,price,add\nPF-D6701,91,5000\n'],
    ['a title without separators', 'Goods in, 25 Nov\n\nnumber;price;add\nPF-D6701;91;5000\n'],
    ['spaces before quotes', '"number", "add", "price"\n"PF-D6701", "5000", "91.00"'],
    ['positions before them', 'ITEM NO.\tPART NUMBER\tQTY.\tPRICE\r\n100\tPF-D6701\t5000\t91'],
    ['a material', 'Material,MPN,Order Qty.,Price\nLiPo,PF-D6701,5000,91'],
    ["the maker's number", 'Ref,Mfr Part #,Quantity,Price\nU1,PF-D6701,5000,91'],
    ['a title with a quote', '"Goods" in\nnumber,add,price\nPF-D6701,5000,91'],
    ['no names', 'PF-D6701,5000,91.00'],
    ['no names and semicolons', 'PF-D6701;5000;91,00\n'],
    ['a decimal comma in quotes', 'number,add,price\nPF-D6701,"5,000","91,00"'],
    ['no-break spaces', 'number;add;price\nPF-D6701;5\u00a0000;91\n'],
    ['narrow spaces', 'number;add;price\nPF-D6701;5\u202f000;91\n'],
    ['apostrophes in figures', 'number;add;price\nPF-D6701;5’000;91 USD\n'],
    ['text marks of spreadsheets', `number,add,price\n"=""PF-D6701""",'5000,="91"`],
    ['another dash', 'number,add,price\nPF‑D6701,5000,91'],
    ['letters of full width', 'number,add,price\nＰＦ－Ｄ６７０１,5000,91'],
    ['typographic quotes', 'number,add,price\n“PF-D6701”,5000,91'],
    ['one part on two lines', 'number,add,price\nPF-D6701,4000,91\npf-d6701,1000,'],
  ])('a file with %s is understood', (_, text) => {
    expect(read(text)).toEqual([{ number: 'PF-D6701', add: 5000, price: 91 }]);
  });

  test.each<[name: string, text: string, error: string]>([
    [
      "a supplier's list",
      'Artikelnummer;EAN;Preis;Titel\nPF-X0030;;12,95;Schrauben\nPF-B5001;;7,10;Akku\n',
      'This file has the columns “Artikelnummer”, “EAN”, “Preis”, “Titel”. It needs “number”, and “add” or “price”.',
    ],
    [
      'a name that is not known',
      'number,foo\nPF-1,5',
      'This file has the columns “number” and “foo”. It needs “number”, and “add” or “price”.',
    ],
    [
      'a first line without digits',
      'PF-ABC,\nPF-1,5',
      'This file has the columns “PF-ABC”. It needs “number”, and “add” or “price”.',
    ],
    [
      'four cells and no names',
      'PF-1,5,9\nPF-2,100,1499,50',
      'Line 2 has 4 cells. A file without column names has at most three: number, pieces to add and price.',
    ],
    [
      'two columns of one meaning',
      'number,add,Qty\nPF-1,5,6',
      'The columns “add” and “Qty” mean the same. Leave one of them out.',
    ],
    [
      'the orders that the shop exports',
      'Order,Part number,Quantity,Unit price (USD),Order ID\n10116,PF-1,50,9.50,01a1',
      'This is a file of orders: its quantities are not pieces to add.',
    ],
    ['a workbook', 'PK\u0003\u0004\u0014rubbish', 'This is an Excel workbook: save it as CSV.'],
    ['an old workbook', 'ÐÏ\u0011à¡±', 'This is an Excel workbook: save it as CSV.'],
    [
      'too many lines',
      `number,add\n${'PF-1,1\n'.repeat(5001)}`,
      'This file has 5001 changes; at most 5000 can be made at once.',
    ],
    ['no change', 'number,add,price\nPF-D6701,,', 'No line of this file changes anything.'],
    [
      'two headers',
      'number;add;price\nPF-1;5;91\nnumber;price;add\nPF-2;91;5',
      'Line 3 names columns again. Choose its lines as a file of their own.',
    ],
  ])('a file with %s is refused', (_, text, error) => {
    expect(() => readChanges(text)).toThrow(error);
  });

  test.each([
    ['PF-1,2k', '3: “2k” is not a whole number. Write digits only.'],
    ['PF-1,1.5', '3: “1.5” is not a whole number. Write digits only.'],
    ['PF-1,5.000', '3: “5.000” is not a whole number. Write digits only.'],
    ['PF-1,-5', '3: “-5” would take pieces away. A file adds; correct a stock under its part.'],
    ["PF-1,'-5", '3: “-5” would take pieces away. A file adds; correct a stock under its part.'],
    ['PF-1,−5', '3: “−5” would take pieces away. A file adds; correct a stock under its part.'],
    ['PF-1,5,cheap', '3: “cheap” is not a price. Write it as 6.30.'],
    ['PF-1,5,1.500', '3: “1.500” may be 1500 or 1.500. Write two decimals, such as 1500.00.'],
    [',5', '3: The part number is missing.'],
    [`${'x'.repeat(121)},5`, '3: The part number is longer than 120 characters.'],
    ['PF-1,2,500,', null],
    [
      'PF-1,100,1499,50',
      '3: This line has 4 cells, but there are 3 columns. Put figures with commas in quotes.',
    ],
    ['"PF-1" x,5', '3: A quote in this line does not end its cell. Nothing from here on is read.'],
    ['"PF-1,5\nPF-2,6\nPF-3,7', '3: A quote in this line is never closed. Nothing from here on is read.'],
  ])('%j is an error of its line', (text, error) => {
    const [good, ...rest] = read(`number,add,price\nPF-9,1\n${text}\n`);
    expect(good).toEqual({ number: 'PF-9', add: 1 });
    expect(rest).toEqual([error ?? { number: 'PF-1', add: 2, price: 500 }]);
  });

  test.each([
    [
      'number;add;price\nPF-1;100;1.500',
      '2: “1.500” may be 1500 or 1.500. Write two decimals, such as 1500.00.',
    ],
    [
      'number;add;price\nPF-1;100;1,500',
      '2: “1,500” may be 1500 or 1.500. Write two decimals, such as 1500.00.',
    ],
    ['number;add\nPF-1;250,000', '2: “250,000” is not a whole number. Write digits only.'],
    [
      'number,add\nPF-1,2,500',
      '2: This line has 3 cells, but there are 2 columns. Put figures with commas in quotes.',
    ],
    ['PF-1,2,500', '1: “2,500” may be one figure or two. Separate the cells by semicolons.'],
    [
      'number,add,price\nPF-1,1,000',
      '2: “1,000” may be one figure or two. Separate the cells by semicolons.',
    ],
    [
      'number,price,add\nPF-1,1,000',
      '2: “1,000” may be one figure or two. Separate the cells by semicolons.',
    ],
    [
      'number\tname\tprice\nPF-1\t"\t5.00\nPF-2\t"\t91.00',
      '2: A quoted cell of this line covers other lines. Check its quotes.',
    ],
    ['number,add\nPF-1;5', '2: This line has another separator than the file.'],
    ['number,add\nPF-1,"0,500"', '2: “0,500” is not a whole number. Write digits only.'],
    ['number,add\nPF-1,"1234,567"', '2: “1234,567” is not a whole number. Write digits only.'],
    [
      'number,add,price,name\nPF-B5001,5000,,"6.1 OLED\nPF-D6701,1,,x',
      '2: A quote in this line is never closed. Nothing from here on is read.',
    ],
    [
      'number,add,name\nPF-1,5,"6.1 OLED\nPF-2,6,5.8"\n',
      '2: A quoted cell of this line covers other lines. Check its quotes.',
    ],
    ['number,add\nabc,1,\n---,5\n\n-100,', null],
  ])('readChanges guesses nothing in %j', (text, error) => {
    expect(read(text)).toEqual(
      error
        ? [error]
        : [
            { number: 'ABC', add: 1 },
            { number: '---', add: 5 },
          ],
    );
  });

  test('notes name the unused columns and lines', () => {
    const notes = (text: string) => readChanges(text).notes;
    expect(notes('SKU,Price,MOQ,Name\nPF-1,1.10,500,x')).toEqual([
      'Columns that are not used: “MOQ”, “Name”.',
    ]);
    expect(notes('Goods in 25 Nov\nnumber,add\nPF-1,1')).toEqual([
      'The lines before line 2, which names the columns, are not read.',
    ]);
    expect(notes('number,add,price,name,stock now,price now\nPF-1,1,,x,5,5')).toEqual([]);
    expect(notes('Part Number,Material,Qty\nPF-1,LiPo,5')).toEqual([
      'Columns that are not used: “Material”.',
    ]);
    expect(notes('number,add,price,reason\nPF-1,1,,x')).toEqual([]);
  });

  test("the shop's own stock file is understood", () => {
    const head =
      '\uFEFFPart number,Part,Kind,Stock,Minimum order,Order step,Unit price (USD),Changed at,Part ID';
    const { lines, notes } = readChanges(`${head}\r\n'-100,x,Battery,5,1,1,9.50,2026-11-25T00:00:00Z,01a1`);
    expect(lines.map(({ change }) => change)).toEqual([{ number: '-100', price: 9.5 }]);
    expect(notes).toEqual([]);
  });

  test('a part with two prices is an error in each line', () => {
    expect(read('number,add,price\nPF-1,5,1\nPF-2,1\npf-1,6,2')).toEqual([
      '2: PF-1 has different prices: lines 2, 4.',
      { number: 'PF-2', add: 1 },
      '4: PF-1 has different prices: lines 2, 4.',
    ]);
    const many = `number,price\n${Array.from({ length: 5000 }, (_, at) => `PF-1,${at + 1}\n`).join('')}`;
    expect(read(many).at(-1)).toBe('5001: PF-1 has different prices: lines 2, 3, 4, 5, 6 and 4,995 more.');
  });

  test('a part that is scanned piece by piece is one change', () => {
    const [line, ...others] = readChanges(`number,add\n${'PF-1,1\n'.repeat(1500)}`).lines;
    expect(line).toMatchObject({ line: 2, more: 1499, change: { number: 'PF-1', add: 1500 } });
    expect(others).toEqual([]);
  });
});
