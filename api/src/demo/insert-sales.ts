import { randomUUID } from 'node:crypto';
import { type TrailEvent, trailEvents } from '@parts-forge/contract/events/trail-events';
import { shopCurrency } from '@parts-forge/contract/money/currency';
import { totalCents, unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { OrderClosing } from '@parts-forge/contract/orders/order-states';
import { issueInvoices } from '#src/invoices/issue-invoice.ts';
import { orders } from '#src/orders/schema.ts';
import { buildPastPayments, insertPastPayments, type PastPayment } from '#src/payments/past-payments.ts';
import { issueNotes } from '#src/payments/refunds/issue-notes.ts';
import { createTimeOrderedIds } from '#src/platform/core/ids.ts';
import { type ContextActor, OPERATOR, PROVIDER, SYSTEM } from '#src/platform/core/request-context.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { findMetadata } from '#src/platform/database/metadata.ts';
import type { Platform } from '#src/platform/platform.ts';
import { products } from '#src/products/schema.ts';
import { trail } from '#src/trail/schema.ts';
import { findUserByEmail } from '#src/users/store.ts';
import { type CataloguePart, type History, type HistoryOrder, readCatalogue } from './assets.ts';

type TrailRow = typeof trail.$inferInsert & { createdAt: Date };
type Part = CataloguePart & Pick<typeof products.$inferSelect, 'id' | 'image' | 'createdAt'>;

const DAY_MS = 24 * 3_600_000;
/** Accepted orders are sent within this time. */
const PACKING_MS = 3 * DAY_MS;

/** Ids increase with time. */
export const createIdAt = (at: Date): string => createTimeOrderedIds({ now: () => at }).next();

/**
 * Orders, payments at shop and provider, papers, and ledgers that end at the present stock.
 * @param userIds by email
 * @param now the end of the history
 */
export async function insertSales(
  tx: Executor,
  { config, instanceId }: Pick<Platform, 'config' | 'instanceId'>,
  history: History,
  userIds: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  const parts = await readParts(tx);
  const administrator = await findAdministrator(tx);
  const sales = buildSales(history, userIds, parts, now, config.holdMs);
  const paid = buildPastPayments(instanceId, toPastPayments(sales, administrator));
  const transactions = new Map(paid.map(({ id, payment }) => [payment.orderId, id]));
  for (const { order } of sales) order.transactionId = transactions.get(order.id) ?? null;
  if (sales.length > 0) {
    await tx.insert(orders).values(sales.map(({ order }) => order));
    await insertPastPayments(tx, paid);
    await issuePapers(tx, config, sales);
  }
  const entries = sales.flatMap((sale) => listOrderEntries(sale, administrator));
  const ledgers = [...parts.values()].flatMap((part) =>
    listStockEntries(part, sales, entries, history, administrator, now),
  );
  await tx.insert(trail).values([...ledgers, ...entries]);
}

/** Returns the parts by their slugs. */
async function readParts(tx: Executor): Promise<Map<string, Part>> {
  const { id, number, image, createdAt } = products;
  const rows = await tx.select({ id, number, image, createdAt }).from(products);
  const known = new Map(rows.map((row) => [row.number, row]));
  return new Map((await readCatalogue()).map((part) => [part.slug, { ...part, ...get(known, part.number) }]));
}

/** The operator where there is no administrator. */
async function findAdministrator(tx: Executor): Promise<ContextActor> {
  const email = await findMetadata(tx, 'first_admin');
  const user = email === null ? null : await findUserByEmail(tx, email);
  return user ? { kind: 'admin', id: user.id } : OPERATOR;
}

interface Course {
  placedAt: Date;
  paidAt: Date | null;
  acceptedAt: Date | null;
  disputedAt: Date | null;
  refund: { at: Date; amountCents: number; isByShop: boolean } | null;
  closedAt: Date | null;
}

interface Sale extends Course {
  order: typeof orders.$inferInsert & { totalCents: number; currency: string };
}

/** @param holdMs null for no expiry */
function buildSales(
  { customers, orders: rows }: History,
  userIds: ReadonlyMap<string, string>,
  parts: ReadonlyMap<string, Part>,
  now: Date,
  holdMs: number | null,
): Sale[] {
  const people = new Map(customers.map((customer) => [customer.email, customer]));
  const groups = Map.groupBy(rows, nameBatch);
  const batches = new Map(
    [...groups].map(([name, { length }]) => [name, length > 1 ? randomUUID() : null] as const),
  );
  return rows.map((row) => {
    const { name, email, address, phone } = get(people, row.customer);
    const userId = get(userIds, email);
    const buyer = { name, email, address, phone, userId, batch: get(batches, nameBatch(row)) };
    return buildSale(row, get(parts, row.part), buyer, now, holdMs);
  });
}

type BuyerFacts = Pick<
  typeof orders.$inferInsert,
  'name' | 'email' | 'address' | 'phone' | 'userId' | 'batch'
>;

function buildSale(row: HistoryOrder, part: Part, buyer: BuyerFacts, now: Date, holdMs: number | null): Sale {
  const priceCents = unitPriceFor(row.quantity, part);
  const total = totalCents(row.quantity, priceCents);
  const course = readCourse(row, total, now);
  const { placedAt, paidAt, acceptedAt, refund, disputedAt, closedAt } = course;
  const refundCents = refund?.amountCents ?? 0;
  const moments = [placedAt, paidAt, acceptedAt, refund?.at, disputedAt, closedAt];
  const order = {
    id: createIdAt(placedAt),
    productId: part.id,
    productName: part.name,
    image: part.image,
    priceCents,
    ...buyer,
    quantity: row.quantity,
    reference: row.reference,
    currency: shopCurrency().code.toLowerCase(),
    totalCents: total,
    status: acceptedAt ? ('paid' as const) : paidAt ? ('pending' as const) : ('due' as const),
    heldUntil: holdMs === null ? null : new Date(placedAt.getTime() + holdMs),
    refundCents,
    refundState: refund ? ('succeeded' as const) : null,
    settledCents: refundCents,
    refundedPieces: refund?.isByShop ? row.quantity : 0,
    sentPieces: acceptedAt && acceptedAt.getTime() < now.getTime() - PACKING_MS ? row.quantity : 0,
    disputed: disputedAt !== null,
    closed: findClosing(row),
    closedAt,
    createdAt: placedAt,
    updatedAt: new Date(Math.max(...moments.map((moment) => moment?.getTime() ?? 0))),
  };
  return { ...course, order };
}

const nameBatch = ({ customer, placed }: HistoryOrder) => `${customer} ${placed}`;

/** A refund closes an order only before it is accepted. */
function findClosing({ cancelled, expired, refunded, accepted }: HistoryOrder): OrderClosing | null {
  if (cancelled !== null) return 'cancelled';
  if (expired !== null) return 'expired';
  return refunded !== null && accepted === null ? 'refunded' : null;
}

function readCourse(row: HistoryOrder, total: number, now: Date): Course {
  const toDate = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const reach = (days: number | null) => (days === null ? null : toDate(days));
  const { refunded, partlyRefunded } = row;
  const refundedAt = reach(refunded ?? partlyRefunded);
  const amountCents = refunded === null ? Math.round(total / 10) : total;
  return {
    placedAt: toDate(row.placed),
    paidAt: reach(row.paid),
    acceptedAt: reach(row.accepted),
    disputedAt: reach(row.disputed),
    refund: refundedAt && { at: refundedAt, amountCents, isByShop: refunded !== null },
    closedAt: findClosing(row) && reach(row.cancelled ?? row.expired ?? refunded),
  };
}

function toPastPayments(sales: readonly Sale[], administrator: ContextActor): PastPayment[] {
  return sales.flatMap(({ order, paidAt, refund, disputedAt }) => {
    const given = refund && { ...refund, id: createIdAt(refund.at), requestedBy: administrator.id };
    return paidAt ? [{ order, paidAt, refund: given, disputedAt }] : [];
  });
}

/** In the order of their dates, as numbers rise with them. */
async function issuePapers(tx: Executor, config: Platform['config'], sales: readonly Sale[]): Promise<void> {
  const rows = new Map((await tx.select().from(orders)).map((row) => [row.id, row]));
  const papers = sales.flatMap(({ order, paidAt, refund }) => [
    ...(paidAt ? [{ at: paidAt, id: order.id, isInvoice: true }] : []),
    ...(refund ? [{ at: refund.at, id: order.id, isInvoice: false }] : []),
  ]);
  for (const { at, id, isInvoice } of papers.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const services = {
      config,
      copiedAt: null,
      ids: { next: () => createIdAt(at) },
      clock: { now: () => at },
    };
    const order = get(rows, id);
    const transactionId = order.transactionId ?? '';
    if (isInvoice) await issueInvoices(tx, services, [order], { transactionId, at });
    else await issueNotes(tx, services, [order]);
  }
}

/** As the shop would have written them. */
function listOrderEntries(sale: Sale, administrator: ContextActor): TrailRow[] {
  const { order, paidAt, acceptedAt, disputedAt, refund, closedAt } = sale;
  const { id: orderId, transactionId: paymentId, closed, totalCents: amountCents } = order;
  const customer: ContextActor = { kind: 'user', id: order.userId ?? null };
  const pieces = { productId: order.productId, stockChange: order.quantity };
  const about = { orderId, paymentId };
  const money = { refundCents: 0, disputed: false };
  const entries: TrailRow[] = [];
  const add = (at: Date, event: TrailEvent, actor: ContextActor, facts: Partial<TrailRow>) =>
    entries.push(buildEntry(at, event, actor, { ...about, ...facts }));
  if (paidAt) {
    add(paidAt, 'paid', customer, { before: { status: 'due' }, after: { status: 'pending', amountCents } });
  }
  if (acceptedAt) {
    const after = { status: 'paid', amountCents };
    add(acceptedAt, 'accepted', administrator, { before: { status: 'pending' }, after });
  }
  if (disputedAt) {
    add(disputedAt, 'disputed', PROVIDER, { before: money, after: { ...money, disputed: true } });
  }
  if (refund?.isByShop) {
    const [pending, succeeded] = (['pending', 'succeeded'] as const).map((refundState) => ({
      refundCents: refund.amountCents,
      refundState,
    }));
    const after = { ...money, ...pending, ...(closed && { closed }) };
    add(refund.at, 'refunded', administrator, { before: money, after, ...pieces });
    const done = new Date(refund.at.getTime() + 1);
    add(done, 'refund-changed', administrator, { before: pending, after: succeeded });
  } else if (refund) {
    const after = { ...money, refundCents: refund.amountCents, refundState: 'succeeded' };
    add(refund.at, 'refunded', PROVIDER, { before: money, after });
  }
  if (closedAt && (closed === 'cancelled' || closed === 'expired')) {
    const actor = closed === 'cancelled' ? customer : SYSTEM;
    add(closedAt, closed, actor, { before: { status: 'due' }, after: { closed }, ...pieces });
  }
  return entries;
}

/** The part's first entry, computed back from its present stock, and its moves. */
function listStockEntries(
  { id, slug, quantity, createdAt }: Part,
  sales: readonly Sale[],
  orderEntries: readonly TrailRow[],
  { stockMoves }: History,
  administrator: ContextActor,
  now: Date,
): TrailRow[] {
  const moves = stockMoves
    .filter(({ part }) => part === slug)
    .map(({ add, daysAgo }) => ({ at: new Date(now.getTime() - daysAgo * DAY_MS), change: add }));
  const changes = [
    ...moves,
    ...sales
      .filter(({ order }) => order.productId === id)
      .map(({ placedAt, order }) => ({ at: placedAt, change: -order.quantity })),
    ...orderEntries
      .filter(({ productId }) => productId === id)
      .map(({ createdAt: at, stockChange }) => ({ at, change: stockChange ?? 0 })),
  ];
  const sum = (some: typeof changes) => some.reduce((total, { change }) => total + change, 0);
  const first = quantity - sum(changes);
  const entries = moves.map(({ at, change }) => {
    const facts = { productId: id, stockChange: change };
    if (change > 0) return buildEntry(at, 'stock-restocked', administrator, facts);
    const before = first + sum(changes.filter((earlier) => earlier.at < at));
    const counted = { before: { quantity: before }, after: { quantity: before + change } };
    return buildEntry(at, 'stock-corrected', administrator, { ...facts, ...counted });
  });
  return [buildEntry(createdAt, 'product-added', SYSTEM, { productId: id, stockChange: first }), ...entries];
}

/** As `writeEntry` would have written it then. */
const buildEntry = (
  at: Date,
  event: TrailEvent,
  actor: ContextActor,
  facts: Partial<TrailRow>,
): TrailRow => ({
  ...facts,
  id: createIdAt(at),
  createdAt: at,
  event,
  topic: trailEvents[event],
  actor: actor.kind,
  actorId: actor.id,
  requestId: randomUUID(),
});

function get<Value>(map: ReadonlyMap<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The demonstration has no ${key}.`);
  return value;
}
