import type { OrderRow } from '#src/orders/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findPartFacts, type PartFacts } from '#src/products/store.ts';
import { findOrderEntries } from '#src/trail/store.ts';
import type { InvoiceLine } from './schema.ts';
import { findCreditNotes, findInvoice, type InvoiceRow, insertInvoice } from './store.ts';

export type InvoiceServices = Pick<Platform, 'config' | 'ids' | 'copiedAt'>;

/** The payment that an order was paid by. `at`: when the money came; null where nobody knows. */
export interface PaidBy {
  transactionId: string;
  at: Date | null;
}

/**
 * Issues the invoice of an order that is paid, once. Call it as the last thing in the transaction that records the
 * payment: the next invoice waits until that ends. The caller holds the order's lock. A restored copy issues none, as
 * the shop that was backed up may be giving the same numbers out.
 */
export async function issueInvoice(
  tx: Executor,
  services: InvoiceServices,
  order: OrderRow,
  paidBy: PaidBy,
  now: Date,
): Promise<void> {
  if (services.copiedAt !== null || (await findInvoice(tx, order.id))) return;
  const facts = (await findPartFacts(tx, [order.productId])).get(order.productId);
  const invoice = {
    id: services.ids.next(),
    series: 'invoice',
    invoiceId: null,
    paidAt: paidBy.at,
    transactionId: paidBy.transactionId,
    totalCents: order.totalCents,
    lines: [describeLine(order, facts)],
    ...copyParties(services, order),
  } as const;
  await insertInvoice(tx, invoice, now);
}

/** Issues the invoice of an order that was paid before there were invoices, or in a copy of the shop; as above. */
export async function issueEarlierInvoice(
  tx: Executor,
  services: InvoiceServices,
  order: OrderRow,
  now: Date,
): Promise<void> {
  const { id, transactionId } = order;
  if (transactionId === null) return;
  const [paid] = await findOrderEntries(tx, id, ['paid'], 1);
  await issueInvoice(tx, services, order, { transactionId, at: paid?.createdAt ?? null }, now);
}

/**
 * Issues a credit note for each of the orders over what its customer has got back and no credit note says yet; nothing
 * where that is nothing. Call it as the last thing in the transaction that records that the refunds have succeeded,
 * under the orders' locks. Orders from before there were invoices get theirs first, all of them and the order placed
 * first before the others, so that numbers follow time and no number of an invoice is waited for with one of a credit
 * note in hand.
 */
export async function issueCreditNotes(
  tx: Executor,
  services: InvoiceServices,
  orders: readonly OrderRow[],
  now: Date,
): Promise<void> {
  const credits: { order: OrderRow; amountCents: number }[] = [];
  for (const order of orders.toSorted((a, b) => a.number - b.number)) {
    const amountCents = await countUncredited(tx, services, order);
    if (amountCents > 0) credits.push({ order, amountCents });
  }
  for (const { order } of credits) await issueEarlierInvoice(tx, services, order, now);
  for (const { order, amountCents } of credits) {
    const invoice = await findInvoice(tx, order.id);
    if (!invoice) throw new Error('An order has money back and no invoice.');
    await insertInvoice(tx, { ...describeCredit(invoice, amountCents), id: services.ids.next() }, now);
  }
}

async function countUncredited(
  tx: Executor,
  { copiedAt }: InvoiceServices,
  { id, transactionId, refundCents, refundState }: OrderRow,
): Promise<number> {
  if (copiedAt !== null || transactionId === null || refundState !== 'succeeded') return 0;
  const notes = await findCreditNotes(tx, id);
  return refundCents - notes.reduce((sum, { totalCents }) => sum + totalCents, 0);
}

/** All of an invoice is taken back line by line, a part of it as an amount. */
function describeCredit(invoice: InvoiceRow, amountCents: number): Omit<InvoiceRow, 'id'> {
  const isWhole = amountCents === invoice.totalCents;
  return {
    ...invoice,
    series: 'credit-note',
    invoiceId: invoice.id,
    totalCents: amountCents,
    lines: isWhole
      ? invoice.lines
      : invoice.lines.map((line) => ({
          ...line,
          quantity: null,
          priceCents: null,
          fromQuantity: null,
          amountCents,
        })),
  };
}

function describeLine(order: OrderRow, facts: PartFacts | undefined): InvoiceLine {
  const { productName: name, quantity, priceCents, totalCents: amountCents } = order;
  // Breaks may have changed since the order was placed; one that gives another price is not its reason.
  const reached = facts?.priceBreaks.findLast((priceBreak) => priceBreak.quantity <= quantity);
  return {
    name,
    partNumber: facts?.number ?? null,
    quantity,
    priceCents,
    fromQuantity: reached?.priceCents === priceCents ? reached.quantity : null,
    amountCents,
  };
}

const copyParties = ({ config }: InvoiceServices, order: OrderRow) => ({
  orderId: order.id,
  orderNumber: order.number,
  reference: order.reference,
  currency: order.currency,
  seller: config.seller,
  buyer: { name: order.name, email: order.email, address: order.address },
});
