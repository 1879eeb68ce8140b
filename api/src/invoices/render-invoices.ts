import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { formatNumber, papers as kinds } from '@parts-forge/contract/money/papers';
import type { Shop } from '#src/platform/core/config/shop.ts';
import { writeZip } from '#src/platform/core/write-zip.ts';
import { drawInvoice } from './draw-invoice.ts';
import { FACES, type Face, type Fonts, readFonts } from './fonts.ts';
import type { Paper } from './read-papers.ts';
import { openSheet, PAGE } from './sheet.ts';
import type { InvoiceRow } from './store.ts';

/** Pixels of a side: 600 dpi at its largest. */
const PRINTED_LOGO = 200;

let fonts: Promise<Fonts> | undefined;

/**
 * Renders one PDF/A-2b; the same rows give the same bytes.
 * @param shop its present name and logo; the seller is a row's own
 */
export const renderInvoices = (papers: readonly Paper[], shop: Shop): Promise<Buffer> =>
  buffer(renderTogether(papers.map(({ row }) => nameSheet(row)).join(', '), papers, shop));

const nameSheet = (row: InvoiceRow): string => `${kinds[row.series].name} ${formatNumber(row)}`;

/** Renders one PDF as fast as it is read. */
export async function* renderTogether(
  title: string,
  papers: AsyncIterable<Paper> | Iterable<Paper>,
  shop: Shop,
): AsyncGenerator<Buffer> {
  let document: Awaited<ReturnType<typeof openDocument>> | undefined;
  for await (const { row, invoice } of papers) {
    document ??= await openDocument(title, row, shop);
    await nextTurn();
    document.pdf.addPage();
    drawInvoice(openSheet(document.pdf, document.fonts, shop, document.logo), row, invoice);
    const written = document.pdf.read();
    if (written !== null) yield written;
  }
  document?.pdf.end();
  if (document) yield* document.pdf;
}

/** A file for each paper, named by its number, rendered as fast as the zip is read. */
export const renderZip = (papers: AsyncIterable<Paper>, shop: Shop): Readable =>
  Readable.from(writeZip(renderEach(papers, shop), 'stored'));

async function* renderEach(papers: AsyncIterable<Paper>, shop: Shop) {
  for await (const paper of papers) {
    const { row } = paper;
    const content = renderTogether(nameSheet(row), [paper], shop);
    yield { name: `${formatNumber(row)}.pdf`, writtenAt: row.issuedAt, content };
  }
}

let turn: Promise<unknown> = Promise.resolve();
/** The event loop renders one paper a turn for all readers together, so that other requests do not wait. */
function nextTurn(): Promise<unknown> {
  turn = turn.then(() => setImmediate());
  return turn;
}

/** The first call loads library and fonts, to spare an idle shop the memory. */
async function openDocument(title: string, { seller, issuedAt }: InvoiceRow, shop: Shop) {
  fonts ??= readFonts();
  const [{ default: PDFDocument }, loaded] = await Promise.all([import('pdfkit'), fonts]);
  const name = loaded.makePrintable(shop.name);
  const logo = (await shop.logo?.draw(PRINTED_LOGO, '#ffffff')) ?? null;
  const pdf = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    subset: 'PDF/A-2b',
    lang: 'en',
    displayTitle: true,
    info: {
      Title: title,
      Author: loaded.makePrintable(seller.name),
      Creator: name,
      Producer: name,
      // The row's date keeps the bytes the same.
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  });
  // The types lack parsed fonts.
  for (const face of Object.keys(FACES) as Face[]) pdf.registerFont(face, loaded.faces[face] as never);
  return { pdf, fonts: loaded, logo };
}
