import { Readable } from 'node:stream';
import {
  CATALOGUE_COLUMNS,
  catalogueColumns,
  PRICE_COLUMNS,
} from '@parts-forge/contract/files/catalogue-file';
import type { CheckedDownloadRequest } from '@parts-forge/contract/files/downloads';
import { formatNumber } from '@parts-forge/contract/money/papers';
import { WORKBOOK_TYPE } from '@parts-forge/contract/products/catalogue';
import { readDay } from '@parts-forge/contract/text/days';
import { findActivity } from '#src/activity/find-activity.ts';
import { findStockLedger } from '#src/activity/find-stock-ledger.ts';
import { findAliases } from '#src/batch/aliases-store.ts';
import { listUndoLines, type UndoLine } from '#src/catalogue/list-undo-lines.ts';
import { findImportRow, maySee, readImportLines, type StoredLine } from '#src/catalogue/store.ts';
import { awaitMonth, readMovements, sumTaxes } from '#src/invoices/movements.ts';
import { orderPapers } from '#src/invoices/order-papers.ts';
import { type Paper, readPapers } from '#src/invoices/read-papers.ts';
import {
  describeElectronically,
  renderInvoices,
  renderTogether,
  renderZip,
} from '#src/invoices/render-invoices.ts';
import { findOrders } from '#src/orders/find-orders.ts';
import { Problem } from '#src/platform/core/problem.ts';
import type { Drizzle, Executor } from '#src/platform/database/connection.ts';
import { readAllPages } from '#src/platform/database/read-all-pages.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findProducts } from '#src/products/find-products.ts';
import { findPartFacts } from '#src/products/store.ts';
import { type Csv, writeCsv } from './csv.ts';
import { findOrderPapers } from './find-order-papers.ts';
import {
  activityCsv,
  aliasesCsv,
  createMonthCsv,
  createOrdersCsv,
  createStockCsv,
  ledgerCsv,
  problemsCsv,
} from './lists.ts';
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

interface Opening {
  services: Platform;
  db: Drizzle;
  reader: Reader;
  /** Today, in the shop's time zone. */
  day: string;
  hasGone: () => boolean;
}

type What = CheckedDownloadRequest['what'];
type Opener<Name extends What> = (
  opening: Opening,
  request: Extract<CheckedDownloadRequest, { what: Name }>,
) => Promise<OpenFile | null>;

const openers: { [Name in What]: Opener<Name> } = {
  invoice: openInvoiceFile,
  'credit-note': openInvoiceFile,
  invoices: openPapers,
  orders: ({ db, reader, day }, request) => {
    const { user, ...filters } = request.filters ?? {};
    const search = { ...filters, userId: user, ...(reader.role === 'user' && ownOrders(reader)) };
    const pages = readAllPages((page) => findOrders(db, orderPapers, { ...search, ...page }));
    return openList(`orders-${day}`, createOrdersCsv(), pages);
  },
  activity: ({ db, day }, { filters }) => {
    const pages = readAllPages((page) => findActivity(db, { ...filters, ...page }));
    return openList(`activity-${day}`, activityCsv, pages);
  },
  month: async ({ services, db, reader }, { month }) => {
    const days = await awaitMonth(services, month);
    // A shop may have given up its rate since.
    const hasTax = services.config.tax !== null || (await sumTaxes(db, days)).length > 0;
    return openList(`month-${month}`, createMonthCsv(hasTax), readMovements(db, days, ownUser(reader)));
  },
  catalogue: async ({ services, db, day }, request) => {
    const parts = readAllParts(db);
    if (request.as === 'csv') return openList(`catalogue-${day}`, catalogueColumns, parts);
    const content = Readable.from(
      writeWorkbook(catalogueColumns, await readAhead(parts), services.clock.now()),
    );
    return { name: `catalogue-${day}.xlsx`, type: WORKBOOK_TYPE, content };
  },
  import: openImport,
  'own-names': ({ db, reader: { userId }, day }) =>
    openList(
      `own-names-${day}`,
      aliasesCsv,
      readAllPages((page) => findAliases(db, userId, page)),
    ),
  stock: async ({ db, reader, day }, { filters }) => {
    const product = filters?.product;
    if (product === undefined) return openList(`stock-${day}`, createStockCsv(), readAllParts(db));
    const number = (await findPartFacts(db, [product])).get(product)?.number ?? product;
    // File names allow fewer characters than part numbers.
    const name = `stock-${number.replace(/[^A-Za-z0-9-]+/g, '-')}-${day}`;
    return openList(
      name,
      ledgerCsv,
      readAllPages((page) => findStockLedger(db, reader, product, page)),
    );
  },
};

/**
 * The reader's permission must be checked before. Lists and many papers are read only as fast as their reader
 * consumes them.
 * @param hasGone whether the reader has disconnected
 * @returns null if the reader disconnected first
 * @throws Problem `no-invoice`, `no-credit-note`, `not-found`; a later failure breaks the stream
 */
export function openFile<Name extends What>(
  services: Platform,
  reader: Reader,
  request: Extract<CheckedDownloadRequest, { what: Name }>,
  hasGone: () => boolean,
): Promise<OpenFile | null> {
  const { clock, config, database } = services;
  const day = readDay(clock.now(), config.timeZone);
  const open: Opener<Name> = openers[request.what as Name];
  return open({ services, db: database.db, reader, day, hasGone }, request);
}

async function openPapers(
  { services, db, reader, day }: Opening,
  request: Extract<CheckedDownloadRequest, { what: 'invoices' }>,
): Promise<OpenFile> {
  const { month = day, as } = request;
  if (request.month !== undefined) await awaitMonth(services, request.month);
  const papers = await readAhead(findPapers(db, reader, request));
  const name = `papers-${month}.${as}`;
  const { shop } = services.config;
  if (as === 'zip') return { name, type: 'application/zip', content: renderZip(papers, shop) };
  const content = Readable.from(renderTogether(`Papers ${month}`, papers, shop));
  return { name, type: 'application/pdf', content };
}

async function openImport(
  { db, reader }: Opening,
  request: Extract<CheckedDownloadRequest, { what: 'import' }>,
): Promise<OpenFile> {
  const found = await findImportRow(db, request.import);
  if (!found || !maySee(reader, found)) throw new Problem('not-found');
  if (request.part === 'problems') {
    const problems = Readable.from(readImportLines(db, found.id)).map((page: readonly StoredLine[]) =>
      page.flatMap((line) => line.problems),
    );
    return openList('problems', problemsCsv, problems);
  }
  const used = new Set<string>();
  for await (const page of listUndoLines(db, found))
    for (const line of page) for (const name of Object.keys(line)) used.add(name);
  const all = found.kind === 'prices' ? PRICE_COLUMNS : CATALOGUE_COLUMNS;
  const columns = all.filter((name) => used.has(name));
  const undo = Object.fromEntries(columns.map((name) => [name, (line: UndoLine) => line[name]]));
  return openList('undo', undo, listUndoLines(db, found));
}

const readAllParts = (db: Executor) =>
  readAllPages((page) => findProducts(db, { ...page, available: false, sort: 'name' }));

/** By account, as the address may have belonged to another one. */
const ownOrders = ({ userId }: Reader) => ({ userId, email: undefined });

async function openInvoiceFile(
  { services, hasGone }: Opening,
  { order, ...request }: Extract<CheckedDownloadRequest, { order: string }>,
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
