import { countTax, netPiece } from '@parts-forge/contract/money/pricing';
import type { PaperFacts } from '#src/orders/schema.ts';
import type { OrderRow } from '#src/orders/store.ts';
import { readCountry } from '#src/platform/core/config/invoices.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findOrderEntries } from '#src/trail/store.ts';
import { type PlannedNote, planNotes } from './plan-notes.ts';
import type { InvoiceLine } from './schema.ts';
import {
  findInvoice,
  findNotedRefunds,
  findNotes,
  findPaperFacts,
  type InvoiceRow,
  insertInvoice,
  type NotedRefund,
  sumCredited,
  sumNotes,
} from './store.ts';
import { countNoteTax, findTax } from './tax.ts';

export type InvoiceServices = Pick<Platform, 'config' | 'ids' | 'copiedAt' | 'clock'>;

/** `at` is null if unknown. */
export interface PaidBy {
  transactionId: string;
  at: Date | null;
}

/**
 * Issues a paid order's invoice, once. Call it last in the transaction, as the next invoice waits for its
 * end, under the order's lock. A restored copy issues none, as the original may use the same numbers.
 */
export async function issueInvoice(
  tx: Executor,
  services: InvoiceServices,
  order: OrderRow,
  paidBy: PaidBy,
): Promise<void> {
  if (services.copiedAt !== null) return;
  const facts: PaperFacts | null = await findPaperFacts(tx, order);
  if (!facts) return;
  const { shopTax = services.config.tax } = facts;
  const tax = findTax(shopTax, facts);
  const invoice = {
    id: services.ids.next(),
    series: 'invoice',
    invoiceId: null,
    refundId: null,
    lost: false,
    paidAt: paidBy.at,
    transactionId: paidBy.transactionId,
    totalCents: order.totalCents,
    taxCents: countTax(order.totalCents, tax.rate),
    tax,
    lines: [describeLine(order, facts, tax.rate)],
    ...copyParties(services, order, facts),
  } as const;
  await insertInvoice(tx, invoice, services);
}

/** For an order paid before invoices existed, or in a copy. See `issueInvoice`. */
export async function issueEarlierInvoice(
  tx: Executor,
  services: InvoiceServices,
  order: OrderRow,
): Promise<void> {
  const { id, transactionId } = order;
  if (transactionId === null) return;
  const [paid] = await findOrderEntries(tx, id, ['paid'], 1);
  await issueInvoice(tx, services, order, { transactionId, at: paid?.createdAt ?? null });
}

/**
 * Issues a credit note for each refund that has succeeded, and debit notes for refunds that came back. Call it
 * last in the transaction, under the orders' locks.
 *
 * Missing invoices come first, by order number, so that nothing waits for an invoice number while it holds a
 * credit note's.
 * @param changedRefunds those that just changed: one may fail and another of its sum succeed
 */
export async function issueNotes(
  tx: Executor,
  services: InvoiceServices,
  orders: readonly OrderRow[],
  changedRefunds: readonly { orderId: string }[] = [],
): Promise<void> {
  if (services.copiedAt !== null) return;
  const notes: { order: OrderRow; planned: PlannedNote; refunds: readonly NotedRefund[] }[] = [];
  const orderIds = orders.map(({ id }) => id);
  const noted = await sumNotes(tx, orderIds);
  for (const order of orders.toSorted((a, b) => a.number - b.number)) {
    const { id, transactionId, settledCents, lostCents } = order;
    const { credited = 0, lost = 0 } = noted.get(id) ?? {};
    const isSame = credited === settledCents && lost === lostCents;
    if (transactionId === null || (isSame && !changedRefunds.some(({ orderId }) => orderId === id))) continue;
    const refunds = await findNotedRefunds(tx, id, transactionId);
    const missing = planNotes(order, refunds, await findNotes(tx, id));
    notes.push(...missing.map((planned) => ({ order, planned, refunds })));
  }
  for (const { order } of notes) await issueEarlierInvoice(tx, services, order);
  // All processes lock the credit notes' numbers first.
  const creditsFirst = notes.toSorted((a, b) => Math.sign(b.planned.cents) - Math.sign(a.planned.cents));
  for (const { order, planned, refunds } of creditsFirst) {
    const invoice = await findInvoice(tx, order.id);
    if (!invoice) throw new Error('An order has money back and no invoice.');
    const note = describeNote(invoice, planned, refunds, await findNotes(tx, order.id));
    await insertInvoice(tx, { ...note, id: services.ids.next() }, services);
  }
}

/** A full refund repeats the invoice's lines. @param notes all before */
function describeNote(
  invoice: InvoiceRow,
  { refundId, lost, cents }: PlannedNote,
  refunds: readonly NotedRefund[],
  notes: readonly InvoiceRow[],
): Omit<InvoiceRow, 'id'> {
  const totalCents = Math.abs(cents);
  const series = cents > 0 ? 'credit-note' : 'debit-note';
  const creditedCents = sumCredited(notes);
  const note = { ...invoice, series, invoiceId: invoice.id, refundId, lost, totalCents } as const;
  const pieces = countCredited(invoice, refunds, [...notes, note]) - sumPieces(notes);
  const quantity = Math.max(0, Math.sign(cents) * pieces) || null;
  return {
    ...note,
    taxCents: countNoteTax(invoice, creditedCents, creditedCents + cents),
    lines: invoice.lines.map((line) => {
      const isWhole = quantity === line.quantity && totalCents === line.amountCents;
      const pricedCents = (quantity ?? 0) * (line.priceCents ?? 0);
      // Pieces at a fraction of a cent are rounded twice.
      const isPriced =
        isWhole || Math.abs(pricedCents - totalCents) < (Number.isInteger(line.priceCents) ? 1 : 2);
      const part = isPriced ? { quantity } : { quantity, priceCents: null, fromQuantity: null };
      return { ...line, ...part, amountCents: totalCents };
    }),
  };
}

/** In pieces: all once all money is credited, else those of the refunds that have notes. */
function countCredited(
  { totalCents, lines }: InvoiceRow,
  refunds: readonly NotedRefund[],
  notes: readonly Omit<InvoiceRow, 'id'>[],
): number {
  if (sumCredited(notes) >= totalCents) return lines[0]?.quantity ?? 0;
  return refunds
    .filter(({ id }) => sumCredited(notes.filter(({ refundId }) => refundId === id)) > 0)
    .reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
}

const sumPieces = (notes: readonly InvoiceRow[]): number =>
  notes.reduce(
    (sum, { series, lines }) => sum + (series === 'credit-note' ? 1 : -1) * (lines[0]?.quantity ?? 0),
    0,
  );

function describeLine(order: OrderRow, facts: PaperFacts, rate: number): InvoiceLine {
  const { productName: name, quantity, totalCents: amountCents } = order;
  const priceCents = netPiece(order.priceCents, order.untaxedRate);
  // Those of an old order may have changed; one with another price is not the reason.
  const reached = facts.priceBreaks.findLast((priceBreak) => priceBreak.quantity <= quantity);
  return {
    name,
    partNumber: facts.partNumber,
    quantity,
    priceCents,
    ...(rate > 0 && { netPriceCents: netPiece(priceCents, rate) }),
    fromQuantity: reached?.priceCents === order.priceCents ? reached.quantity : null,
    amountCents,
  };
}

const copyParties = ({ config }: InvoiceServices, order: OrderRow, facts: PaperFacts) => ({
  orderId: order.id,
  orderNumber: order.number,
  reference: order.reference,
  currency: order.currency,
  seller: config.seller,
  buyer: {
    name: order.name,
    email: order.email,
    address: facts.billingAddress || order.address,
    company: facts.company,
    taxNumber: facts.taxNumber,
    country: readCountry(facts.country),
  },
});
