import { PAGE_LIMIT } from '@parts-forge/contract/calls/bounds';
import type { Activity, ActivityQuery } from '@parts-forge/contract/events/trail';
import { TRAIL_TOPICS, type TrailEvent, type TrailTopic } from '@parts-forge/contract/events/trail-events';
import type { Order } from '@parts-forge/contract/orders/orders';
import { idPattern } from '@parts-forge/contract/text/text';
import { findKeyNames } from '#src/identity/keys.ts';
import { orderPapers } from '#src/invoices/order-papers.ts';
import { findPurchases } from '#src/orders/complete-orders.ts';
import { findOrderId, findOrderNumbers, findParcelOrders } from '#src/orders/find-orders.ts';
import { readOrderNumber } from '#src/orders/read-search-text.ts';
import { findBatch } from '#src/orders/store.ts';
import { findRefundReasons } from '#src/payments/refunds/refund-store.ts';
import type { Drizzle } from '#src/platform/database/connection.ts';
import { type Page, readSearchWords } from '#src/platform/database/find-page.ts';
import { findPartFacts, findProductIds } from '#src/products/store.ts';
import { findEntries, type SearchedIds, type TrailEntry, toWireFacts } from '#src/trail/store.ts';
import { findPeople, findUserIds, type PersonName } from '#src/users/store.ts';
import { addRefundReason } from './add-refund-reason.ts';
import { describeActor } from './describe-actor.ts';

/**
 * Newest first, with current names. A search covers at most a hundred matching parts and a hundred people.
 * @throws Problem `invalid` for an unknown cursor
 */
export async function findActivity(
  db: Drizzle,
  { who, what, from, to, q, ...request }: ActivityQuery,
): Promise<Page<Activity>> {
  const page = await findEntries(
    db,
    {
      ...request,
      actorId: who,
      ...(what && (isTopic(what) ? { topic: what } : { event: what })),
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      about: q ? await findSearchedIds(db, q) : undefined,
    },
    (entry) => entry,
  );
  const orderIds = [...new Set(page.rows.flatMap(({ orderId }) => orderId ?? []))];
  const [people, parts, orderNumbers, purchases, reasons, keyNames] = await Promise.all([
    findPeople(
      db,
      page.rows.flatMap(({ actorId, userId }) => [actorId, userId]),
    ),
    findPartFacts(
      db,
      page.rows.map(({ productId }) => productId),
    ),
    findOrderNumbers(db, orderIds),
    findPurchases(db, orderIds),
    findRefundReasons(
      db,
      page.rows.map(({ event, orderId }) => (event === 'refunded' ? orderId : null)),
    ),
    findKeyNames(
      db,
      page.rows.map(({ keyId }) => keyId),
    ),
  ]);
  const rows = page.rows
    .map((entry) => ({ ...entry, after: addRefundReason(entry, reasons) }))
    .map((entry) => ({
      ...toActivity(entry, people, parts, orderNumbers, keyNames.get(entry.keyId)),
      ...(entry.orderId !== null && namePurchase(purchases.get(entry.orderId))),
    }));
  return { ...page, rows };
}

const namePurchase = (purchase: Order['purchase']) => purchase && { purchase: purchase.number };

const isTopic = (what: TrailTopic | TrailEvent): what is TrailTopic =>
  (TRAIL_TOPICS as readonly string[]).includes(what);

async function findSearchedIds(db: Drizzle, q: string): Promise<SearchedIds | undefined> {
  const words = await readSearchWords(db, q);
  if (words.length === 0) return undefined;
  const number = readOrderNumber(words);
  const [numbered, invoiced, sent, productIds, userIds] = await Promise.all([
    number === null ? null : findOrderId(db, number),
    orderPapers.findInvoicedOrders(db, words),
    findParcelOrders(db, words),
    findProductIds(db, words, PAGE_LIMIT),
    findUserIds(db, words, PAGE_LIMIT),
  ]);
  const id = idPattern.test(q) ? q : null;
  const together = numbered === null ? [] : await findBatch(db, numbered);
  // The first order stands for its purchase.
  const purchased = together[0]?.id === numbered ? together.map((order) => order.id) : [];
  return {
    orderIds: [id, numbered, ...purchased, ...invoiced, ...sent].filter((each) => each !== null),
    paymentId: q,
    productIds: id === null ? productIds : [...productIds, id],
    userIds,
  };
}

function toActivity(
  entry: TrailEntry,
  people: ReadonlyMap<string, PersonName>,
  parts: Awaited<ReturnType<typeof findPartFacts>>,
  orderNumbers: ReadonlyMap<string, number>,
  key: string | null | undefined,
): Activity {
  const { id, createdAt, event, orderId, productId, userId, paymentId, stockChange, before, after } = entry;
  const orderNumber = orderId === null ? undefined : orderNumbers.get(orderId);
  const productName = productId === null ? undefined : parts.get(productId)?.name;
  return {
    _id: id,
    at: createdAt.toISOString(),
    event,
    by: describeActor(entry, people),
    ...(orderId !== null && { order: orderId }),
    ...(orderNumber !== undefined && { orderNumber }),
    ...(productId !== null && {
      product: { _id: productId, ...(productName !== undefined && { name: productName }) },
    }),
    ...(userId !== null && { user: { _id: userId, ...people.get(userId) } }),
    ...(paymentId !== null && { transactionId: paymentId }),
    ...(key && { key }),
    ...(stockChange !== null && { change: stockChange }),
    ...(before !== null && { before: toWireFacts(before) }),
    ...(after !== null && { after: toWireFacts(after) }),
    requestId: entry.requestId,
  };
}
