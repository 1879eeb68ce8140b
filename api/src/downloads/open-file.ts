import { Readable } from 'node:stream';
import { CATALOGUE_COLUMNS, catalogueColumns } from '@parts-forge/contract/files/catalogue-file';
import type { CheckedDownloadRequest } from '@parts-forge/contract/files/downloads';
import { formatNumber } from '@parts-forge/contract/money/papers';
import { WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';
import { readDay } from '@parts-forge/contract/text/days';
import { findActivity } from '#src/activity/find-activity.ts';
import { findStockLedger } from '#src/activity/find-stock-ledger.ts';
import { listUndoLines, type UndoLine } from '#src/catalogue/list-undo-lines.ts';
import { findImportRow, readImportLines, type StoredLine } from '#src/catalogue/store.ts';
import { findOrderPapers } from '#src/invoices/find-order-papers.ts';
import { awaitMonth, readMovements, sumTaxes } from '#src/invoices/movements.ts';
import { type Paper, readPapers } from '#src/invoices/read-papers.ts';
import {
  describeElectronically,
  renderInvoices,
  renderTogether,
  renderZip,
} from '#src/invoices/render-invoices.ts';
import { findBookedOrders } from '#src/orders/find-orders.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { readAllPages } from '#src/platform/database/read-all-pages.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProducts } from '#src/products/find-products.ts';
import { findPartFacts } from '#src/products/store.ts';
import { type Csv, writeCsv } from './csv.ts';
import { activityCsv, createMonthCsv, ledgerCsv, ordersCsv, problemsCsv, stockCsv } from './lists.ts';
import type { Reader } from './require-readable.ts';
import { writeWorkbook } from './write-workbook.ts';

export interface OpenFile {
  name: string;
  type:
    | 'application/pdf'
    | 'application/xml; charset=utf-8'
    | 'application/zip'
    | 'text/csv; charset=utf-8'
    | typeof WORKBOOK_TYPE;
  content: Buffer | Readable;
}

/**
 * The reader's permission must be checked before. Lists and many papers are read only as fast as their reader
 * consumes them.
 * @param hasGone whether the reader has disconnected
 * @returns null if the reader disconnected first
 * @throws Problem `no-invoice`, `no-credit-note`, `not-found`; a later failure breaks the stream
 */
export async function openFile(
  services: Platform,
  reader: Reader,
  request: CheckedDownloadRequest,
  hasGone: () => boolean,
): Promise<OpenFile | null> {
  const { db } = services.database;
  const day = readDay(services.clock.now(), services.config.timeZone);
  switch (request.what) {
    case 'invoice':
    case 'credit-note':
      return openInvoiceFile(services, request, hasGone);
    case 'invoices': {
      const { month = day, as } = request;
      if (request.month !== undefined) await awaitMonth(services, request.month);
      const papers = await readAhead(findPapers(db, reader, request));
      const name = `papers-${month}.${as}`;
      const { shop } = services.config;
      if (as === 'zip') return { name, type: 'application/zip', content: renderZip(papers, shop) };
      const content = Readable.from(renderTogether(`Papers ${month}`, papers, shop));
      return { name, type: 'application/pdf', content };
    }
    case 'orders': {
      const { user, ...filters } = request.filters ?? {};
      const search = { ...filters, userId: user, ...(reader.role === 'user' && ownOrders(reader)) };
      return openList(
        `orders-${day}`,
        ordersCsv,
        readAllPages((page) => findBookedOrders(db, { ...search, ...page })),
      );
    }
    case 'activity':
      return openList(
        `activity-${day}`,
        activityCsv,
        readAllPages((page) => findActivity(db, { ...request.filters, ...page })),
      );
    case 'month': {
      const days = await awaitMonth(services, request.month);
      // A shop may have given up its rate since.
      const hasTax = services.config.tax !== null || (await sumTaxes(db, days)).length > 0;
      const movements = readMovements(db, days, ownUser(reader));
      return openList(`month-${request.month}`, createMonthCsv(hasTax), movements);
    }
    case 'catalogue': {
      const parts = readAllPages((page) => findProducts(db, { ...page, available: false, sort: 'name' }));
      if (request.as === 'csv') return openList(`catalogue-${day}`, catalogueColumns, parts);
      const content = Readable.from(
        writeWorkbook(catalogueColumns, await readAhead(parts), services.clock.now()),
      );
      return { name: `catalogue-${day}.xlsx`, type: WORKBOOK_TYPE, content };
    }
    case 'import': {
      const found = await findImportRow(db, request.import);
      if (!found) throw new Problem('not-found');
      if (request.part === 'problems') {
        const problems = Readable.from(readImportLines(db, found.id)).map((page: readonly StoredLine[]) =>
          page.flatMap((line) => line.problems),
        );
        return openList('problems', problemsCsv, problems);
      }
      const used = new Set<string>();
      for await (const page of listUndoLines(db, found))
        for (const line of page) for (const name of Object.keys(line)) used.add(name);
      const columns = CATALOGUE_COLUMNS.filter((name) => used.has(name));
      const undo = Object.fromEntries(columns.map((name) => [name, (line: UndoLine) => line[name]]));
      return openList('undo', undo, listUndoLines(db, found));
    }
    case 'stock': {
      const { product } = request.filters ?? {};
      if (product === undefined) {
        return openList(
          `stock-${day}`,
          stockCsv,
          readAllPages((page) => findProducts(db, { ...page, available: false, sort: 'name' })),
        );
      }
      const number = (await findPartFacts(db, [product])).get(product)?.number ?? product;
      // File names allow fewer characters than part numbers.
      return openList(
        `stock-${number.replace(/[^A-Za-z0-9-]+/g, '-')}-${day}`,
        ledgerCsv,
        readAllPages((page) => findStockLedger(db, reader, product, page)),
      );
    }
  }
}

/** By account, as the address may have belonged to another one. */
const ownOrders = ({ userId }: Reader) => ({ userId, email: undefined });

async function openInvoiceFile(
  services: Platform,
  { order, ...request }: Extract<CheckedDownloadRequest, { order: string }>,
  hasGone: () => boolean,
): Promise<OpenFile | null> {
  const { what } = request;
  const papers = await findOrderPapers(services, order, what);
  if (hasGone()) return null;
  if ('as' in request && request.as === 'xml') {
    const content = Buffer.from(requireEInvoice(papers));
    const name = `invoice-${papers.map(({ row }) => formatNumber(row))}.xml`;
    return { name, type: 'application/xml; charset=utf-8', content };
  }
  const [first = '', ...others] = papers.map(({ row }) => formatNumber(row));
  // Some systems allow 255 characters.
  const name = others.length < 3 ? [first, ...others].join('-') : `${first}-and-${others.length}-more`;
  const content = await renderInvoices(papers, services.config.shop);
  return { name: `${what === 'invoice' ? 'invoice-' : ''}${name}.pdf`, type: 'application/pdf', content };
}

/** @throws Problem `no-invoice` for a paper that lacks a fact of an e-invoice */
export function requireEInvoice([paper]: readonly Paper[]): string {
  const xml = paper ? describeElectronically(paper) : null;
  if (xml !== null) return xml;
  const detail =
    "This invoice is no e-invoice: the seller's country or tax number, a tax rate or the customer's country was not known.";
  throw new Problem('no-invoice', { detail });
}

/** Customers get their own, administrators all. */
const ownUser = ({ role, userId }: Reader) => (role === 'user' ? userId : undefined);

/** A customer's own, or all. */
export const findPapers = (
  db: Executor,
  reader: Reader,
  { orders, month }: Extract<CheckedDownloadRequest, { what: 'invoices' }>,
) => readPapers(db, { orders, month, userId: ownUser(reader) });

async function openList<Row>(
  name: string,
  csv: Csv<Row>,
  pages: AsyncIterable<readonly Row[]>,
): Promise<OpenFile> {
  const content = Readable.from(await readAhead(writeCsv(csv, pages)));
  return { name: `${name}.csv`, type: 'text/csv; charset=utf-8', content };
}

/** Reads the first item at once, so that an early failure is a proper refusal. */
async function readAhead<Item>(items: AsyncGenerator<Item>): Promise<AsyncGenerator<Item>> {
  const first = await items.next();
  async function* readOn() {
    if (!first.done) yield first.value;
    yield* items;
  }
  return readOn();
}
