import { describe, expect, test } from 'vitest';
import { readBatchLines } from './batch-lines.ts';

/** Number and quantity of a one-line text, or the reason why it is unread. */
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
    '"PF-D6101" ; "250"',
    '" PF-D6101 ";" 250 "',
    'PF-D6101\t250\tOLED display assembly, 6.1 inch',
    'PF-D6101;250;500',
    'PF-D6101;250;pcs',
    'PF-D6101,250,Stk,9.50',
    'PF-D6101,250,1500',
    'PF-D6101;250;OLED display assembly; 6.1 inch',
    'PF-D6101,250,"Display, OLED"',
    '\uFEFFPF-D6101,250',
    'PF–D6101 250',
    'PF\u2011D6101, 250',
    'PF−D6101;250',
    '\u200ePF-D6101\u200f 250',
    'PF-D61\u00ad01 250',
    '“PF-D6101”, 250',
    "'PF-D6101'; 250",
    'ＰＦ－Ｄ６１０１\t250',
    'PF-D6101 250, urgent',
    'PF-D6101 250 pcs, urgent',
    'PF-D6101 250,',
    'PF-D6101  250, urgent',
    'PF-D6101 250 part qty',
    'PF-D6101 250 for S21 5G',
    'PF-D6101; 250; for A52 2021 model',
  ])('consists of a part number and a quantity: %j', (text) => {
    expect(readOne(text)).toEqual(['PF-D6101', 250]);
  });

  test.each([
    ['pf_15 a/b+c.1; 250', 'PF_15 A/B+C.1'],
    ['"GH82 254 A",250', 'GH82 254 A'],
    ['661.21988\t250', '661.21988'],
    ['S21+ 250', 'S21+'],
    ['A/B_1 250', 'A/B_1'],
    ['66121988 250, urgent', '66121988'],
    ['OLED   250', 'OLED'],
    ['GH82 254 A, 250', 'GH82 254 A'],
  ])('accepts marks and spaces in the number: %j', (text, number) => {
    expect(readOne(text)).toEqual([number, 250]);
  });

  test.each(['1000', '"1,000"', '1.000', '1 000', '1’000'])('groups thousands: %s', (quantity) => {
    expect(readOne(`PF-1;${quantity}`)).toEqual(['PF-1', 1000]);
  });

  test.each([
    ['PF-1,"1,000"', 1000],
    ['PF-1\t1 000', 1000],
    ['PF-1 "1,000"', 1000],
    ['PF-1,1000,500', 1000],
    ['PF-1;12,500', 12_500],
    ['PF-1;1,000,000', 1_000_000],
    ['PF-1 1,000', 1000],
    ['PF-1 1,000, urgent', 1000],
    ['PF-1;1', 1],
    ['PF-1;100000000', 100_000_000],
  ])('accepts from one piece to a hundred million: %s', (text, quantity) => {
    expect(readOne(text)).toEqual(['PF-1', quantity]);
  });

  test.each([
    ...['PF-1,1,000', 'PF-1, 1,000', 'PF-1 1 000', 'PF-1,10,500', 'PF-1, 1,000 pcs', 'PF-1,12,500-'],
    ...['PF-1, 1,000.00', 'PF-1 1 000pcs', 'PF-1 2\u00A0500.', 'PF-1,250,500x'],
  ])('refuses a quantity that could be two columns: %s', (text) => {
    expect(readOne(text)).toBe('Write the quantity without a comma or space in it.');
  });

  test.each([
    ['PF-B4501; many', '“many” is not a quantity.'],
    ['PF-B4501; 0', '“0” is not a quantity.'],
    ['PF-B4501; -5', '“-5” is not a quantity.'],
    ['PF-B4501; 2.5', '“2.5” is not a quantity.'],
    ['PF-B4501; 1,00', '“1,00” is not a quantity.'],
    ['PF-B4501; x1,000', '“x1,000” is not a quantity.'],
    ['PF-B4501; 1,000x', '“1,000x” is not a quantity.'],
    ['PF-B4501; 1,000.000', '“1,000.000” is not a quantity.'],
    ['PF-B4501; 0,500', '“0,500” is not a quantity.'],
    ['PF-B4501; 100000001', '“100000001” is not a quantity.'],
    ['PF-B4501; 99999999999999999999', '“99999999999999999999” is not a quantity.'],
    ['PF-B4501', 'No quantity.'],
    ['PF-B4501,', 'No quantity.'],
    [',250', 'No part number.'],
    ['USB-C: port; 2.5', '“USB-C: port” is no part number.'],
    ['PF-1 500,5', '“500,5” is not a quantity.'],
    ['PF-1 250x', '“250x” is not a quantity.'],
    ['PF-1; 500x; urgent', '“500x” is not a quantity.'],
    ['PF-1 1,000 5', '“000 5” is not a quantity.'],
    ...['5 k', '5 dozen', '5 x 100', '100 - 200', '100 -> 50', '50 or 60', '9 €', '64 GB, black'].map(
      (rest) => [`PF-1 ${rest}`, 'Write the quantity with digits alone.'],
    ),
    ['PF-1;2;50 pcs', '“50 pcs” may be several pieces.'],
    ['PF-1 10 Kartons, urgent', '“Kartons” may be several pieces.'],
    ...['PF-1 50, PF-2 30', 'PF-1: 50, PF-2: 30', 'PF-1 50 pcs PF-2 x 30', 'PF-1, 50, PF-2, 30'].map(
      (line) => [line, 'Write each part in a line of its own.'],
    ),
    ['ＰＦ－１\t２５０x', '“２５０x” is not a quantity.'],
    ['PF-1 1,000  5', '“000  5” is not a quantity.'],
    ['PF-1;1000,000', '“1000,000” is not a quantity.'],
    ['PF-1 2.500, urgent', '“urgent” is not a quantity.'],
    ['OLED 250, urgent', '“urgent” is not a quantity.'],
    [',PF-1 250, urgent', 'No part number.'],
    ['12; many', '“12” is no part number.'],
    ['“; 250', '““” is no part number.'],
    [`${'x'.repeat(59)}: port; 250`, `“${'x'.repeat(59)}: port” is no part number.`],
  ])('gives the reason for being unread: %s', (text, reason) => {
    expect(readOne(text)).toBe(reason);
  });

  test.each([
    ['USB-C: port; 250', 'USB-C: port'],
    ['12; 250', '12'],
    ['PF-1"2"; 250', 'PF-1"2"'],
    ['"PF-1"2; 250', '"PF-1"2'],
    ['"6.1"" OLED"; 250', '6.1" OLED'],
    ['Écran “A”; 250', 'Écran “A”'],
  ])('keeps a text that may be a name: %s', (text, name) => {
    expect(readOne(text)).toEqual([name, 250]);
  });

  test('keeps the text in place of the number as a search', () => {
    expect(readBatchLines('USB-C: port; 2.5').unread).toEqual([
      {
        line: 1,
        text: 'USB-C: port; 2.5',
        reason: '“USB-C: port” is no part number.',
        search: 'USB-C: port',
      },
    ]);
    expect(readBatchLines(';250').unread).toEqual([{ line: 1, text: ';250', reason: 'No part number.' }]);
  });
});

describe('a pasted text', () => {
  test('accepts any line ending and counts empty lines', () => {
    const { lines, unread } = readBatchLines('PF-1 5\r\n\r\n  \nPF-2 x\rPF-3 7\n');
    expect(lines.map(({ line, number }) => [line, number])).toEqual([
      [1, 'PF-1'],
      [5, 'PF-3'],
    ]);
    expect(unread.map(({ line, text }) => [line, text])).toEqual([[4, 'PF-2 x']]);
  });

  test.each(['Part number,Quantity', 'number\tadd', '"No.";"Pieces"'])('skips the header %s', (header) => {
    const { lines, unread } = readBatchLines(`\n${header}\nPF-1;5`);
    expect([lines.length, unread.length]).toEqual([1, 0]);
  });

  test.each(['number;quantity', 'Part number / Qty', 'SKU\tPcs.'])(
    'skips the header %j between lines',
    (header) => {
      const { lines, unread } = readBatchLines(`PF-1;5\n${header}\nPF-2;5`);
      expect([lines.length, unread]).toEqual([2, []]);
    },
  );

  test('reports a later line without a quantity as unread', () => {
    const later = ['PF-Display; many', 'PF-Display; many; black'];
    const { lines, unread } = readBatchLines(['PF-1;5', ...later].join('\n'));
    expect(lines.length).toBe(1);
    expect(unread.map(({ text }) => text)).toEqual(later);
  });

  test.each([
    'Part number,Unit price,Quantity\nPF-1,9,1000',
    'Qty,Part\n1000,PF-1',
    'Pos,Part,Qty\n1,PF-1,1000',
    'Artikelnummer;Preis;Menge\nPF-1;9,50;1000',
    'SKU\tName\tPcs\nPF-1\tDisplay, 6.1 inch\t1000',
    'Part number,Part,Quantity\nPF-1,"Display, OLED","1,000"',
    'Part no. 2,Qty,Part number\nx,1000,PF-1',
    'ITEM NO.\tPART NUMBER\tDESCRIPTION\tQTY.\n100\tPF-1\tBattery\t1000',
    'Material,Part number,Qty\nLiPo,PF-1,1000',
    'Item #,SKU,Qty\n100,PF-1,1000',
    'Cat#,Manf#,Qty\n296-100,PF-1,1000',
    'Part,Material no.,Pos,MPN,Order Qty.\n101,102,103,PF-1,1000',
    ...['Manufacturer Part Number', 'Mfr Part #', 'Mfr. Part No.', 'Manf#', 'Cat#'].map(
      (name) => `Reference,Value,${name},Quantity\nU1,100,PF-1,1000`,
    ),
    'Item no;Qty\nPF-1;1000',
    'number, "add"\n"PF-1", "1,000"',
  ])('finds the columns by the header: %j', (text) => {
    const { lines, unread, header } = readBatchLines(text);
    expect(unread).toEqual([]);
    expect(lines).toMatchObject([{ line: 2, number: 'PF-1', quantity: 1000 }]);
    expect(header).toBe(text.split('\n')[0]);
  });

  test.each([
    'sep=;\nArtikelnummer;Preis;Menge\nPF-1;91;1000',
    '"sep=,"\nPart number,Unit price,Quantity\nPF-1,91,1000',
    'Our order\nPart number,Unit price,Quantity\nPF-1,91,1000',
    'Our order of 25 Nov\n\nSKU;Name;Pcs\nPF-1;Display;1000',
    'Order;;\nSKU;Price;Qty\nPF-1;91;1000',
  ])('skips lines before the header: %j', (text) => {
    const { lines, header } = readBatchLines(text);
    expect(lines).toMatchObject([{ number: 'PF-1', quantity: 1000 }]);
    expect(header).toBe(text.split('\n').at(-2));
  });

  test.each([
    'Item,Price,Qty\nPF-1,91,5000',
    'Product code;Unit price;Quantity\nPF-1;64;500',
    'Artikel;Preis;Bestellmenge\nPF-1;91;5000',
    'SKU,Unit price\nPF-1,91',
    'Item 1,Price,Qty\nPF-1,91,5000',
    'Qty,Mouser\n5000,PF-1',
    'SKU;Preis\nPF-1;91',
    'Part number,Stock\nPF-1,500',
    'Amount;SKU\n500;1000',
    'Part,Ordered\nPF-1,1000',
    'Qty,Spare part\n5000,PF-1',
    'Qty,Part name\n5000,PF-1',
    'Item;1st;Price;Qty\nPF-1;90;91;5000',
    'Our order\nItem;Price;Qty\nPF-1;91;5000',
    'Our order\nThing;Cost;Count\nPF-1;91;5000',
    ...['sep=;', 'sep=,', 'sep=', '"sep=;"', 'SEP=;'].map(
      (first) => `${first}\nThing;Cost;Count\nPF-1;91;5000`,
    ),
  ])('stays unread under other column names: %j', (text) => {
    const { lines, unread, header } = readBatchLines(text);
    expect(lines).toEqual([]);
    expect(unread).toMatchObject([
      { text: text.split('\n').at(-1), reason: 'Name the columns “number” and “quantity” in the header.' },
    ]);
    expect(header).toBe(text.split('\n').at(-2));
  });

  test.each([
    ['Part number;Qty;Pieces\nPF-1;2;500', 'Qty” and “Pieces'],
    ['SKU,Part number,Qty\n100,PF-1,500', 'SKU” and “Part number'],
    [
      '"Index","Quantity","Part Number","Manufacturer Part Number"\n"1","1000","100","PF-1"',
      'Part Number” and “Manufacturer Part Number',
    ],
    ['Item no,Material,Qty\n100,PF-1,500', 'Item no” and “Material'],
  ])('stays unread when two columns mean the same: %j', (text, names) => {
    const { lines, unread } = readBatchLines(text);
    expect(lines).toEqual([]);
    expect(unread).toMatchObject([
      { line: 2, reason: `The columns “${names}” mean the same. Leave one of them out.` },
    ]);
  });

  test.each(['Pos.;Menge;Bezeichnung\n100;500;PF-1', '#,Qty,Name\n100,500,x'])(
    'takes no position for a part number: %j',
    (text) => {
      expect(readBatchLines(text)).toMatchObject({ lines: [], unread: [{ line: 2 }] });
    },
  );

  test('reads a quoted cell with a line break as one cell', () => {
    const text = 'Part number,Qty,Note\r\nPF-1,500,"replaces\nPF-2 100 pcs"\r\nPF-3,x,"a\nb"';
    const { lines, unread } = readBatchLines(text);
    expect(lines).toEqual([
      { line: 2, text: 'PF-1,500,"replaces\nPF-2 100 pcs"', number: 'PF-1', quantity: 500 },
    ]);
    expect(unread).toMatchObject([{ line: 4, text: 'PF-3,x,"a\nb"' }]);
  });

  test.each([
    'PF-1;500;"in place of\r\nPF-2;100;black"',
    'number,add,name\nPF-1,5,"6.1 OLED\nPF-2,6,5.8"',
    'Part number\tName\tQty\nPF-1\t"\t250\nPF-2\t"\t1234',
    'Part number;Qty;Name\nPF-1;250;"\nPF-2;1234;"',
  ])('reads no quantity from a cell that covers lines: %j', (text) => {
    expect(readBatchLines(text)).toMatchObject({
      lines: [],
      unread: [{ reason: 'A quoted cell of this line covers other lines. Check its quotes.' }],
    });
  });

  test('a quote that is never closed leaves the next line alone', () => {
    const { lines } = readBatchLines('PF-1;5;"6.1 OLED\nPF-2;6;5.8');
    expect(lines.map(({ number }) => number)).toEqual(['PF-1', 'PF-2']);
  });

  test.each(['Item,Qty\nPF-1,1000', 'productId\tquantity\tnote\nPF-1\t1000\tx'])(
    'reads by position under another name for the part: %j',
    (text) => {
      expect(readBatchLines(text).lines).toMatchObject([{ number: 'PF-1', quantity: 1000 }]);
    },
  );

  test('joined lists may have headers of their own', () => {
    const joined = `Part number;Qty;Price\nPF-1;5;9${'\nPF-1;5;9'.repeat(8)}\nPart number;Price;Qty\nPF-2;91;7`;
    expect(readBatchLines(joined).lines.at(-1)).toMatchObject({ number: 'PF-2', quantity: 7 });
    const late = `${'PF-1;5\n'.repeat(8)}Part number;Price;Qty\nPF-2;91;7\nThing;Cost;Qty\nPF-3;91;7`;
    const { lines, unread } = readBatchLines(late);
    expect(lines.map(({ quantity }) => quantity)).toEqual([...Array(8).fill(5), 7]);
    expect(unread).toMatchObject([{ text: 'PF-3;91;7' }]);
  });

  test.each([
    ['PF-1;5;91\nPart number;Price;Qty', 'This line stands above the header.'],
    ['MPN;Name;Price;Qty\nPF-1;Cable; black;91;5', 'This line has more cells than the header.'],
    ['Part number;Price;Qty\nPF-1\t91\t5', 'This line does not have the columns of the header.'],
    ['SKU Price Qty\nPF-1 91 5', 'Name the columns “number” and “quantity” in the header.'],
  ])('guesses no column of %j', (text, reason) => {
    const { lines, unread } = readBatchLines(text);
    expect(lines).toEqual([]);
    expect(unread).toMatchObject([{ reason }]);
  });

  test.each(['Part number;Qty\nPF-1;5', 'Qty;Part number\n5;PF-1'])(
    'reports no line of a letterhead above %j',
    (list) => {
      const { lines, unread } = readBatchLines(
        `Fieldrepair, week 48\nOrder;4500017781;\n29.11.2026\n${list}`,
      );
      expect({ lines, unread }).toMatchObject({
        lines: [{ line: 5, number: 'PF-1', quantity: 5 }],
        unread: [],
      });
    },
  );

  test('loses no ordered line above a header', () => {
    const { lines, unread } = readBatchLines(
      '120 x PF-2\nPF-3, Display, 4 pcs\nPF-9;1,5\nPart number;Qty\nPF-1;5',
    );
    expect(lines.map(({ number, quantity }) => `${number} ${quantity}`)).toEqual([
      'PF-2 120',
      'PF-3 4',
      'PF-1 5',
    ]);
    expect(unread).toMatchObject([{ line: 3, reason: '“1,5” is not a quantity.' }]);
    const quoted = readBatchLines('Shop;"HQ\nPF-2;5";\nPart number;Qty\nPF-1;5');
    expect(quoted.unread).toMatchObject([{ line: 1, reason: expect.stringContaining('covers other lines') }]);
    const { unread: both } = readBatchLines('Our order\n20 x PF-2 and 30 x PF-3\nPart number;Qty\nPF-1;5');
    expect(both).toMatchObject([{ line: 2 }]);
  });

  test.each(['PF-2;٥٠;pcs', 'PF-2;50 pcs;pcs', 'PF-2;50 EA;pcs', 'PF-2;x50;pcs', 'Display, fifty pieces'])(
    'drops no %j below a list without a word',
    (line) => {
      const { lines, unread, because } = readBatchLines(`PF-1;5\n${line}`);
      expect(lines.length + unread.length + because.length).toBe(2);
    },
  );

  test('takes no line with a unit for a header', () => {
    const { unread } = readBatchLines('SKU;Qty;Unit\nPF-1;5;pcs\nPF-2;many;pcs');
    expect(unread).toMatchObject([{ line: 3, reason: '“many” is not a quantity.' }]);
  });

  test('gives the first header, also one without known names', () => {
    expect(readBatchLines('Teile\nPF-1;5\nQuantity').header).toBe('Teile');
  });

  test("splits a line by its header's separator alone", () => {
    const { lines } = readBatchLines('Part number,Unit price,Quantity\nPF-1 2,9,1000');
    expect(lines).toMatchObject([{ number: 'PF-1 2', quantity: 1000 }]);
  });

  test('accepts empty cells after the last column of the header', () => {
    expect(readBatchLines('Qty,Part\n1000,PF-1,,').lines).toMatchObject([{ number: 'PF-1', quantity: 1000 }]);
  });

  test("reports a line without its header's columns as unread", () => {
    expect(readBatchLines('Pos,Qty,Part\n1,250').unread).toMatchObject([{ reason: 'No part number.' }]);
  });

  test.each(['xsep=;', 'sep=;;', 'sep=x'])('is no separator line: %s', (line) => {
    expect(readBatchLines(`PF-1;5\n${line}`).unread).toMatchObject([{ text: line }]);
  });

  test('refuses a line with more cells than its header names', () => {
    expect(readBatchLines('Qty,Part\n1,000,PF-1').unread).toMatchObject([
      { reason: 'Write the quantity without a comma or space in it.' },
    ]);
  });

  test.each(['PF-1,1,000', 'PF-1,1,000,', 'PF-1,1,500,'])(
    'refuses a quantity that its commas may have cut: %s',
    (line) => {
      expect(readBatchLines(`Part number,Qty,Note\n${line}`).unread).toMatchObject([
        { reason: 'Write the quantity without a comma or space in it.' },
      ]);
      expect(readBatchLines('Part number,Qty,Price\nPF-1,1,500').lines).toMatchObject([{ quantity: 1 }]);
    },
  );

  test('a list with one decimal quantity has no thousands separators', () => {
    const { lines, unread } = readBatchLines(
      'Material;Menge;ME\nPF-D6101;250,000;ST\nPF-B4501;1000,000;ST\nPF-1;5;ST',
    );
    expect(lines.map(({ number, quantity }) => [number, quantity])).toEqual([['PF-1', 5]]);
    expect(unread.map(({ reason }) => reason)).toEqual([
      '“250,000” is not a quantity.',
      '“1000,000” is not a quantity.',
    ]);
    expect(readBatchLines('PF-1;2,500\nPF-2;0,500').lines).toEqual([]);
    expect(readBatchLines('PF-1;2,500\nPF-2;12,5').lines).toEqual([]);
    expect(readBatchLines('PF-1;2,500 ST\nPF-2;0,500 ST').lines).toEqual([]);
    expect(readBatchLines('PF-1;2,500;9,50 €').lines).toEqual([]);
    expect(readBatchLines('PF-1: 2.500\nPF-2: 12.5').lines).toEqual([]);
  });

  test('a part of a text proves no decimal mark', () => {
    const { lines } = readBatchLines('PF-1;x1000,000\nPF-1;1000,000x\nPF-1;1,000');
    expect(lines.map(({ quantity }) => quantity)).toEqual([1000]);
  });

  test('has no lines when it is blank', () => {
    expect(readBatchLines(' \n\t\n')).toMatchObject({ lines: [], unread: [], header: null });
  });
});

describe('a line of a mail', () => {
  test.each([
    ['- PF-D6101: 150', 'PF-D6101', 150],
    ['> PF-D6101 - 150 pcs', 'PF-D6101', 150],
    ['> > 1. PF-D6101 150', 'PF-D6101', 150],
    ['150 x PF-D6101', 'PF-D6101', 150],
    ['- PF-D6101 x 150', 'PF-D6101', 150],
    ['150 pcs of PF-D6101', 'PF-D6101', 150],
    ['• 1.500 × pf-d6101', 'PF-D6101', 1500],
    ['PF-D6101, OLED display 6.1, 150 pcs', 'PF-D6101', 150],
    ['PF-D6101; OLED display; 150 Stk.', 'PF-D6101', 150],
    ['MY-123: 150', 'MY-123', 150],
    ['- OEM 821-00111: 150 pcs', 'OEM 821-00111', 150],
  ])('%s is read', (line, number, quantity) => {
    expect(readBatchLines(line).lines).toMatchObject([{ text: line, number, quantity }]);
  });

  test.each([
    'PF-D6101, OLED display, 1,250 pcs',
    'PF-D6101, OLED display, 150',
    'PF-D6101, OLED display, 10 pcs, 150 pcs',
    'PF-D6101, OLED display, 10 pcs, 150',
    'PF-D6101, box, 150 pcs',
    'PF-D6101, screws 10 pcs',
    'OLED display: 150',
    '1 PF-D6101',
    '2 boxes PF-D6101',
    '150 x 2',
    'PF-D6101: 1,5',
    'PF-D6101 -5',
    '-5 x PF-D6101',
    '2 500 x PF-D6101',
    'PF-D6101, OLED display, 500 pcs, need 150',
  ])('%s is not read', (line) => {
    expect(readBatchLines(line).lines).toEqual([]);
  });

  test('a sentence of a mail is left out beside read lines', () => {
    const mail = 'Hello,\n\nplease send\n- PF-D6101: 150\nPF-XX99, too?\n\nThanks,\n--\nAna';
    const { lines, unread, because } = readBatchLines(mail);
    expect([lines.length, unread.map(({ line }) => line), because]).toEqual([
      1,
      [5],
      ['Left out: 4 lines without a quantity.'],
    ]);
    expect(readBatchLines('OLED display\nBattery').unread).toHaveLength(1);
  });
});

test('a form in which most quantities are empty orders the others', () => {
  const form = (count: number) => [
    'Part,Name,Qty',
    'PF-1,OLED,50',
    ...Array(count).fill('PF-2,Battery,'),
    'PF-3,Board,0',
  ];
  const { lines, unread, because } = readBatchLines(form(2).join('\n'));
  expect([lines.length, unread]).toEqual([1, []]);
  expect(because).toEqual(['The pieces stand in “Qty”.', 'Left out: 3 lines without a quantity.']);
  expect(readBatchLines(form(0).join('\n')).unread).toMatchObject([{ text: 'PF-3,Board,0' }]);
  const odd = ['PF-4: 30x', 'PF-5,Flex,,30', 'PF-6,"OLED', 'PF-7,Frame,30', 'PF-8,x",'];
  expect(readBatchLines([...form(4), ...odd].join('\n')).unread.map(({ line }) => line)).toEqual([8, 9, 10]);
});

test('a heading among the rows of a table is left out', () => {
  const { lines, unread } = readBatchLines(
    'Part\tName\tQty\nDisplays\t\t\nPF-1\tOLED\t50\nPF-2\nFlex\tBlack\tmany',
  );
  expect([lines.length, unread.map(({ line }) => line)]).toEqual([1, [4, 5]]);
});

test('a long letterhead above a header is no list', () => {
  const letterhead = Array.from({ length: 12 }, (_, index) => `Line ${index} of the letterhead`);
  const list = [...letterhead, 'Qty;Part number', '5;PF-1'];
  expect(readBatchLines(list.join('\n'))).toMatchObject({ lines: [{ line: 14, quantity: 5 }], unread: [] });
  const { lines, unread } = readBatchLines(['PF-2;7', ...list].join('\n'));
  expect([lines.length, unread.length]).toEqual([2, 12]);
});

test('a column with empty cells may hold the pieces', () => {
  const { columns } = readBatchLines('Part,Name,Stock,Order\nPF-1,OLED,300,\nPF-2,Flex,200,50');
  expect(columns).toMatchObject([
    { name: 'Stock', example: '300' },
    { name: 'Order', example: '50' },
  ]);
});

describe('spaces that align columns below a header', () => {
  test('separate them, also beside empty cells', () => {
    const list =
      'Our order of Monday\n\nQty    Part       Name\n150    PF-D6101   OLED display\n2      PF-B4501\n   3   x';
    const { lines, unread } = readBatchLines(list);
    expect(lines).toMatchObject([
      { line: 4, number: 'PF-D6101', quantity: 150 },
      { line: 5, number: 'PF-B4501', quantity: 2 },
    ]);
    expect(unread.map(({ line }) => line)).toEqual([6]);
  });

  test('make no stock a quantity', () => {
    const form =
      'Part   Qty   Stock   Name\nPF-1   50      300   OLED\nPF-2           200   OLED  black\nPF-3   100';
    const { lines } = readBatchLines(`${form}\n\nPart   Price   Qty\nPF-4   91      5\nPF-5   92`);
    expect(lines.map(({ number, quantity }) => `${number} ${quantity}`)).toEqual([
      'PF-1 50',
      'PF-3 100',
      'PF-4 5',
    ]);
  });

  test('separate cells that people typed with equal gaps', () => {
    const typed = [
      'Part number   Qty   Name\nPF-1   5   OLED',
      'Part number    Qty\nPF-1  5',
      'Qty   Part\n5        PF-1',
      '  Part number   Qty   Name\n  PF-1   5',
      'Stock   Part   Qty\n        PF-1   5',
    ];
    for (const text of typed)
      expect(readBatchLines(text).lines).toMatchObject([{ number: 'PF-1', quantity: 5 }]);
    const { unread } = readBatchLines('Part   Qty   Name\nPF-1          5    OLED');
    expect(unread).toMatchObject([{ reason: 'This line has more cells than the header.' }]);
  });

  test('are no columns in a padded CSV text or a letterhead', () => {
    for (const text of [
      'Part number ;  Qty\nPF-1    ;    5',
      'Part number  \t  Qty\nPF-1\t    5',
      'Part number  ,  Qty  ,  Name\nPF-1,    5, OLED',
      'Shop   Main street   Berlin\nPF-1  5',
    ])
      expect(readBatchLines(text).lines).toMatchObject([{ number: 'PF-1', quantity: 5 }]);
  });

  test('leave rows unread or ask if it names not both columns', () => {
    for (const header of ['Code   Stock   Qty', 'Code   Stock   Count', 'Our order\nCode   Stock   Count'])
      expect(readBatchLines(`${header}\nPF-1   300     5`)).toMatchObject({
        lines: [],
        unread: [{ reason: 'Name the columns “number” and “quantity” in the header.' }],
      });
    expect(readBatchLines('Part   Stock   Ordered\nPF-1   300     5').columns).toHaveLength(2);
  });
});
