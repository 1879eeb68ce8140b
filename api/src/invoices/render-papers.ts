import { buffer } from 'node:stream/consumers';
import { drawPaper } from './draw-paper.ts';
import { FACES, type Face, type Fonts, readFonts } from './fonts.ts';
import { openSheet, PAGE } from './sheet.ts';
import { formatNumber, type InvoiceRow } from './store.ts';

let fonts: Promise<Fonts> | undefined;

/**
 * Renders one PDF/A-2b; the same papers give the same bytes. The first call loads library and fonts, to spare
 * an idle shop the memory.
 * @param papers one invoice, or the credit notes of an order
 * @param invoice the invoice that credit notes reverse; null for an invoice
 */
export async function renderPapers(
  papers: readonly InvoiceRow[],
  invoice: InvoiceRow | null,
): Promise<Buffer> {
  fonts ??= readFonts();
  const [{ default: PDFDocument }, loaded] = await Promise.all([import('pdfkit'), fonts]);
  const title = papers
    .map((paper) => `${paper.series === 'invoice' ? 'Invoice' : 'Credit note'} ${formatNumber(paper)}`)
    .join(', ');
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
      Author: loaded.makePrintable(papers[0]?.seller.name ?? ''),
      Creator: 'Parts Forge',
      Producer: 'Parts Forge',
      // The paper's date keeps the bytes the same.
      ...(papers[0] && { CreationDate: papers[0].issuedAt, ModDate: papers[0].issuedAt }),
    },
  });
  const file = buffer(document);
  for (const face of Object.keys(FACES) as Face[]) document.registerFont(face, loaded.files[face]);
  for (const paper of papers) {
    document.addPage();
    drawPaper(openSheet(document, loaded), paper, invoice);
  }
  document.end();
  return file;
}
