import { countTax, netPiece, shareOut } from '@parts-forge/contract/money/pricing';
import type { PaperFacts } from '#src/orders/schema.ts';
import type { OrderRow } from '#src/orders/store.ts';
import { readCountry } from '#src/platform/core/config/invoices.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { findOrderEntries } from '#src/trail/store.ts';
import type { InvoiceLine } from './schema.ts';
import { findPaperFacts, findPurchaseNumber, insertInvoice } from './store.ts';
import { findTax } from './tax.ts';

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
