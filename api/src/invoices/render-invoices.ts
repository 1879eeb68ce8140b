import { buffer } from 'node:stream/consumers';
import type { Shop } from '#src/platform/core/config/shop.ts';
import { drawInvoice } from './draw-invoice.ts';
import { FACES, type Face, type Fonts, readFonts } from './fonts.ts';
import { openSheet, PAGE } from './sheet.ts';
import { formatNumber, type InvoiceRow, papers } from './store.ts';

/** Pixels of a side: 600 dpi at its largest. */
const PRINTED_LOGO = 200;

let fonts: Promise<Fonts> | undefined;

/**
 * Renders one PDF/A-2b; the same rows give the same bytes. The first call loads library and fonts, to spare
 * an idle shop the memory.
 * @param rows one invoice, or the credit and debit notes of an order
 * @param invoice the notes' invoice; null for an invoice
 * @param shop its present name and logo; the seller is a row's own
 */
export async function renderInvoices(
  rows: readonly InvoiceRow[],
  invoice: InvoiceRow | null,
  shop: Shop,
): Promise<Buffer> {
  fonts ??= readFonts();
  const [{ default: PDFDocument }, loaded] = await Promise.all([import('pdfkit'), fonts]);
  const name = loaded.makePrintable(shop.name);
  const logo = (await shop.logo?.draw(PRINTED_LOGO, '#ffffff')) ?? null;
  const title = rows.map((row) => `${papers[row.series].name} ${formatNumber(row)}`).join(', ');
  const document = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    subset: 'PDF/A-2b',
    lang: 'en',
    displayTitle: true,
    info: {
      Title: title,
      Author: loaded.makePrintable(rows[0]?.seller.name ?? ''),
      Creator: name,
      Producer: name,
      // The row's date keeps the bytes the same.
      ...(rows[0] && { CreationDate: rows[0].issuedAt, ModDate: rows[0].issuedAt }),
    },
  });
  const file = buffer(document);
  // The types lack parsed fonts.
  for (const face of Object.keys(FACES) as Face[]) document.registerFont(face, loaded.faces[face] as never);
  for (const row of rows) {
    document.addPage();
    drawInvoice(openSheet(document, loaded, shop, logo), row, invoice);
  }
  document.end();
  return file;
}
