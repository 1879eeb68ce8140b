import { inArray } from 'drizzle-orm';
import { issueInvoice, issueNotes } from '#src/invoices/issue-invoice.ts';
import { orders } from '#src/orders/schema.ts';
import { type BuiltPayment, buildPastPayments, insertPastPayments } from '#src/payments/past-payments.ts';
import { type ContextActor, OPERATOR, SYSTEM } from '#src/platform/core/request-context.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { findMetadata } from '#src/platform/database/metadata.ts';
import type { Platform } from '#src/platform/platform.ts';
import { products } from '#src/products/schema.ts';
import { trail } from '#src/trail/schema.ts';
import { findUserByEmail } from '#src/users/store.ts';
import { type History, readCatalogue } from './assets.ts';
import { type BuiltEntry, buildEntry, listOrderEntries } from './list-entries.ts';
import { makeIdAt } from './make-id-at.ts';
import { getPart, planSales, type Sale, type ShopPart, toOrderRow } from './plan-sales.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Payments at shop and provider; ledgers end at the present stock.
 * @param userIds the customers' ids in order
 */
export async function insertSales(
  tx: Executor,
  { config, instanceId }: Pick<Platform, 'config' | 'instanceId'>,
  history: History,
  userIds: readonly string[],
  now: Date,
): Promise<void> {
  const parts = await readParts(tx);
  const administrator = await findAdministrator(tx);
  const sales = planSales(history, userIds, parts, now, config.holdMs);
  const paid = buildPayments(sales, instanceId, administrator);
  const findTransaction = ({ id }: Sale) => paid.get(id)?.id ?? null;
  await tx.insert(orders).values(sales.map((sale) => toOrderRow(sale, findTransaction(sale), now)));
  await insertPastPayments(tx, [...paid.values()]);
  await issuePapers(tx, config, sales, findTransaction);
  const orderEntries = sales.flatMap((sale) =>
    listOrderEntries({ ...sale, transactionId: findTransaction(sale) }, administrator),
  );
  const moves = history.stockMoves.map(({ part, add, daysAgo }) => {
    const at = new Date(now.getTime() - daysAgo * DAY_MS);
    const event = add > 0 ? 'stock-restocked' : 'stock-corrected';
    return buildEntry(at, event, administrator, { productId: getPart(parts, part).id, stockChange: add });
  });
  const entries = [...listAdditions(parts, sales, [...orderEntries, ...moves]), ...orderEntries, ...moves];
  await tx
    .insert(trail)
    .values(
      entries.map((entry) =>
        entry.event === 'stock-corrected' ? { ...entry, ...countAround(entry, sales, entries) } : entry,
      ),
    );
}

/** In the order of their dates, as numbers rise with them. */
async function issuePapers(
  tx: Executor,
  config: Platform['config'],
  sales: readonly Sale[],
  findTransaction: (sale: Sale) => string | null,
): Promise<void> {
  const rows = await tx.select().from(orders);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const papers = sales.flatMap((sale) => {
    const { paidAt, refund } = sale.course;
    const order = byId.get(sale.id);
    const transactionId = findTransaction(sale);
    if (!order || !paidAt || transactionId === null) return [];
    const invoice = { at: paidAt, order, paidBy: { transactionId, at: paidAt } };
    return refund ? [invoice, { at: refund.at, order, paidBy: null }] : [invoice];
  });
  for (const { at, order, paidBy } of papers.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const services = { config, copiedAt: null, ids: { next: () => makeIdAt(at) }, clock: { now: () => at } };
    if (paidBy) await issueInvoice(tx, services, order, paidBy);
    else await issueNotes(tx, services, [order]);
  }
}

function countAround(
  { createdAt, productId, stockChange }: BuiltEntry,
  sales: readonly Sale[],
  entries: readonly BuiltEntry[],
) {
  const moved = entries
    .filter((entry) => entry.productId === productId && entry.createdAt < createdAt)
    .reduce((sum, entry) => sum + (entry.stockChange ?? 0), 0);
  const taken = sales
    .filter((sale) => sale.productId === productId && sale.course.placedAt < createdAt)
    .reduce((sum, sale) => sum + sale.quantity, 0);
  const quantity = moved - taken;
  return { before: { quantity }, after: { quantity: quantity + (stockChange ?? 0) } };
}

/** By slug. */
async function readParts(tx: Executor): Promise<Map<string, ShopPart & { createdAt: Date }>> {
  const catalogue = await readCatalogue();
  const numbers = catalogue.map(({ number }) => number);
  const rows = await tx.select().from(products).where(inArray(products.number, numbers));
  const known = new Map(rows.map((row) => [row.number, row]));
  return new Map(
    catalogue.flatMap((part) => {
      const row = known.get(part.number);
      if (!row) return [];
      const { id, image, quantity, createdAt } = row;
      return [[part.slug, { ...part, id, image, quantity, createdAt }] as const];
    }),
  );
}

/** The operator where there is no administrator. */
async function findAdministrator(tx: Executor): Promise<ContextActor> {
  const email = await findMetadata(tx, 'first_admin');
  const user = email === null ? null : await findUserByEmail(tx, email);
  return user ? { kind: 'admin', id: user.id } : OPERATOR;
}

/** By order id. */
function buildPayments(
  sales: readonly Sale[],
  instanceId: string,
  administrator: ContextActor,
): Map<string, BuiltPayment> {
  const paid = sales.flatMap(({ course: { paidAt, refund, disputedAt }, ...sale }) => {
    if (!paidAt) return [];
    const order = {
      id: sale.id,
      totalCents: sale.totalCents,
      currency: 'usd',
      email: sale.customer.email,
      productName: sale.part.name,
      quantity: sale.quantity,
    };
    const given = refund && { ...refund, id: makeIdAt(refund.at), requestedBy: administrator.id };
    return [{ order, paidAt, refund: given, disputedAt }];
  });
  const built = buildPastPayments(instanceId, paid);
  return new Map(built.map((payment) => [payment.payment.orderId, payment]));
}

/** Initial ledger lines, computed back from the present stock. */
function listAdditions(
  parts: Awaited<ReturnType<typeof readParts>>,
  sales: readonly Sale[],
  entries: readonly BuiltEntry[],
): BuiltEntry[] {
  return [...parts.values()].map(({ id, quantity, createdAt }) => {
    const ordered = sales.filter(({ productId }) => productId === id);
    const taken = ordered.reduce((sum, sale) => sum + sale.quantity, 0);
    const moved = entries
      .filter(({ productId }) => productId === id)
      .reduce((sum, { stockChange }) => sum + (stockChange ?? 0), 0);
    return buildEntry(createdAt, 'product-added', SYSTEM, {
      productId: id,
      stockChange: quantity + taken - moved,
    });
  });
}
