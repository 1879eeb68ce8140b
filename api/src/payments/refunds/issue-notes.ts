import { type InvoiceServices, issueEarlierInvoice } from '#src/invoices/issue-invoice.ts';
import type { InvoiceLine } from '#src/invoices/schema.ts';
import {
  findInvoice,
  findLine,
  findNotes,
  type InvoiceRow,
  insertInvoice,
  sumCredited,
  sumNotes,
} from '#src/invoices/store.ts';
import { countNoteTax } from '#src/invoices/tax.ts';
import type { OrderRow } from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type PlannedNote, planNotes } from './plan-notes.ts';
import { findRefunds, type RefundRow } from './refund-store.ts';

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
  const notes: { order: OrderRow; planned: PlannedNote; refunds: readonly RefundRow[] }[] = [];
  const orderIds = orders.map(({ id }) => id);
  const noted = await sumNotes(tx, orderIds);
  for (const order of orders.toSorted((a, b) => a.number - b.number)) {
    const { id, transactionId, settledCents, lostCents } = order;
    const { credited = 0, lost = 0 } = noted.get(id) ?? {};
    const isSame = credited === settledCents && lost === lostCents;
    if (transactionId === null || (isSame && !changedRefunds.some(({ orderId }) => orderId === id))) continue;
    const refunds = await findRefunds(tx, id, transactionId);
    const missing = planNotes(order, refunds.toReversed(), await findNotes(tx, id));
    notes.push(...missing.map((planned) => ({ order, planned, refunds })));
  }
  for (const { order } of notes) await issueEarlierInvoice(tx, services, order);
  // All processes lock the credit notes' numbers first.
  const creditsFirst = notes.toSorted((a, b) => Math.sign(b.planned.cents) - Math.sign(a.planned.cents));
  for (const { order, planned, refunds } of creditsFirst) {
    const invoice = await findInvoice(tx, order.id);
    if (!invoice) throw new Error('An order has money back and no invoice.');
    const note = describeNote(order, invoice, planned, refunds, await findNotes(tx, order.id));
    await insertInvoice(tx, { ...note, id: services.ids.next() }, services);
  }
}

/** A full refund repeats the order's line. @param notes all before */
function describeNote(
  { id: orderId, number: orderNumber, reference }: OrderRow,
  invoice: InvoiceRow,
  { refundId, lost, cents }: PlannedNote,
  refunds: readonly RefundRow[],
  notes: readonly InvoiceRow[],
): Omit<InvoiceRow, 'id'> {
  const totalCents = Math.abs(cents);
  const series = cents > 0 ? 'credit-note' : 'debit-note';
  const creditedCents = sumCredited(notes);
  const line = findLine(invoice, orderId);
  const whole = { totalCents: line.amountCents, taxCents: line.taxCents ?? invoice.taxCents };
  const taxCents = countNoteTax(whole, creditedCents, creditedCents + cents);
  const note = {
    ...invoice,
    series,
    invoiceId: invoice.id,
    orderId,
    orderNumber,
    reference,
    refundId,
    lost,
    totalCents,
    taxCents,
  } as const;
  const pieces = countCredited(line, refunds, [...notes, note]) - sumPieces(notes);
  const quantity = Math.max(0, Math.sign(cents) * pieces) || null;
  const isWhole = quantity === line.quantity && totalCents === line.amountCents;
  const pricedCents = (quantity ?? 0) * (line.priceCents ?? 0);
  // Pieces at a fraction of a cent are rounded twice.
  const isPriced =
    isWhole || Math.abs(pricedCents - totalCents) < (Number.isInteger(line.priceCents) ? 1 : 2);
  const part = isPriced ? { quantity } : { quantity, priceCents: null, fromQuantity: null };
  return { ...note, lines: [{ ...line, ...part, amountCents: totalCents, taxCents }] };
}

/** In pieces: all once all money is credited, else those of the refunds that have notes. */
function countCredited(
  { amountCents, quantity: ordered }: InvoiceLine,
  refunds: readonly RefundRow[],
  notes: readonly Omit<InvoiceRow, 'id'>[],
): number {
  if (sumCredited(notes) >= amountCents) return ordered ?? 0;
  return refunds
    .filter(({ id }) => sumCredited(notes.filter(({ refundId }) => refundId === id)) > 0)
    .reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
}

const sumPieces = (notes: readonly InvoiceRow[]): number =>
  notes.reduce(
    (sum, { series, lines }) => sum + (series === 'credit-note' ? 1 : -1) * (lines[0]?.quantity ?? 0),
    0,
  );
