import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { countTax, netPiece, shareOut } from '@parts-forge/contract/money/pricing';
import { FacturX } from 'factur-x-kit';
import { expect, test } from 'vitest';
import { readConfig } from '#src/platform/core/config.ts';
import { checkEInvoice } from '#test/check-e-invoice.ts';
import { root } from '#test/processes.ts';
import { isEInvoice, renderEInvoice } from './e-invoice.ts';
import { renderInvoices } from './render-invoices.ts';
import type { InvoiceLine } from './schema.ts';
import type { InvoiceRow } from './store.ts';
import type { TaxCategory } from './tax.ts';

const at = new Date('2026-11-28T12:00:00Z');
const { shop } = readConfig({ SHOP_NAME: 'Parts & Forge' });

interface Kind {
  category?: TaxCategory;
  /** Hundredths of a percent. */
  rate?: number;
  prices?: readonly number[];
  quantity?: number;
  currency?: string;
  name?: string;
  sellerTaxNumber?: string;
  buyerTaxNumber?: string;
  text?: string | null;
  reference?: string | null;
}

/** An invoice as the shop issues it. Prices in cents. */
function anInvoice(kind: Kind = {}): InvoiceRow {
  const { category = 'standard', prices = [5950], quantity = 57, name = 'Display', text = null } = kind;
  const rate = category === 'standard' ? (kind.rate ?? 2000) : 0;
  const amounts = prices.map((price) => price * quantity);
  const totalCents = amounts.reduce((sum, amount) => sum + amount, 0);
  const taxCents = countTax(totalCents, rate);
  const taxes = shareOut(taxCents, amounts);
  const lines = prices.map(
    (priceCents, index): InvoiceLine => ({
      name,
      partNumber: `PF-D${6101 + index}`,
      quantity,
      priceCents,
      ...(rate > 0 && { netPriceCents: netPiece(priceCents, rate) }),
      fromQuantity: null,
      amountCents: amounts[index] ?? 0,
      taxCents: taxes[index] ?? 0,
      orderId: `order-${index}`,
      orderNumber: 10_001 + index,
      reference: null,
    }),
  );
  const country = { code: 'DE', name: 'Germany' };
  return {
    id: 'i',
    series: 'invoice',
    year: 2026,
    sequence: 7,
    orderId: 'order-0',
    invoiceId: null,
    refundId: null,
    lost: false,
    issuedAt: at,
    timeZone: 'Europe/Berlin',
    day: '2026-11-28',
    paidAt: at,
    transactionId: 'pi_7',
    orderNumber: 10_001,
    reference: kind.reference === undefined ? 'PO 4711' : kind.reference,
    currency: kind.currency ?? 'usd',
    totalCents,
    taxCents,
    tax: { category, name: 'VAT', rate, text, reason: null },
    seller: {
      name,
      address: ['Street 1', '10115 Berlin', 'Rear building', 'Germany'],
      taxId: kind.sellerTaxNumber ?? 'DE 123 456 789',
      email: 'seller@shop.example',
      country,
    },
    buyer: {
      name,
      email: 'buyer@shop.example',
      address: 'Way 2\n75001 Paris',
      company: 'Firm',
      taxNumber: kind.buyerTaxNumber ?? 'FR12345678901',
      country: { code: 'FR', name: 'France' },
    },
    lines,
  };
}

/** A note of some money of the invoice's first line. */
function aNote(invoice: InvoiceRow, change: Partial<InvoiceRow>, line: Partial<InvoiceLine>): InvoiceRow {
  const [whole] = invoice.lines;
  if (!whole) throw new Error('No line');
  const amountCents = line.amountCents ?? whole.amountCents;
  const taxCents = countTax(amountCents, invoice.tax?.rate ?? 0);
  return {
    ...invoice,
    series: 'credit-note',
    ...change,
    totalCents: amountCents,
    taxCents,
    lines: [{ ...whole, ...line, taxCents }],
  };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => 307 + 113 * index);
const names = [
  'Ekrān Größe Ünïcode',
  'Οθόνη',
  'Дисплей',
  'شاشة',
  'מסך',
  '显示屏',
  'ディスプレイ',
  '디스플레이',
  'स्क्रीन',
  'จอแสดงผล',
  'A & B <c> "d" \u0001\ud800\u200b',
];
/** All categories of tax, and three rates. */
const KINDS_WITH_NOTES = 6;
const kinds: [string, Kind][] = [
  ...(['zero', 'exempt', 'reverse'] as const).map((category): [string, Kind] => [category, { category }]),
  ...[2000, 1923, 770, 1900, 550, 2700, 1].map((rate): [string, Kind] => [`${rate} of standard`, { rate }]),
  ['exempt by a law', { category: 'exempt', text: '§ 19 UStG' }],
  ['reverse with words', { category: 'reverse', text: 'Article 196' }],
  ...[2, 3, 7, 40, 100].map((count): [string, Kind] => [`${count} lines`, { prices: many(count) }]),
  ...[1, 3, 99].map((quantity): [string, Kind] => [`${quantity} pieces`, { quantity, rate: 1923 }]),
  ...[1, 33, 9_999_999].map((price): [string, Kind] => [
    `a price of ${price}`,
    { prices: [price], rate: 770 },
  ]),
  ...['eur', 'usd', 'gbp'].map((currency): [string, Kind] => [currency, { currency }]),
  ...names.map((name): [string, Kind] => [name, { name }]),
  ['a number of the tax office', { sellerTaxNumber: '12/345/67890' }],
  ['a Greek number', { sellerTaxNumber: 'EL123456789' }],
  ...['123456789', '12-3456789', 'CHE123456789MWST'].map((buyerTaxNumber): [string, Kind] => [
    `reverse for ${buyerTaxNumber}`,
    { category: 'reverse', buyerTaxNumber },
  ]),
  ['no reference', { reference: null }],
];

test('the same row gives the same bytes in another process', async () => {
  const row = anInvoice({ name: 'Brownfox Quickjump' });
  await renderInvoices([{ row: anInvoice({ name: 'Zoë Ünlü Çağla' }), invoice: null }], shop);
  const draw = `
    import { renderInvoices } from './src/invoices/render-invoices.ts';
    import { readConfig } from './src/platform/core/config.ts';
    const row = JSON.parse(process.argv[1], (key, value) => (key.endsWith('At') ? new Date(value) : value));
    const { shop } = readConfig({ SHOP_NAME: 'Parts & Forge' });
    process.stdout.write(await renderInvoices([{ row, invoice: null }], shop));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', draw, JSON.stringify(row)],
    { cwd: join(root, 'api'), encoding: 'buffer' },
  );
  expect(stdout.equals(await renderInvoices([{ row, invoice: null }], shop))).toBe(true);
});

test.each(kinds)('a paper of this kind passes the official rules: %s', async (_name, kind) => {
  const invoice = anInvoice(kind);
  const [first] = invoice.lines;
  const notes =
    kinds.findIndex(([, each]) => each === kind) >= KINDS_WITH_NOTES
      ? []
      : [
          aNote(invoice, {}, {}),
          aNote(invoice, { lost: true }, { quantity: null, priceCents: null, amountCents: 1 }),
          aNote(invoice, {}, { quantity: 1, amountCents: first?.priceCents ?? 1 }),
          aNote(invoice, { series: 'debit-note' }, {}),
        ];
  for (const row of [invoice, ...notes]) {
    if (!isEInvoice(row)) throw new Error('Not an e-invoice');
    const xml = renderEInvoice(row, row === invoice ? null : invoice);
    expect(await checkEInvoice(xml)).toEqual([]);
  }
});

test('a paper of wrong sums is refused by the official rules', async () => {
  const invoice = anInvoice({ prices: [100, 200] });
  const wrong = { ...invoice, totalCents: invoice.totalCents + 1 };
  if (!isEInvoice(wrong)) throw new Error('Not an e-invoice');
  expect(await checkEInvoice(renderEInvoice(wrong, null))).not.toEqual([]);
});

test('a note of more money than its invoice is no e-invoice', async () => {
  const invoice = anInvoice();
  const [line] = invoice.lines as [InvoiceLine];
  const noteOf = (amountCents: number): InvoiceRow => ({
    ...invoice,
    series: 'credit-note',
    totalCents: amountCents,
    lines: [{ ...line, quantity: null, priceCents: null, amountCents }],
  });
  const within = noteOf(line.amountCents + 400);
  if (!isEInvoice(within)) throw new Error('Not an e-invoice');
  expect(await checkEInvoice(renderEInvoice(within, invoice))).toEqual([]);
  expect(isEInvoice(noteOf(line.amountCents + 600))).toBe(false);
});

test('a foreign program reads the paper from its PDF', async () => {
  const row = anInvoice({ prices: [5950, 123], category: 'standard' });
  const pdf = await renderInvoices([{ row, invoice: null }], shop);
  const { object } = await FacturX.fromPDF(new Uint8Array(pdf));
  expect(object).toMatchObject({
    document: { id: '2026-00007', type: '380' },
    seller: { name: 'Display' },
  });
});

test.each([
  ['country of the seller', { seller: { ...anInvoice().seller, country: null } }],
  ['tax number of the seller', { seller: { ...anInvoice().seller, taxId: null } }],
  ['country of the buyer', { buyer: { ...anInvoice().buyer, country: null } }],
  ['tax rate', { tax: null }],
  ['tax of its lines', { lines: anInvoice().lines.map(({ taxCents: _, ...line }) => line) }],
])('a paper without its %s is no e-invoice', (_name, change) => {
  expect(isEInvoice({ ...anInvoice(), ...change })).toBe(false);
});
