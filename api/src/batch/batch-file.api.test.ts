import { readFile } from 'node:fs/promises';
import type { BatchLine, UnreadBatchLine } from '@parts-forge/contract/orders/batch';
import { WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';
import { strToU8, zipSync } from 'fflate';
import PDFDocument from 'pdfkit';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { downloadPdf } from '#test/downloads.ts';
import { aPurchase, pendingTogether } from '#test/paying-several.ts';
import { useShop } from '#test/use-shop.ts';

const PDF = 'application/pdf';
const shop = useShop();
let customer: Person;

beforeAll(async () => {
  for (const number of ['PF-D6101', 'PF-B4501', 'PF-C2203', 'PF-F1107', '100234'])
    await aProduct(shop, { number, quantity: 100_000 });
});
beforeEach(async () => {
  customer = await signedInAs(shop, 'user');
});

const send = (file: string | Uint8Array, type: string) =>
  customer.post('/batch/file', file, { 'content-type': type });
const readLines = (lines: readonly BatchLine[]) =>
  Object.fromEntries(lines.map(({ product, quantity }) => [product.number, quantity]));
const listReasons = (unread: readonly UnreadBatchLine[]) => [...new Set(unread.map(({ reason }) => reason))];

const all = { 'PF-D6101': 120, 'PF-B4501': 1000, 'PF-C2203': 25, 'PF-F1107': 1 };

/** Printed by Chromium, LibreOffice Calc and pdfkit from tables of four parts. */
test.each([
  ['chromium-de', all, []],
  ['chromium-fr', all, []],
  ['chromium-ar', all, []],
  ['chromium-ja', all, []],
  ['chromium-ru', all, []],
  ['chromium-dates', all, []],
  ['chromium-discount', all, []],
  ['chromium-total-in-row', all, []],
  ['chromium-twoline', all, []],
  ['chromium-unknown', all, ['No part has this number.']],
  ['chromium-packs', {}, ['“box” may be several pieces.']],
  ['chromium-narrow', { 'PF-D6101': 120, 'PF-C2203': 25, 'PF-F1107': 1 }, ['No quantity.']],
  ['chromium-digits', { 'PF-D6101': 120, 'PF-B4501': 1000, '100234': 500 }, []],
  ['chromium-price-first', all, []],
  ['chromium-ar-head', all, []],
  ['pdfkit-tax', all, []],
  ['calc-en', all, []],
  ['calc-pl', all, []],
  ['calc-nohead', all, []],
  ['calc-twoline', { 'PF-D6101': 120, 'PF-B4501': 1000, 'PF-C2203': 25 }, ['No quantity.']],
  ['calc-nl', all, []],
] as const)('the list %s gives what is proved and no more', async (name, lines, reasons) => {
  const file = await readFile(new URL(`../../test/lists/${name}.pdf`, import.meta.url));
  const { status, body } = await send(file, PDF);
  expect([status, readLines(body.data), listReasons(body.unread)]).toEqual([200, lines, reasons]);
  expect(body.added).toBe(Object.keys(lines).length);
});

const choose = async (file: string | Uint8Array, type: string, column: number) =>
  (await customer.post(`/batch/file?quantity=${column}`, file, { 'content-type': type })).body;

/** Two columns of each list could be the quantity. */
test.each([
  [
    'the PDF chromium-delivered',
    'chromium-delivered',
    ['Ordered', 'Delivered', 'Backorder'],
    { 'PF-D6101': 60 },
  ],
  ['the PDF chromium-intprice', 'chromium-intprice', ['A', 'B'], { 'PF-D6101': 7 }],
  ['a text', 'Artikelnr;Menge;Stück\nPF-D6101;120;60', ['Menge', 'Stück'], { 'PF-D6101': 60 }],
  ['a text that names neither', 'Artikelnr;X;Y;Z\nPF-D6101;120;60;a', ['X', 'Y'], { 'PF-D6101': 60 }],
] as const)('%s asks which column holds the pieces', async (_, list, names, chosen) => {
  const isPdf = list.startsWith('chromium');
  const file = isPdf ? await readFile(new URL(`../../test/lists/${list}.pdf`, import.meta.url)) : list;
  const type = isPdf ? PDF : 'text/csv';
  const { status, body } = await send(file, type);
  expect([status, body.data, body.added, body.unread]).toEqual([200, [], 0, []]);
  expect(body.columns.map(({ name }: { name: string }) => name)).toEqual(names);
  expect(body.columns[0].example).toBe('120');
  expect((await choose(file, type, names.length + 1)).errors).toEqual([
    { path: 'quantity', message: `The list asks for one of ${names.length} columns.` },
  ]);
  expect(readLines((await choose(file, type, 2)).data)).toMatchObject(chosen);
});

test('a list that asks for no column refuses a chosen one', async () => {
  const { errors } = await choose('PF-D6101;120', 'text/csv', 1);
  expect(errors).toEqual([{ path: 'quantity', message: 'The list asks for one of 0 columns.' }]);
  expect((await choose('PF-D6101;120', 'text/csv', 0)).status).toBe(422);
});

test("the shop's own invoice orders its parts again", async () => {
  const { customer: buyer, orders } = await pendingTogether(shop, 3, aPurchase);
  const [first] = orders;
  if (!first) throw new Error('No order.');
  const { bytes } = await downloadPdf(shop, buyer, first);
  const { status, body } = await send(bytes, PDF);
  expect([status, body.unread]).toEqual([200, []]);
  expect(readLines(body.data)).toEqual(
    Object.fromEntries(orders.map(({ partNumber, quantity }) => [partNumber, quantity])),
  );
});

const sheet = (rows: readonly string[]) =>
  zipSync({
    'xl/workbook.xml': strToU8('<workbook xmlns:r="r"><sheets><sheet r:id="a"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8('<x><Relationship Id="a" Target="worksheets/a.xml"/></x>'),
    'xl/worksheets/a.xml': strToU8(`<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`),
  });
const row = (place: number, ...cells: (string | number)[]) =>
  `<row r="${place}">${cells
    .map((cell) =>
      typeof cell === 'number' ? `<c><v>${cell}</v></c>` : `<c t="inlineStr"><is><t>${cell}</t></is></c>`,
    )
    .join('')}</row>`;

test('a workbook is read by the names of its columns', async () => {
  const file = sheet([
    row(1, 'Order 4711'),
    row(3, '', 'Menge', 'Artikelnummer'),
    row(4, '', 120, 'PF-D6101'),
    row(6, '', 1000, 'PF-B4501'),
    row(7, '', 5, 'PF-0000'),
  ]);
  const { status, body } = await send(file, WORKBOOK_TYPE);
  expect([status, readLines(body.data)]).toEqual([200, { 'PF-D6101': 120, 'PF-B4501': 1000 }]);
  expect(body).toMatchObject({ added: 2, header: 'Menge\tArtikelnummer' });
  expect(body.unread).toMatchObject([
    { line: 1, text: 'Order 4711' },
    { line: 7, text: '5\tPF-0000', reason: 'No part has this number.' },
  ]);
});

test('a workbook without a header is proved by its amounts', async () => {
  const file = sheet([
    row(1, 'Order 4711'),
    row(2, 'PF-D6101', 'Display', 6.3, 120, 756),
    row(3, 'PF-B4501', 'Battery', 3.05, 1000, 3050),
  ]);
  const { body } = await send(file, WORKBOOK_TYPE);
  expect(readLines(body.data)).toEqual({ 'PF-D6101': 120, 'PF-B4501': 1000 });
  expect(body.read).toBe(
    '2 of 2 lines read. The pieces are the figures whose price makes the amount, as in 120 × 6.3 = 756.',
  );
});

test.each([
  ['PF-D6101;120;box', [], '“box” may be several pieces.'],
  ['Artikel No;Miktar\nPF-D6101;120 adet', [120], undefined],
  ['رقم القطعة;الكمية\nPF-D6101;١٢٠', [120], undefined],
])('units are read and packs are not: %s', async (text, pieces, reason) => {
  const { body } = await send(text, 'text/csv');
  expect(Object.values(readLines(body.data))).toEqual(pieces);
  expect(body.unread[0]?.reason).toBe(reason);
});

test('rows below an unknown header are not read by its names', async () => {
  const rows = (number: string) => `Ours,Name,Qty,Price\n${number},Display,120,64.50`;
  const { body } = await send(rows('PF-0000'), 'text/csv');
  expect(body).toMatchObject({ added: 0, read: '0 of 1 line read.' });
  expect((await send(rows('PF-D6101'), 'text/csv')).body.read).toBe(
    '1 of 1 line read. The pieces stand below “Qty”.',
  );
});

test('a workbook is proved where its header names no number', async () => {
  const file = sheet([
    row(1, 'Poř.', 'Popis', 'Množství', 'Cena', 'Celkem'),
    row(2, 1, 'Display', 120, 6.3, 756),
    row(3, '', 'PF-D6101'),
    row(4, 2, 'Battery', 1000, 3.05, 3050),
    row(5, '', 'PF-B4501'),
  ]);
  const { body } = await send(file, WORKBOOK_TYPE);
  expect(readLines(body.data)).toEqual({ 'PF-D6101': 120, 'PF-B4501': 1000 });
});

test('a text is read as pasted lines are', async () => {
  const { body } = await send('Part;Qty\nPF-D6101;120\nPF-B4501;many', 'text/csv');
  expect(readLines(body.data)).toEqual({ 'PF-D6101': 120 });
  expect(body.unread).toMatchObject([{ line: 3, text: 'PF-B4501;many' }]);
});

/** By the library that prints the shop's papers. */
async function print(draw: (pdf: PDFKit.PDFDocument) => void, options = {}): Promise<Buffer> {
  const pdf = new PDFDocument(options);
  draw(pdf);
  pdf.end();
  const chunks: Buffer[] = [];
  for await (const chunk of pdf) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
const list = (pdf: PDFKit.PDFDocument) => pdf.text('PF-D6101 120 6.30 756.00');

test.each([
  [
    'a scanned PDF',
    () => print((pdf) => pdf.rect(0, 0, 9, 9).fill()),
    'This PDF is a picture of a list: it has no text.',
  ],
  [
    'an encrypted PDF',
    () => print(list, { userPassword: 'secret' }),
    'This PDF is encrypted. Save it without a password.',
  ],
  [
    'a cut PDF',
    async () => (await print(list)).subarray(0, -200),
    'This PDF is cut: its end is missing. Get it once more.',
  ],
  [
    'a PDF of rubbish',
    async () => Buffer.from('%PDF-1.7 rubbish %%EOF'),
    'This PDF is damaged. Get it once more.',
  ],
  [
    'a PDF of sixty pages',
    () =>
      print((pdf) => {
        for (let page = 1; page < 60; page += 1) pdf.addPage();
      }),
    'This PDF has 60 pages. At most 50 are read: choose those of the list.',
  ],
  ['a PDF without a part', () => print((pdf) => pdf.text('Hello, 120')), 'No known part number in 1 rows.'],
  [
    'a Word document',
    async () => zipSync({ 'word/document.xml': strToU8('<x/>') }),
    'This is a Word document. Save it as XLSX or CSV.',
  ],
  [
    'an old Word document',
    async () => Buffer.from('ÐÏ\u0011àW\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0', 'latin1'),
    'This is a Word document. Save it as XLSX or CSV.',
  ],
  [
    'a picture of an icon',
    async () => Buffer.from('\0\0\u0001\0PF-D6101;5'),
    'This is no table. Save it as XLSX or CSV.',
  ],
  [
    'a list of 2,000 rows',
    async () => Buffer.from('PF-D6101,5\n'.repeat(2000)),
    'A list has at most 1,000 rows of number and quantity. Leave out what you do not order.',
  ],
  [
    'a workbook with a row below the thousandth',
    async () => Buffer.from(sheet([row(1, 'PF-D6101', 5), row(2, 'PF-B4501', 5), row(1001, 'PF-C2203', 5)])),
    'A list has at most 1,000 rows of number and quantity. Leave out what you do not order.',
  ],
  [
    'a list of 31 cells a row',
    async () => Buffer.from(`Display;PF-D6101;2;5;10${';1'.repeat(26)}`),
    'A row has more than 30 cells. Leave out what you do not order.',
  ],
  [
    'a PDF of 200,100 letters',
    () =>
      print(
        (pdf) => {
          pdf.fontSize(1);
          for (let line = 0; line < 667; line += 1)
            pdf
              .text('letters of 300'.padEnd(150, ' all'), 9, 9 + line, { lineBreak: false })
              .text('x'.repeat(150), 300, 9 + line, { lineBreak: false });
        },
        { size: [600, 900] },
      ),
    'This list has too much text. Leave out what you do not order.',
  ],
])('%s is refused with a sentence', async (_, make, message) => {
  const file = await make();
  const { status, body } = await send(file, 'text/csv');
  expect([status, body.errors]).toEqual([422, [{ path: 'file', message }]]);
  expect((await customer.get('/batch')).body.data).toEqual([]);
});

test('a PDF orders parts by own names, also beside their numbers', async () => {
  const parts = await customer.get('/product?number=PF-D6101');
  const alias = { alias: 'Écran 12', productId: parts.body[0]._id };
  expect((await customer.put('/batch/alias', alias)).status).toBe(200);
  const file = await print((pdf) => {
    const rows = [
      ['Écran 12', 'PF-D6101', '120', '6.30', '756.00'],
      ['écran  12', 'Display', '3', '6.30', '18.90'],
      ['Écran 13', 'Display', '5', '6.30', '31.50'],
      ['Écran 12', 'PF-B4501', '2', '6.30', '12.60'],
    ];
    for (const [line, cells] of rows.entries())
      for (const [place, cell] of cells.entries()) pdf.text(cell, 50 + 110 * place, 50 + 20 * line);
  });
  const { body } = await send(file, PDF);
  expect(readLines(body.data)).toEqual({ 'PF-D6101': 123 });
  expect(body.data).toMatchObject([{ alias: 'Écran 12' }]);
  expect(body.unread).toMatchObject([
    { line: 3, reason: 'No part has this number.', asked: { name: 'Écran 13', quantity: 5 } },
    { line: 4, reason: 'This row has two part numbers.' },
  ]);
});

test('a PDF that takes too long ends while others are read', async () => {
  const slow = await print((pdf) => {
    for (let line = 0; line < 60_000; line += 1) pdf.text('PF-D6101 1', 50, 50 + (line % 700));
  });
  const [ended, read] = await Promise.all([send(slow, PDF), customer.get('/batch')]);
  expect(read.status).toBe(200);
  expect(ended.status).toBe(422);
});
