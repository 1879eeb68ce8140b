import { buffer } from 'node:stream/consumers';
import { drawPaper } from './draw-paper.ts';
import { FACES, type Face, type Fonts, readFonts } from './fonts.ts';
import { openSheet, PAGE } from './sheet.ts';
import { formatNumber, type InvoiceRow } from './store.ts';

let fonts: Promise<Fonts> | undefined;

/**
 * Papers as one PDF for archives (PDF/A-2b), each on pages of its own, with selectable text: the same bytes whenever the same papers
 * are asked for. The library and the fonts are loaded by the first one, so that a shop at rest has neither.
 * @param papers an invoice, or credit notes of one order, one at least
 * @param invoice the one that the credit notes take back; null for an invoice
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
      // Of the paper, not of the moment: the same paper is the same file.
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
