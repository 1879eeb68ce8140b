import { describe, expect, test } from 'vitest';
import { EDITED_FIELDS } from '../products/product-fields.ts';
import {
  CATALOGUE_COLUMNS,
  nameField,
  type ReadLine,
  readCatalogue,
  readCatalogueCsv,
  writeFields,
} from './catalogue-file.ts';
import type { FileRow } from './table.ts';

const read = (...lines: string[]) => readCatalogueCsv(lines.join('\n'));
const readOne = (head: string, line: string): ReadLine => {
  const [only] = read(head, line).lines;
  if (!only) throw new Error('The file has no line.');
  return only;
};
const fieldsOf = (...lines: string[]) => read(...lines).lines.map(({ fields }) => fields);
const messagesOf = (...lines: string[]) =>
  read(...lines).lines.flatMap(({ problems }) => problems.map(({ message }) => message));

describe('prices of a file', () => {
  test.each([
    ['12,50 / 1.355,90', '12.5 / 1355.9'],
    ['12.50 / 1,355.90', '12.5 / 1355.9'],
    ['12,50 / 1.355', '12.5 / 1355'],
    ['12.50 / 1,355', '12.5 / 1355'],
    ['90.750 / 12,50', '90750 / 12.5'],
    ['$ 6.30 / 7 USD', '6.3 / 7'],
    ['64.5000 / 1,234.0000', '64.5 / 1234'],
  ])('%s are read where the file makes them certain', (prices, expected) => {
    const lines = prices.split(' / ').map((price, index) => `PF-${100 + index};${price}`);
    const found = fieldsOf('number;price', ...lines);
    expect(found.map(({ price }) => price).join(' / ')).toBe(expected);
  });

  test.each([
    [['173,900'], /^“173,900” may be 173900 or 173.900. Write two decimals, such as 173900.00.$/],
    [['12.50', '1.355,90'], /Write this one without a mark between thousands.$/],
    [['12.50', '7,25', '1.355'], /^“1.355” may be 1355 or 1.355/],
    [['1e2'], /^“1e2” is not a price/],
    [['0'], /^Must be at least 1$/],
    [['6.305'], /^“6.305” may be/],
    [['64.1250'], /^“64.1250” is not a price/],
  ])('%j are refused where they are uncertain', (prices, message) => {
    const found = messagesOf('number;price', ...prices.map((price, index) => `PF-${100 + index};${price}`));
    expect(found).toEqual([expect.stringMatching(message)]);
  });
});

describe('pieces of a file', () => {
  test.each([
    ['number;add', 'PF-100;5 000', 5000],
    ['number;add', 'PF-100;-20', -20],
    ['number,add', 'PF-100,"5,000"', 5000],
    ['number;add', 'PF-100;500.00', 500],
    ['number;add', 'PF-100;500.0000', 500],
    ['Hersteller-Nr.;Menge', 'PF-100;500', 500],
    ['SKU;Qty', 'PF-100;500', 500],
  ])('%s: %s is read', (head, line, add) => {
    expect(readOne(head, line)).toMatchObject({ fields: { add }, problems: [] });
  });

  test.each(['5,000', '5.000', '2k', '0.5', '1e3', 'ten'])('%s is refused', (add) => {
    expect(messagesOf('number;add', `PF-100;${add}`)).toEqual([
      expect.stringMatching(/is not a whole number. Write digits only.$/),
    ]);
  });
});

test('a number keeps its zeros, its E and its points', () => {
  const { lines } = read(
    'number,add',
    '00123,1',
    '90.750,1',
    '1E5,1',
    `="00124",1`,
    `'00125,1`,
    ' pf–100 ,1',
  );
  expect(lines.map(({ number }) => number)).toEqual(['00123', '90.750', '1E5', '00124', '00125', 'PF-100']);
});

test.each([
  ['2026-12-24', '2026-12-24'],
  ['24.12.2026', '2026-12-24'],
  ['#DATE!2026-12-24', '2026-12-24'],
  ['(none)', null],
])('the file reads the day %s', (cell, expectedAt) => {
  expect(fieldsOf('number,expected', `PF-100,${cell}`)).toEqual([{ expectedAt }]);
});

test('a day with two readings is refused', () => {
  expect(messagesOf('number,expected', 'PF-100,03/04/2026')).toEqual([
    '“03/04/2026” is no certain day. Write it as 2026-11-28.',
  ]);
});

test('the successor is read as a part number', () => {
  expect(fieldsOf('number,replaced by', 'PF-100,="pf–2"\nPF-101,(none)')).toEqual([
    { replacedBy: 'PF-2' },
    { replacedBy: null },
  ]);
});

test('an empty cell changes nothing, and (none) empties a list', () => {
  expect(fieldsOf('number,name,fits,price breaks', 'PF-100,,,(none)')).toEqual([{ priceBreaks: [] }]);
});

test('lists keep separators that are part of an entry', () => {
  const fields = {
    fits: ['A; B', 'C:D', '\\', 'E'],
    attributes: [
      { name: 'a:b;c', value: 'd: e; f\\' },
      { name: 'Size', value: '6.1"' },
    ],
    priceBreaks: [{ quantity: 1000, price: 5.9 }],
  };
  const { fits = '', attributes = '', 'price breaks': breaks = '' } = writeFields(fields);
  const row: FileRow = { line: 2, cells: ['PF-100', fits, attributes, breaks] };
  const head: FileRow = { line: 1, cells: ['number', 'fits', 'attributes', 'price breaks'] };
  expect(readCatalogue([head, row]).lines).toEqual([{ line: 2, number: 'PF-100', fields, problems: [] }]);
});

test('a list may have an entry a line', () => {
  expect(fieldsOf('number,fits,attributes', 'PF-100,"A\nB; C","Colour: red\nMass: 3 g"')).toEqual([
    {
      fits: ['A', 'B', 'C'],
      attributes: [
        { name: 'Colour', value: 'red' },
        { name: 'Mass', value: '3 g' },
      ],
    },
  ]);
});

describe('columns', () => {
  test('every field that administrators edit is a column', () => {
    const names = [...EDITED_FIELDS, 'quantity', 'image'].map(nameField);
    expect(names.filter((name) => !CATALOGUE_COLUMNS.includes(name))).toEqual([]);
  });

  test('columns are found in any case and order', () => {
    const { columns } = read(
      'sep=;',
      'List of May',
      'Price (USD);Supplier;PART NUMBER;minimumOrder',
      '5;x;PF-100;50',
    );
    expect(columns).toEqual([
      { name: 'Price (USD)', column: 'price' },
      { name: 'Supplier', column: null },
      { name: 'PART NUMBER', column: 'number' },
      { name: 'minimumOrder', column: 'minimum order' },
    ]);
  });

  test.each([
    ['number,price,unit price', /mean the same/],
    ['number,SKU,price', /mean the same/],
    ['PF-100,5,6.30', /names the columns/],
    ['name,price', /names the columns/],
    ['number,add,order id', /file of orders/],
    ['"number,add"', /Each line is one quoted cell/],
  ])('the header %s refuses the file', (head, message) => {
    expect(() => read(head, 'PF-100,1,2')).toThrow(message);
  });

  test('a note says that a quantity is added', () => {
    const { notes } = read('number,Quantity', 'PF-1,5');
    expect(notes).toEqual([
      '“Quantity” is added to the stock. To set the stock, write “stock” and “stock was”.',
    ]);
    expect(read('number,add', 'PF-1,5').notes).toEqual([]);
  });

  test('a quantity beside other fields is not read', () => {
    expect(fieldsOf('number,quantity', 'PF-1,5')).toEqual([{ add: 5 }]);
    const { notes, lines } = read('number,name,quantity', 'PF-1,Coil,5');
    expect(notes).toEqual(['“quantity” is not read. Name it “add” for pieces to add, or “stock”.']);
    expect(lines[0]?.fields).toEqual({ name: 'Coil' });
  });

  test('a head of too many columns is refused at once', () => {
    expect(() => read(`number,add,price${',x'.repeat(400_000)}`, 'PF-100,1')).toThrow(/at most 200 cells/);
  });

  test('names further down refuse the file', () => {
    expect(() => read('number,add', 'PF-100,1', 'number,add', 'PF-101,1')).toThrow(
      'Line 3 names columns again. Choose its lines as a file of their own.',
    );
  });
});

test('every column has its German name', () => {
  const head = 'Artikelnummer;Bezeichnung;Beschreibung;Preis;Mindestmenge;Lieferzeit;Passt zu;Bestand';
  expect(read(head, 'PF-100;a').columns.filter(({ column }) => column === null)).toEqual([]);
});

describe('lines', () => {
  test('a part stands in one line, unless its lines only add', () => {
    const { lines } = read('number,add,price', 'PF-100,1', 'PF-101,1,5', 'PF-100,2', 'PF-101,,6');
    expect(lines.map(({ line, fields, problems }) => [line, fields.add, problems[0]?.message])).toEqual([
      [2, 3, undefined],
      [3, 1, 'PF-101 stands in line 5, too. Keep one of them.'],
      [5, undefined, 'PF-101 stands in line 3, too. Keep one of them.'],
    ]);
  });

  test.each<[string, string]>([
    ['PF-100,1,2,3', 'This line has 4 cells, but there are 3 columns. Put figures with commas in quotes.'],
    [',5', 'The part number is missing.'],
    ...['#N/A', '#NV', '#¡VALOR!', '#ДЕЛ/0!', '#SPILL!', '####', 'Err:508', 'Loading...'].map(
      (word): [string, string] => [`PF-100,1,${word}`, `The spreadsheet has ${word} here.`],
    ),
    ['PF-100,1,a\u0081b', 'Has a letter that cannot be shown.'],
    ['"PF-100,1,""Six, inch"""', 'Each line is one quoted cell.'],
    [`PF-100,1,${'x'.repeat(32_768)}`, 'Is too long'],
    ['PF-100,"5', 'A quote in this line is never closed. Nothing from here on is read.'],
    ['P*,5', 'Must be 3 to 64 of A to Z'],
    ['PF-100,1,"Six\ninches,1"', 'A quoted cell of this line covers other lines. Check its quotes.'],
  ])('the line %j is refused', (line, message) => {
    expect(messagesOf('number,add,name', line)).toEqual([expect.stringContaining(message)]);
  });

  test('a text that may be its own line is warned of', () => {
    const warningOf = (text: string) => read('number,description', `PF-1,"${text}"`).lines[0]?.warning;
    expect(warningOf('Panel\nPF-C5003,Module')).toMatch(/^“PF-C5003,Module” is read as text/);
    expect(warningOf('Panel\nblack, thin')).toBeUndefined();
  });

  test('a cell beside the table of a workbook is named', () => {
    const rows = [
      ['number', 'name'],
      ['PF-1', 'a', '', 'a note'],
    ].map((cells, at) => ({ line: at + 1, cells }));
    expect(readCatalogue(rows).lines[0]?.problems[0]?.message).toBe(
      '“a note” stands beside the table, in cell 4. Remove it, or name its column.',
    );
  });

  test('lines are counted as a spreadsheet counts rows', () => {
    const { lines } = read('number,description', 'PF-1,"one\ntwo\nthree"', '', 'PF-2,four');
    expect(lines.map(({ line }) => line)).toEqual([2, 4]);
  });

  test('a text that must be there cannot be (none)', () => {
    expect(messagesOf('number,description', 'PF-1,(none)')).toEqual(['Cannot be empty']);
  });

  test('a description has lines and commas', () => {
    expect(fieldsOf('number,description', 'PF-100,"One, two\nthree ""four"""')).toEqual([
      { description: 'One, two\nthree "four"' },
    ]);
  });

  test('figures of a workbook need no reading', () => {
    const rows = [
      { line: 1, cells: ['number', 'price', 'add'] },
      { line: 2, cells: [100_000, 90.75000000000001, 5] },
      { line: 3, cells: ['PF-100', '173,90', 2.5] },
    ];
    const { lines } = readCatalogue(rows);
    expect(lines[0]).toMatchObject({ number: '100000', fields: { price: 90.75, add: 5 }, problems: [] });
    expect(lines[1]?.problems).toEqual([{ line: 3, column: 'add', message: 'Must be a whole number' }]);
    expect(lines[1]?.fields.price).toBe(173.9);
  });
});

describe('a file of customers’ prices', () => {
  test('is known by its column of customers', () => {
    expect(read('number;price', 'PF-D6101;12.50').kind).toBe('parts');
    expect(read('Kunde;Artikelnummer;Preis', 'ana@shop.test;PF-D6101;12,50').kind).toBe('prices');
  });

  test('has a customer, part, quantity, price and end a line', () => {
    const file = read(
      'customer,number,from,price,until',
      'Ana@Shop.test,pf-d6101,100,60.5,31.12.2026',
      'ana@shop.test,PF-D6101,,64,(none)',
      'ana@shop.test,PF-B4501,,9.1,',
    );
    const tell = ({ line, number, customer, from, fields }: ReadLine) => [
      line,
      number,
      customer,
      from,
      fields,
    ];
    expect(file.lines.map(tell)).toEqual([
      [2, 'PF-D6101', 'ana@shop.test', 100, { price: 60.5, until: '2026-12-31' }],
      [3, 'PF-D6101', 'ana@shop.test', 1, { price: 64, until: null }],
      [4, 'PF-B4501', 'ana@shop.test', 1, { price: 9.1 }],
    ]);
    expect(file.lines.flatMap(({ problems }) => problems)).toEqual([]);
  });

  test.each([
    [',PF-1,1,9.10,', 'The customer’s e-mail address is missing.'],
    ['ana,PF-1,1,9.10,', 'Valid Email is needed'],
    ['ana@shop.test,PF-1,0,9.10,', 'Must be at least 1'],
    ['ana@shop.test,PF-1,1,9.10,03/04/2027', '“03/04/2027” is no certain day. Write it as 2026-11-28.'],
    ['ana@shop.test,PF-1,1,9.10,soon', '“soon” is no certain day. Write it as 2026-11-28.'],
  ])('refuses the line %s', (line, message) => {
    expect(messagesOf('customer,number,from,price,until', line)).toEqual([message]);
  });

  test('refuses two lines of one customer, part and quantity', () => {
    const found = messagesOf(
      'customer,number,from,price',
      'ana@shop.test,PF-1,10,9',
      'Ana@shop.test,PF-1,10,8',
      'bo@shop.test,PF-1,10,8',
      'ana@shop.test,PF-1,20,8',
    );
    expect(found).toEqual([
      'PF-1 stands in line 3, too. Keep one of them.',
      'PF-1 stands in line 2, too. Keep one of them.',
    ]);
  });

  test('a refused customer or quantity makes no two lines one', () => {
    const lines = ['ana,PF-1,1,9', 'bo,PF-1,1,9', 'ana@shop.test,PF-1,1.5,9', 'ana@shop.test,PF-1,-5,9'];
    const found = messagesOf('customer,number,from,price', ...lines, 'ana@shop.test,PF-1,,9');
    expect(found.filter((message) => message.includes('stands in line'))).toEqual([]);
    expect(found).toHaveLength(4);
  });

  test('reads the days that a workbook marks as dates', () => {
    const rows = [
      { line: 1, cells: ['customer', 'number', 'price', 'until'] },
      { line: 2, cells: ['ana@shop.test', 'PF-1', 9, '#DATE!2026-12-31'] },
    ];
    expect(readCatalogue(rows).lines[0]?.fields.until).toBe('2026-12-31');
  });
});
