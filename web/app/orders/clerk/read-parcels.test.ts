import { describe, expect, test } from 'vitest';
import { beginSentDay, readParcels } from './read-parcels.ts';

const today = '2026-11-24';
const read = (text: string) => readParcels(text, today);

describe('a file of parcels', () => {
  test.each([',', ';', '\t'])('is read by its column names, separated by %j', (separator) => {
    const lines = [
      ['Tracking number', 'Name', 'Order_no', 'Carrier', 'Pieces', 'Sent'],
      ['0034', 'Amara', '10160', 'DHL', '', '2026-11-21'],
      ['"1Z;,""9"', 'Li', '10161', 'UPS', '20', ''],
    ];
    expect(read(`\uFEFF\r\n${lines.map((cells) => cells.join(separator)).join('\r\n')}\r\n`)).toEqual([
      { order: '10160', carrier: 'DHL', number: '0034', sentAt: '2026-11-21' },
      { order: '10161', carrier: 'UPS', number: '1Z;,"9', sentAt: today, quantity: 20 },
    ]);
  });

  test('a file without a column of orders is refused with its columns', () => {
    expect(() => read('carrier,number,sent\nDHL,0034,2026-11-21')).toThrow(
      'The columns are “carrier”, “number”, “sent”. There is none for “order”.',
    );
    expect(() => read('10160,DHL,0034')).toThrow('There is none for “order”, “carrier”, “number”.');
  });

  test('is refused as a workbook', () => {
    expect(() => read('PK\u0003\u0004order')).toThrow('This is an Excel workbook: save it as CSV.');
  });

  test('has no parcels while it is empty or has only names', () => {
    expect(read(' \n')).toEqual([]);
    expect(read('order,carrier,number')).toEqual([]);
  });

  test('leaves unreadable figures and missing cells to the shop', () => {
    expect(read('order,carrier,number,pieces\n10160,DHL,0034,some\n10161')).toEqual([
      { order: '10160', carrier: 'DHL', number: '0034', sentAt: today, quantity: 0 },
      { order: '10161', carrier: '', number: '', sentAt: today },
    ]);
  });
});

test('a day begins in the time zone, and other texts stay', () => {
  expect(beginSentDay('2026-11-21', 'Pacific/Auckland')).toBe('2026-11-20T11:00:00.000Z');
  for (const text of ['2026-02-30', '2026-13-45', '21.11.2026', '', '2026-11-21T09:30:00Z']) {
    expect(beginSentDay(text, 'Pacific/Auckland')).toBe(text);
  }
});
