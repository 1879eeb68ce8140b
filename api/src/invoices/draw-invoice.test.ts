import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { MAX_PRICE_CENTS } from '@parts-forge/contract/calls/bounds';
import fc from 'fast-check';
import { getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { renderInvoices } from './render-invoices.ts';
import { AREA } from './sheet.ts';
import type { InvoiceRow } from './store.ts';

const invoice: InvoiceRow = {
  id: '8b9f1c1e-6d5a-4c59-9f0e-0a4a3c8f2a11',
  series: 'invoice',
  refundId: null,
  lost: false,
  year: 2026,
  sequence: 1,
  orderId: 'f3a0a2a5-2f1e-4c63-9d57-6f8f3ad5f0c2',
  invoiceId: null,
  issuedAt: new Date('2026-11-24T10:00:00Z'),
  timeZone: 'UTC',
  day: '2026-11-24',
  paidAt: new Date('2026-11-24T09:59:00Z'),
  transactionId: 'pi_3QK7Zb2eZvKYlo2C1x5hT9aB',
  orderNumber: 10158,
  reference: 'PO 2026-17',
  currency: 'usd',
  totalCents: 3_060_000,
  taxCents: 0,
  tax: null,
  seller: { name: 'Fjord Parts AS', address: ['Havnegata 4', 'Oslo'], taxId: null, email: null },
  buyer: { name: 'Ama Mensah', email: 'ama@example.com', address: '12 Oxford Street, Osu\nAccra' },
  lines: [
    {
      name: 'OLED display assembly',
      partNumber: 'PF-D6101',
      quantity: 500,
      priceCents: 6120,
      fromQuantity: null,
      amountCents: 3_060_000,
    },
  ],
};

const note: InvoiceRow = { ...invoice, series: 'credit-note', invoiceId: invoice.id };
const aPart = { quantity: null, priceCents: null, fromQuantity: null, amountCents: 1234 };
const partOfNote: InvoiceRow = {
  ...note,
  sequence: 2,
  totalCents: 1234,
  lines: note.lines.map((line) => ({ ...line, ...aPart })),
};

const { shop } = readConfig({});

interface Box {
  text: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The texts of each sheet with their boxes, from the top left corner. */
const readBoxes = async (row: InvoiceRow, credited: InvoiceRow | null = null): Promise<Box[][]> =>
  readBoxesOf(await renderInvoices([{ row, invoice: credited }], shop));

async function readBoxesOf(pdf: Buffer): Promise<Box[][]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  return Promise.all(
    Array.from({ length: document.numPages }, async (_, index) => {
      const page = await document.getPage(index + 1);
      const [, , , height = 0] = page.view;
      const { items } = await page.getTextContent();
      return items.flatMap((item) => {
        if (!('str' in item) || item.str.trim() === '') return [];
        const [size, , , , left, baseline] = item.transform as number[];
        if (size === undefined || left === undefined || baseline === undefined) return [];
        const y = height - baseline;
        return [
          { text: item.str, left, right: left + item.width, top: y - 0.7 * size, bottom: y + 0.1 * size },
        ];
      });
    }),
  );
}

/** Boxes that overlap or exceed the margins. */
function findMisplaced(boxes: readonly Box[]): string[] {
  const touches = (a: Box, b: Box) =>
    a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
  const overlapping = boxes.flatMap((box, index) =>
    boxes
      .slice(index + 1)
      .filter((other) => touches(box, other))
      .map((other) => `${box.text} / ${other.text}`),
  );
  const outside = boxes.filter(
    ({ left, right, top, bottom }) =>
      left < AREA.left - 1 || right > AREA.right + 1 || top < AREA.top - 1 || bottom > AREA.bottom + 1,
  );
  return [...overlapping, ...outside.map(({ text }) => `${text} is outside`)];
}

/** Wide and narrow words with breaks. */
const aText = (maxLength: number, separators: readonly string[] = [' ']) =>
  fc
    .array(
      fc.tuple(
        fc.constantFrom('W', 'm', 'e', 'i', 'Ж'),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(...separators),
      ),
      { minLength: 1, maxLength: 250 },
    )
    .map((words) =>
      words
        .map(([letter, times, separator]) => letter.repeat(times) + separator)
        .join('')
        .slice(0, maxLength)
        .trim(),
    );

const invoices = fc
  .record({
    name: aText(120),
    address: aText(500, [' ', '\n', ', ']),
    email: fc.integer({ min: 1, max: 60 }).map((length) => `${'m'.repeat(length)}@example.com`),
    sellerName: aText(80),
    sellerAddress: aText(300, [' ', ', ', ',']),
    part: aText(120),
    reference: fc.option(aText(40)),
    /** Without tax, so with a fraction. */
    priceCents: fc.integer({ min: 1, max: MAX_PRICE_CENTS }).map((cents) => cents / 1.19),
  })
  .map(
    ({ name, address, email, sellerName, sellerAddress, part, reference, priceCents }): InvoiceRow => ({
      ...invoice,
      reference,
      buyer: { name, address, email },
      seller: {
        name: sellerName,
        address: sellerAddress
          .split(',')
          .map((line) => line.trim())
          .filter(Boolean),
        taxId: 'NO 987 654 321',
        email: 'post@example.com',
      },
      lines: invoice.lines.map((line) => ({
        ...line,
        name: part,
        priceCents,
        taxCents: 0,
        fromQuantity: 250,
      })),
    }),
  );

test('texts of an invoice never overlap or leave the sheet', async () => {
  await fc.assert(
    fc.asyncProperty(invoices, async (row) => {
      const sheets = await readBoxes(row);
      expect(sheets.flatMap(findMisplaced)).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

const wrapping = Array.from(
  { length: 8 },
  () => 'Example Logistics Park, Sample Street, Sample Distr 5',
).join('\n');

test.each([
  ['Pacific/Auckland', '1 Jan 2027', 'Paid by card on 1 Jan 2027. Transaction ID'],
  ['UTC', '31 Dec 2026', 'Paid by card on 31 Dec 2026. Transaction ID'],
])('dates are days of the time zone of the invoice: %s', async (timeZone, issued, paid) => {
  const at = new Date('2026-12-31T11:30:00Z');
  const [sheet] = await readBoxes({ ...invoice, issuedAt: at, paidAt: at, timeZone });
  const texts = sheet?.map(({ text }) => text);
  expect(texts).toEqual(expect.arrayContaining([issued, paid]));
});

test('a long invoice continues on a second sheet', async () => {
  const address = wrapping.slice(0, 500);
  const tall = { ...invoice, buyer: { ...invoice.buyer, name: 'W'.repeat(120), address } };
  const credit: InvoiceRow = { ...tall, series: 'credit-note', invoiceId: invoice.id };
  for (const sheets of [await readBoxes(tall), await readBoxes(credit, tall)]) {
    expect(sheets).toHaveLength(2);
    const said = sheets.map((boxes) => boxes.map(({ text }) => text));
    expect(said[0]).toContain('1 of 2');
    expect(said[1]).toEqual(expect.arrayContaining(['2 of 2', 'Total']));
    expect(sheets.flatMap(findMisplaced)).toEqual([]);
  }
});

test("a long seller's address ends within the title block", async () => {
  const address = Array.from({ length: 9 }, (_, index) => `Example Trading Estate ${index}`);
  const [sheet = [], ...others] = await readBoxes({ ...invoice, seller: { ...invoice.seller, address } });
  expect(others).toEqual([]);
  expect(findMisplaced(sheet)).toEqual([]);
});

test('a paper from before taxes were written stays as it was', async () => {
  const [sheet = []] = await readBoxes(invoice);
  const words = sheet.map(({ text }) => text);
  expect(words).toContain('not included');
  const [later = []] = await readBoxes({
    ...invoice,
    tax: { category: null, name: '', rate: 0, text: null, reason: null },
  });
  expect(later.map(({ text }) => text)).not.toContain('Net');
});

test.each([
  ['credit-note', false, 'Refunded to the card'],
  ['debit-note', false, 'A refund came back'],
  ['credit-note', true, 'Lost in a dispute'],
  ['debit-note', true, 'Won back in a dispute'],
] as const)('a %s with lost %s names its cause', async (series, lost, cause) => {
  const tax = { category: null, name: '', rate: 0, text: null, reason: null };
  const [boxes = []] = await readBoxes({ ...note, series, lost, tax }, invoice);
  expect(boxes.map(({ text }) => text)).toContain(`For invoice 2026-00001. ${cause}. Transaction ID`);
});

// 500 pieces at $61.20.
test.each([
  [null, 100, true],
  [400, 2_447_999, true],
  [400, 3_060_000, false],
  [null, 3_060_000, false],
])('a note of %s pieces and %i cents is a part: %s', async (quantity, amountCents, isPart) => {
  const lines = invoice.lines.map((line) => ({ ...line, quantity, priceCents: null, amountCents }));
  const [boxes = []] = await readBoxes({ ...note, lines }, invoice);
  expect(boxes.some(({ text }) => text.includes('a part of the price'))).toBe(isPart);
});

test('a lost dispute of an invoice of release 1.0.0 says so', async () => {
  const [boxes = []] = await readBoxes({ ...note, lost: true, tax: null }, invoice);
  expect(boxes.map(({ text }) => text)).toContain(
    'For invoice 2026-00001. Lost in a dispute. Transaction ID',
  );
});

test.each([
  [invoice, null, 'b04e0ee68de17bb650b97b21ae3a51d04ca216d1b888e1c1fe0057aa79192fa2'],
  [note, invoice, '46b5ce67fc38fe6c0fed9eba11947842a7fb1bc809fa9f7399d769c702aaa662'],
  [partOfNote, invoice, 'b53cc14ecd9727abdf632a5721450829fe08f2ea7fd17f6a9c9ee381ef49c9fd'],
])('papers of release 1.0.0 keep their content (%#)', async (row, credited, content) => {
  const pdf = (await renderInvoices([{ row, invoice: credited }], shop)).toString('latin1');
  // Inflated, as the compression may differ between machines.
  const streams = [...pdf.matchAll(/\/FlateDecode[\s\S]*?stream\n([\s\S]*?)\nendstream/g)].map(
    ([, stream = '']) => inflateSync(Buffer.from(stream, 'latin1')),
  );
  expect(streams.length).toBeGreaterThan(5);
  expect(createHash('sha256').update(Buffer.concat(streams)).digest('hex')).toBe(content);
});

test('a paper has its own text after papers with marked letters', async () => {
  const named = (name: string) => ({ row: { ...invoice, buyer: { ...invoice.buyer, name } }, invoice: null });
  const marked = ['Zoë Ünlü Çağla Ñandú', 'Ångström Łódź Šćepan Ýžřů i̇', 'ﬁ Ωμέγα Ѐѝ'].map(named);
  const plain = named('Brownfox Quickjump Lazydogs Vextz ı fi');
  for (const paper of marked) await renderInvoices([paper], shop);
  const alone = await renderInvoices([plain], shop);
  const together = await renderInvoices([...marked, plain], shop);
  for (const pdf of [alone, together]) {
    const [boxes = []] = (await readBoxesOf(pdf)).slice(-1);
    expect(boxes.map(({ text }) => text)).toContain(plain.row.buyer.name);
  }
  expect((await renderInvoices([plain], shop)).equals(alone)).toBe(true);
});

test('a name of 40 wide letters shrinks to its place', async () => {
  const named = readConfig({ SHOP_NAME: 'W'.repeat(40) }).shop;
  const pdf = await renderInvoices([{ row: note, invoice }], named);
  const [boxes = []] = await readBoxesOf(pdf);
  const [head, block, ...more] = boxes.filter(({ text }) => text === named.name);
  const kind = boxes.find(({ text }) => text === 'Credit note');
  expect(more).toEqual([]);
  expect(head?.right).toBeLessThan((kind?.left ?? 0) - 15);
  // The seller's cell is 1.5 of 4.2 parts wide.
  expect(block?.right).toBeLessThan(AREA.left + ((AREA.right - AREA.left) * 1.5) / 4.2);
});

test.each(['Kites', 'Łódź & Søn', 'Θεσσαλονίκη'])('head and foot print the name %s', async (name) => {
  const pdf = await renderInvoices([{ row: invoice, invoice: null }], readConfig({ SHOP_NAME: name }).shop);
  const [boxes = []] = await readBoxesOf(pdf);
  expect(boxes.filter(({ text }) => text === name)).toHaveLength(2);
});

test('a country that ends the address is printed once', async () => {
  const seller = {
    ...invoice.seller,
    address: ['Havnegata 4', 'Oslo', 'Norway'],
    country: { code: 'NO', name: 'Norway' },
  };
  const buyer = { ...invoice.buyer, country: { code: 'GH', name: 'Ghana' } };
  const [boxes = []] = await readBoxes({ ...invoice, seller, buyer });
  const count = (line: string) => boxes.filter(({ text }) => text === line).length;
  expect([count('Norway'), count('Ghana')]).toEqual([1, 1]);
});
