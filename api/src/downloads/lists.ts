import { toAmount } from '@parts-forge/contract/money';
import { statusLabel } from '@parts-forge/contract/order-states';
import type { Product } from '@parts-forge/contract/products';
import type { Activity, StockMove } from '@parts-forge/contract/trail';
import { formatNumber, type InvoiceRow } from '#src/invoices/store.ts';
import type { BookedOrder } from '#src/orders/find-orders.ts';
import type { Cell, Csv } from './csv.ts';

const money = (amount: number): string => amount.toFixed(2);
const optional = (value: string | undefined): Cell => value ?? null;

export const ordersCsv: Csv<BookedOrder> = {
  header: [
    'Order',
    'Ordered at',
    'Status',
    'Part number',
    'Part',
    'Quantity',
    'Unit price (USD)',
    'Total (USD)',
    'Refunded (USD)',
    'Refund',
    'Disputed',
    'Customer',
    'Email',
    'Phone',
    'Address',
    'Reference',
    'Transaction ID',
    'Order ID',
  ],
  readCells: (order) => [
    order.number,
    order.createdAt,
    order.closed ?? statusLabel(order.status),
    order.partNumber,
    order.productName,
    order.quantity,
    money(order.price),
    money(order.totalPrice),
    order.refund ? money(toAmount(order.settledCents)) : null,
    optional(order.refund?.state),
    order.disputed ? 'yes' : null,
    order.name,
    order.email,
    order.phone,
    order.address,
    optional(order.reference),
    optional(order.transactionId),
    order._id,
  ],
};

const writeFacts = (facts: Activity['before']): Cell =>
  facts === undefined
    ? null
    : Object.entries(facts)
        .map(([name, value]) => `${name}: ${value}`)
        .join('; ');

export const activityCsv: Csv<Activity> = {
  header: [
    'At',
    'Event',
    'By',
    'By name',
    'Order',
    'Order ID',
    'Part',
    'Person',
    'Person email',
    'Transaction ID',
    'Pieces',
    'Before',
    'After',
    'Request ID',
  ],
  readCells: ({
    at,
    event,
    by,
    order,
    orderNumber,
    product,
    user,
    transactionId,
    change,
    before,
    after,
    requestId,
  }) => [
    at,
    event,
    by.kind,
    optional(by.name ?? by._id),
    orderNumber ?? null,
    optional(order),
    optional(product?.name ?? product?._id),
    optional(user?.name ?? user?._id),
    optional(user?.email),
    optional(transactionId),
    change ?? null,
    writeFacts(before),
    writeFacts(after),
    requestId,
  ],
};

export const stockCsv: Csv<Product> = {
  header: [
    'Part number',
    'Part',
    'Kind',
    'Stock',
    'Minimum order',
    'Order step',
    'Unit price (USD)',
    'Changed at',
    'Part ID',
  ],
  readCells: (part) => [
    part.number,
    part.name,
    part.kind,
    part.quantity,
    part.minimumOrder,
    part.orderStep,
    money(part.price),
    part.updatedAt,
    part._id,
  ],
};

const movementKinds = {
  invoice: ['received', 'received'],
  'credit-note': ['refunded', 'lost in a dispute'],
  'debit-note': ['refund came back', 'lost dispute came back'],
} as const satisfies Record<InvoiceRow['series'], readonly [string, lost: string]>;

/** A line for each paper. */
export const monthCsv: Csv<InvoiceRow> = {
  header: [
    'Date',
    'Kind',
    'Amount (USD)',
    'Net (USD)',
    'Tax (USD)',
    'Tax',
    'Tax rate (%)',
    'Order',
    'Paper',
    'Transaction ID',
    'Customer',
    'Company',
    'Country',
    'Part number',
    'Part',
    'Pieces',
  ],
  readCells: (row) => {
    const { series, totalCents, taxCents, tax, buyer } = row;
    const [line] = row.lines;
    const sign = series === 'credit-note' ? -1 : 1;
    const isTaxed = tax?.category != null;
    return [
      row.day,
      movementKinds[series][row.lost ? 1 : 0],
      money(toAmount(sign * totalCents)),
      isTaxed ? money(toAmount(sign * (totalCents - taxCents))) : null,
      isTaxed ? money(toAmount(sign * taxCents)) : null,
      isTaxed ? tax.name : null,
      isTaxed ? money(tax.rate / 100) : null,
      row.orderNumber,
      formatNumber(row),
      row.transactionId,
      buyer.name,
      optional(buyer.company),
      buyer.country?.code ?? null,
      line?.partNumber ?? null,
      line?.name ?? null,
      line?.quantity == null ? null : sign * line.quantity,
    ];
  },
};

export const ledgerCsv: Csv<StockMove> = {
  header: ['At', 'Kind', 'Change', 'Balance', 'Order', 'Order ID', 'By', 'By name', 'Note'],
  readCells: ({ at, kind, change, balance, order, orderNumber, by, note }) => [
    at,
    kind,
    change,
    balance,
    orderNumber ?? null,
    optional(order),
    by.kind,
    optional(by.name ?? by._id),
    optional(note),
  ],
};
