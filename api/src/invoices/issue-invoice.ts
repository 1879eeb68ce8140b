import { countTax, netPiece, shareOut } from '@parts-forge/contract/money/pricing';
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
  findLine,
  findNotedRefunds,
  findNotes,
  findPaperFacts,
  findPurchaseNumber,
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
 * Issues the invoices of orders that one payment paid, each order once: orders of one purchase with the same
 * parties, reference and tax share a paper, with a line each, by number. Call it last in the transaction, as
 * the next invoice waits for its end, under the orders' locks. A restored copy issues none, as the original may
 * use the same numbers.
 */
export async function issueInvoices(
  tx: Executor,
  services: InvoiceServices,
  orders: readonly OrderRow[],
  paidBy: PaidBy,
): Promise<void> {
  if (services.copiedAt !== null) return;
  const facts = await findPaperFacts(tx, orders);
  const missing = orders.flatMap((order) => {
    const own = facts.get(order.id);
    return own ? [describeOrder(services, order, own)] : [];
  });
  const byPaper = Map.groupBy(
    missing.toSorted((a, b) => a.order.number - b.order.number),
    ({ order, head }) => JSON.stringify([order.batch ?? order.id, head]),
  );
  for (const listed of byPaper.values()) {
    const [first] = listed;
    if (!first) continue;
    const amounts = listed.map(({ line }) => line.amountCents);
    const totalCents = amounts.reduce((sum, cents) => sum + cents, 0);
    const taxCents = countTax(totalCents, first.head.tax.rate);
    const taxes = shareOut(taxCents, amounts);
    const invoice = {
      id: services.ids.next(),
      series: 'invoice',
      invoiceId: null,
      refundId: null,
      lost: false,
      paidAt: paidBy.at,
      transactionId: paidBy.transactionId,
      orderId: first.order.id,
      orderNumber: listed.length > 1 ? await findPurchaseNumber(tx, first.order) : first.order.number,
      totalCents,
      taxCents,
      seller: services.config.seller,
      ...first.head,
      lines: listed.map(({ line }, index) => ({ ...line, taxCents: taxes[index] ?? 0 })),
    } as const;
    await insertInvoice(tx, invoice, services);
  }
}

/** An order's line, and what its paper says beside the lines. */
function describeOrder({ config }: InvoiceServices, order: OrderRow, facts: PaperFacts) {
  const { shopTax = config.tax } = facts;
  const tax = findTax(shopTax, facts);
  const { currency, reference } = order;
  const head = { tax, currency, reference, buyer: copyBuyer(order, facts) };
  return { order, head, line: describeLine(order, facts, tax.rate) };
}

/** For an order paid before invoices existed, or in a copy. See `issueInvoices`. */
export async function issueEarlierInvoice(
  tx: Executor,
  services: InvoiceServices,
  order: OrderRow,
): Promise<void> {
  const { id, transactionId } = order;
  if (transactionId === null) return;
  const [paid] = await findOrderEntries(tx, [id], ['paid'], 1);
  await issueInvoices(tx, services, [order], { transactionId, at: paid?.createdAt ?? null });
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
    const note = describeNote(order, invoice, planned, refunds, await findNotes(tx, order.id));
    await insertInvoice(tx, { ...note, id: services.ids.next() }, services);
  }
}

/** A full refund repeats the order's line. @param notes all before */
function describeNote(
  { id: orderId, number: orderNumber, reference }: OrderRow,
  invoice: InvoiceRow,
  { refundId, lost, cents }: PlannedNote,
  refunds: readonly NotedRefund[],
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
  refunds: readonly NotedRefund[],
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
    orderId: order.id,
    orderNumber: order.number,
    reference: order.reference,
  };
}

const copyBuyer = (order: OrderRow, facts: PaperFacts) => ({
  name: order.name,
  email: order.email,
  address: facts.billingAddress || order.address,
  company: facts.company,
  taxNumber: facts.taxNumber,
  country: readCountry(facts.country),
});
