import type { Activity, StockMove } from '@parts-forge/contract/events/trail';
import { type LineProblem, writeCode } from '@parts-forge/contract/files/catalogue-file';
import { shopCurrency } from '@parts-forge/contract/money/currency';
import {
  hasWholeCents,
  toAmount,
  toCents,
  withCurrency,
  writeAmount,
} from '@parts-forge/contract/money/money';
import { formatNumber } from '@parts-forge/contract/money/papers';
import type { Alias } from '@parts-forge/contract/orders/aliases';
import { statusLabel } from '@parts-forge/contract/orders/order-states';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { Product } from '@parts-forge/contract/products/products';
import type { Movement } from '#src/invoices/movements.ts';
import type { InvoiceRow } from '#src/invoices/store.ts';
import type { Cell, Csv } from './csv.ts';

const listPapers = ({ papers = [] }: Order, isInvoice: boolean) =>
  papers.filter(({ kind }) => (kind === 'invoice') === isInvoice);
const listNumbers = (order: Order, isInvoice: boolean): string =>
  listPapers(order, isInvoice)
    .map(({ number }) => number)
    .join('; ');

/** A fraction of a cent keeps its decimals. */
export const unitPrice = (amount: number): string =>
  hasWholeCents(amount) ? writeAmount(amount) : String(amount);
/** A number without decimals, as a text that begins with a minus would be disarmed. */
const cents = (amountCents: number): Cell =>
  shopCurrency().decimals === 0 ? amountCents : writeAmount(toAmount(amountCents));

export const createOrdersCsv = (): Csv<Order> => ({
  Order: ({ number }) => number,
  'Ordered at': ({ createdAt }) => createdAt,
  Status: ({ closed, status }) => closed ?? statusLabel(status),
  'Part number': ({ partNumber }) => partNumber,
  Part: ({ productName }) => productName,
  Quantity: ({ quantity }) => quantity,
  [withCurrency('Unit price')]: ({ price }) => unitPrice(price),
  [withCurrency('Total')]: ({ totalPrice }) => writeAmount(totalPrice),
  [withCurrency('Refunded')]: ({ refund }) => refund && cents(toCents(refund.settled ?? 0)),
  Refund: ({ refund }) => refund?.state,
  Disputed: ({ disputed }) => disputed && 'yes',
  Customer: ({ name }) => name,
  Email: ({ email }) => email,
  Phone: ({ phone }) => phone,
  Address: ({ address }) => address,
  Reference: ({ reference }) => reference,
  'Transaction ID': ({ transactionId }) => transactionId,
  'Order ID': ({ _id }) => _id,
  Parcels: ({ shipments }) => shipments?.map(({ carrier, number }) => `${carrier} ${number}`).join('; '),
  Invoice: (order) => listNumbers(order, true),
  'Credit and debit notes': (order) => listNumbers(order, false),
  [withCurrency('Invoice net')]: (order) => listPapers(order, true).map(({ net }) => writeAmount(net))[0],
  [withCurrency('Invoice tax')]: (order) => listPapers(order, true).map(({ tax }) => writeAmount(tax))[0],
  Company: ({ company }) => company,
  Purchase: ({ purchase }) => purchase?.number,
});

const writeFacts = (facts: Activity['before']): Cell =>
  facts &&
  Object.entries(facts)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');

export const activityCsv: Csv<Activity> = {
  At: ({ at }) => at,
  Event: ({ event }) => event,
  By: ({ by }) => by.kind,
  'By name': ({ by }) => by.name ?? by._id,
  Order: ({ orderNumber }) => orderNumber,
  'Order ID': ({ order }) => order,
  Part: ({ product }) => product?.name ?? product?._id,
  Person: ({ user }) => user?.name ?? user?._id,
  'Person email': ({ user }) => user?.email,
  'Transaction ID': ({ transactionId }) => transactionId,
  Pieces: ({ change }) => change,
  Before: ({ before }) => writeFacts(before),
  After: ({ after }) => writeFacts(after),
  'Request ID': ({ requestId }) => requestId,
  Key: ({ key }) => key,
};

export const createStockCsv = (): Csv<Product> => ({
  'Part number': ({ number }) => number,
  Part: ({ name }) => name,
  Kind: ({ kind }) => kind,
  Stock: ({ quantity }) => quantity,
  'Minimum order': ({ minimumOrder }) => minimumOrder,
  'Order step': ({ orderStep }) => orderStep,
  [withCurrency('Unit price')]: ({ price }) => writeAmount(price),
  'Changed at': ({ updatedAt }) => updatedAt,
  'Part ID': ({ _id }) => _id,
});

const movementKinds = {
  invoice: ['received', 'received'],
  'credit-note': ['refunded', 'lost in a dispute'],
  'debit-note': ['refund came back', 'lost dispute came back'],
} as const satisfies Record<InvoiceRow['series'], readonly [string, lost: string]>;

const sign = ({ series }: InvoiceRow): number => (series === 'credit-note' ? -1 : 1);
const isTaxed = ({ tax }: InvoiceRow): boolean => tax?.category != null;

/** Empty for papers without a rate. */
const createTaxColumns = (): Csv<InvoiceRow> => ({
  [withCurrency('Net')]: (row) => isTaxed(row) && cents(sign(row) * (row.totalCents - row.taxCents)),
  [withCurrency('Tax')]: (row) => isTaxed(row) && cents(sign(row) * row.taxCents),
  Tax: ({ tax }) => tax?.category && tax.name,
  'Tax rate (%)': ({ tax }) => tax?.category && (tax.rate / 100).toFixed(2),
  'Tax category': ({ tax }) => tax?.category,
  'Tax number': ({ buyer }) => buyer.taxNumber,
});

/** A line for each paper. @param hasTax whether it has columns of tax */
export const createMonthCsv = (hasTax: boolean): Csv<Movement> => ({
  Date: ({ day }) => day,
  Kind: ({ series, lost }) => movementKinds[series][lost ? 1 : 0],
  [withCurrency('Amount')]: (row) => cents(sign(row) * row.totalCents),
  ...(hasTax && createTaxColumns()),
  Order: ({ orderNumber }) => orderNumber,
  Paper: (row) => formatNumber(row),
  'Transaction ID': ({ transactionId }) => transactionId,
  Customer: ({ buyer }) => buyer.name,
  Company: ({ buyer }) => buyer.company,
  Country: ({ buyer }) => buyer.country?.code,
  'Part number': ({ lines: [line, ...others] }) => others.length === 0 && line?.partNumber,
  Part: ({ lines: [line, ...others] }) => (others.length === 0 ? line?.name : `${others.length + 1} parts`),
  Pieces: (row) => sign(row) * row.lines.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0) || null,
  'For invoice': ({ invoice }) => invoice,
});

/** As `readAliasRows` reads it. */
export const aliasesCsv: Csv<Alias> = {
  name: ({ alias }) => writeCode(alias),
  'part number': ({ product }) => product.number,
};

export const problemsCsv: Csv<LineProblem> = {
  Line: ({ line }) => line,
  Column: ({ column }) => column,
  Problem: ({ message }) => message,
};

export const ledgerCsv: Csv<StockMove> = {
  At: ({ at }) => at,
  Kind: ({ kind }) => kind,
  Change: ({ change }) => change,
  Balance: ({ balance }) => balance,
  Order: ({ orderNumber }) => orderNumber,
  'Order ID': ({ order }) => order,
  By: ({ by }) => by?.kind,
  'By name': ({ by }) => by?.name ?? by?._id,
  Note: ({ note }) => note,
};
