import { describe, expect, test } from 'vitest';
import { type ParcelChoice, readParcelCsv, readParcelRows, readParcels } from './parcel-file.ts';

const read = (table: ReturnType<typeof readParcelCsv>, choice: Partial<ParcelChoice> = {}) => {
  const chosen = { places: table.places, carrier: 'DHL', today: '2026-11-28', numbers: {}, ...choice };
  const { lines, days } = readParcels(table, { timeZone: 'UTC', ...chosen });
  const tell = ({ row, problem, number }: (typeof lines)[number]) =>
    problem ? `${row.line} ${problem.column}: ${problem.message}` : number;
  return { lines: lines.map(tell), days, parcels: lines.flatMap(({ parcels }) => parcels) };
};
const readText = (text: string, choice?: Partial<ParcelChoice>) => read(readParcelCsv(text), choice);
const midnight = (day: string) => `${day}T00:00:00.000Z`;
const today = midnight('2026-11-28');

test.each([
  ['DHL', 'sep=;\nReferenz;Sendungsnummer;Produkt\n10160;0034;DHL Paket', 'DHL 0034'],
  ['ShipStation', 'Order #,Carrier,Tracking #,Ship Date\n10160,UPS,1Z9,', 'UPS 1Z9'],
  ['UPS', 'Shipments\n\nReference\tTracking Number\tService\n10160\t1Z9\tGround', 'DHL 1Z9'],
  ['a spreadsheet', '\uFEFForder,carrier,tracking\r\n\'10160,DHL,"=""0034"""', 'DHL 0034'],
])('a file of %s is read by its names', (_, text, parcel) => {
  const [carrier, number] = parcel.split(' ');
  expect(readText(text).parcels).toEqual([{ order: '10160', carrier, number, sentAt: today }]);
});

test('no column is suggested where two may mean the same', () => {
  const table = readParcelCsv('Order,Number,Tracking number\n10160,1,0034');
  expect(table.places).toEqual({ order: 0 });
  expect(read(table, { places: { order: 0, number: 2 } }).parcels[0]?.number).toBe('0034');
});

test('columns of unknown names are chosen', () => {
  const table = readParcelCsv('Beleg;Paket\n10160;0034');
  expect([table.names, table.places]).toEqual([['Beleg', 'Paket'], {}]);
  expect(() => readParcelCsv('10160;0034\n10161;0035')).toThrow('The first line must name the columns');
});

const number = (cell: string) => `order,tracking\n10160,${cell}`;
test.each([
  ['more cells than columns', 'order,carrier,tracking\n10160,FedEx, Inc.,79', '2 : This line has 4 cells'],
  ['an open quote', 'order,tracking\n10160,"0034\n10161,0035', '2 : A quote in this line is never closed'],
  [
    'a quote over lines',
    'order,tracking,a\n10160,"0,0\n10161,0",\n',
    '2 : A quoted cell of this line covers',
  ],
  ['an error', number('#N/A'), '2 tracking: The spreadsheet has #N/A here'],
  ['an exponent', number('3.40434E+17'), '2 tracking: A spreadsheet rounded it'],
  ['an exponent with a comma', number('"9,40011E+21"'), '2 tracking: A spreadsheet rounded it'],
  ['hashes', number('########'), '2 tracking: The spreadsheet has ######## here'],
  ['lost digits', number('340434161094042000'), '2 tracking: Spreadsheets keep 15 digits'],
  ...['28-Nov', '28 Nov 2026', '2026/11/28', 'Nov. 28 2026'].map((day) => [
    `the day ${day} for a number`,
    number(day),
    '2 tracking: This is a day',
  ]),
  ...['dhl.de?id=7', '0034\uFFFD1', '28.11.2026 10:30', '$7.00', '0034; 0035'].map((text) => [
    `the marks of ${text} in a number`,
    number(text),
    '2 tracking: It has marks that no carrier writes',
  ]),
  ['an exponent in wide letters', number('９.４Ｅ＋17'), '2 tracking: A spreadsheet rounded it'],
  ['no digits', number('Inc.'), '2 tracking: No carrier writes it so'],
  ['pieces with decimals', 'order,tracking,pieces\n10160,0034,1.000', '2 pieces: “1.000” is not a whole'],
  ['no day', 'order,tracking,sent\n10160,0034,31.02.2026', '2 sent: “31.02.2026” is no day'],
  [
    'no day before a time',
    'order,tracking,sent\n1,7,2026-02-30T10:00Z',
    '2 sent: “2026-02-30T10:00Z” is no day',
  ],
  ['pieces of several orders', 'order,tracking,pieces\n10160 10161,0034,7', '2 pieces: Leave it empty'],
])('a line with %s is refused with its column', (_, text, message) => {
  const { lines, parcels } = readText(text);
  expect([lines[0], parcels]).toEqual([expect.stringContaining(message), []]);
});

test.each([
  ['columns', `order,tracking${',x'.repeat(200)}\n10160,0034`],
  ['text', `order,tracking,note\n10160,0034,${'x'.repeat(2_000_000)}`],
])('a file with too many or long %s is refused', (_, text) => {
  expect(() => readParcelCsv(text)).toThrow('too many columns or too long texts');
});

test('a number typed from the label replaces the spoilt one', () => {
  const { parcels } = readText(number('3.4E+17'), { numbers: { 2: '340434161094042000' } });
  expect(parcels[0]?.number).toBe('340434161094042000');
});

test('a workbook keeps texts, and has lost digits of long numbers', () => {
  const [head, text] = [
    ['order', 'tracking'],
    [10160, '340434161094042000'],
  ];
  const rows = [head, text, [10161, 340434161094042558n]].map((cells, index) => ({
    line: index + 1,
    cells: cells.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)),
  }));
  expect(read(readParcelRows(rows)).lines).toEqual([
    '340434161094042000',
    expect.stringContaining('3 tracking: Spreadsheets keep 15 digits'),
  ]);
});

test.each(['#10160 / 10161', 'Orders 10160; 10161'])('one box has a parcel of each of %j', (orders) => {
  const { parcels } = readText(number('0034').replace('10160', orders));
  expect(parcels.map(({ order, number }) => [order, number])).toEqual([
    ['10160', '0034'],
    ['10161', '0034'],
  ]);
});

describe('days', () => {
  const readDays = (days: string[], form?: ParcelChoice['form']) =>
    readText(`order,tracking,sent\n${days.map((day) => `10160,0034,"${day}"`).join('\n')}`, { form });

  test.each([
    '2026-11-28',
    '28.11.2026',
    '28. 11. 26',
    '11/28/2026 2:33 PM',
    '11/28/26',
    '28 Nov 2026',
    'Nov. 28, 2026',
    '28-November-2026',
  ])('are read as %j', (day) => {
    expect(readDays([day]).parcels[0]?.sentAt).toBe(today);
  });

  test('are read by a line that has one reading', () => {
    const { parcels } = readDays(['03/04/2026', '28/03/2026']);
    expect(parcels.map(({ sentAt }) => sentAt)).toEqual([midnight('2026-04-03'), midnight('2026-03-28')]);
  });

  test('days with two readings wait for a choice', () => {
    const { days, lines } = readDays(['03/04/2026', '2026-03-04']);
    expect(days).toEqual({ example: '03/04/2026', forms: ['day first', 'month first'] });
    expect(lines[0]).toBe('2 sent: Choose above how the file writes days.');
    expect(readDays(['03/04/2026'], 'month first').parcels[0]?.sentAt).toBe(midnight('2026-03-04'));
  });

  test('begin in the time zone of the shop', () => {
    const { parcels } = readText('order,tracking,sent\n1,0034,2026-11-21\n1,0034,2026-11-21T09:30:00Z', {
      timeZone: 'Pacific/Auckland',
    });
    expect(parcels.map(({ sentAt }) => sentAt)).toEqual([
      '2026-11-20T11:00:00.000Z',
      '2026-11-21T09:30:00.000Z',
    ]);
  });
});
