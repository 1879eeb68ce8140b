import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { formatNumber, papers as kinds } from '@parts-forge/contract/money/papers';
import type PDFDocument from 'pdfkit';
import type { Shop } from '#src/platform/core/config/shop.ts';
import { writeZip } from '#src/platform/core/write-zip.ts';
import { drawInvoice } from './draw-invoice.ts';
import { isEInvoice, renderEInvoice } from './e-invoice.ts';
import { FACES, type Face, type Fonts, readFonts } from './fonts.ts';
import type { Paper } from './read-papers.ts';
import { openSheet, PAGE } from './sheet.ts';
import type { InvoiceRow } from './store.ts';

/** Pixels of a side: 600 dpi at its largest. */
const PRINTED_LOGO = 200;

let fonts: Promise<Fonts> | undefined;

/**
 * Renders one PDF/A; the same rows give the same bytes. A single paper is its own e-invoice (Factur-X) where its
 * facts are known.
 * @param shop its present name and logo; the seller is a row's own
 */
export function renderInvoices(papers: readonly Paper[], shop: Shop): Promise<Buffer> {
  const [only, ...others] = papers;
  if (only && others.length === 0) return buffer(renderPaper(only, shop));
  return buffer(renderTogether(papers.map(({ row }) => nameSheet(row)).join(', '), papers, shop));
}

const renderPaper = (paper: Paper, shop: Shop): AsyncGenerator<Buffer> =>
  renderTogether(nameSheet(paper.row), [paper], shop, describeElectronically(paper));

/** Null for a paper that lacks a fact of an e-invoice. */
export const describeElectronically = ({ row, invoice }: Paper): string | null =>
  isEInvoice(row) ? renderEInvoice(row, invoice) : null;

const nameSheet = (row: InvoiceRow): string => `${kinds[row.series].name} ${formatNumber(row)}`;

/** Renders one PDF as fast as it is read. @param xml of its only paper */
export async function* renderTogether(
  title: string,
  papers: AsyncIterable<Paper> | Iterable<Paper>,
  shop: Shop,
  xml: string | null = null,
): AsyncGenerator<Buffer> {
  let document: Awaited<ReturnType<typeof openDocument>> | undefined;
  for await (const { row, invoice } of papers) {
    document ??= await openDocument(title, row, shop, xml);
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
    const [name, writtenAt] = [formatNumber(row), row.issuedAt];
    yield { name: `${name}.pdf`, writtenAt, content: renderPaper(paper, shop) };
    const xml = describeElectronically(paper);
    if (xml !== null) yield { name: `${name}.xml`, writtenAt, content: [Buffer.from(xml)] };
  }
}

let turn: Promise<unknown> = Promise.resolve();
/** The event loop renders one paper a turn for all readers together, so that other requests do not wait. */
function nextTurn(): Promise<unknown> {
  turn = turn.then(() => setImmediate());
  return turn;
}

/** The first call loads library and fonts, to spare an idle shop the memory. */
async function openDocument(title: string, { seller, issuedAt }: InvoiceRow, shop: Shop, xml: string | null) {
  fonts ??= readFonts();
  const [pdfkit, loaded] = await Promise.all([import('pdfkit'), fonts]);
  // pdfkit writes these into the metadata's XML as they are; a paper from before keeps its bytes.
  const write = (text: string) =>
    loaded.makePrintable(xml === null ? text : text.replaceAll('&', 'and').replace(/[<>]/g, ''));
  const name = write(shop.name);
  const logo = (await shop.logo?.draw(PRINTED_LOGO, '#ffffff')) ?? null;
  const pdf = new pdfkit.default({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    subset: xml === null ? 'PDF/A-2b' : 'PDF/A-3b',
    lang: 'en',
    displayTitle: true,
    info: {
      Title: title,
      Author: write(seller.name),
      Creator: name,
      Producer: name,
      // The row's date keeps the bytes the same.
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  });
  // The types lack parsed fonts.
  for (const face of Object.keys(FACES) as Face[]) pdf.registerFont(face, loaded.faces[face] as never);
  if (xml !== null) attachEInvoice(pdf, xml, issuedAt);
  return { pdf, fonts: loaded, logo };
}

const FACTUR_X = 'factur-x.xml';

/** By Factur-X 1.0: the file, and in the metadata its name and profile with the schema of these fields. */
function attachEInvoice(pdf: typeof PDFDocument.prototype, xml: string, at: Date): void {
  const dates = { creationDate: at, modifiedDate: at };
  pdf.file(Buffer.from(xml), { name: FACTUR_X, type: 'text/xml', relationship: 'Alternative', ...dates });
  const fields = {
    DocumentType: 'INVOICE',
    DocumentFileName: FACTUR_X,
    Version: '1.0',
    ConformanceLevel: 'EN 16931',
  };
  const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
  const values = Object.entries(fields).map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`);
  const properties = Object.keys(fields).map(
    (name) => `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name>
      <pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>
      <pdfaProperty:description>${name}</pdfaProperty:description></rdf:li>`,
  );
  pdf.appendXML(`
    <rdf:Description rdf:about="" xmlns:fx="${namespace}">${values.join('')}</rdf:Description>
    <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
      xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
      xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
      <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
        <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
        <pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>
        <pdfaSchema:property><rdf:Seq>${properties.join('')}</rdf:Seq></pdfaSchema:property>
      </rdf:li></rdf:Bag></pdfaExtension:schemas>
    </rdf:Description>`);
}
