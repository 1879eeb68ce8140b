import { type OrderEvent, readOrderTrail as readOrderTrailCall } from '@parts-forge/contract/events/trail';
import { CUSTOMER_EVENTS, type TrailEvent } from '@parts-forge/contract/events/trail-events';
import { toAmount, toCents, toUnitAmount } from '@parts-forge/contract/money/money';
import { netPiece } from '@parts-forge/contract/money/pricing';
import { findKeyNames } from '#src/identity/keys.ts';
import { findBatch, findOrderEvenClosed, type OrderRow } from '#src/orders/store.ts';
import { findRefundReasons } from '#src/payments/refunds/refund-store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Actor, requireOwnOrder } from '#src/platform/http/calls/access.ts';
import { findOrderEntries, type TrailEntry, toWireFacts } from '#src/trail/store.ts';
import { findPeople } from '#src/users/store.ts';
import { addRefundReason } from './add-refund-reason.ts';
import { describeActor } from './describe-actor.ts';

/** More than a sound order has. */
const MAX_EVENTS = 500;

/** `ordered` comes from the order itself. */
const shownToCustomers: readonly TrailEvent[] = CUSTOMER_EVENTS.filter((event) => event !== 'ordered');

/**
 * Newest first. The placing is no entry and comes last.
 * @param isOfPurchase joins what one act did to the orders that were placed with it
 * @throws Problem `not-found`, also for another customer's order
 */
export async function readOrderTrail(
  db: Executor,
  reader: Actor,
  orderId: string,
  isOfPurchase: boolean,
): Promise<OrderEvent[]> {
  const order = requireOwnOrder(readOrderTrailCall, reader, await findOrderEvenClosed(db, orderId));
  const orders = isOfPurchase && order.batch !== null ? await findBatch(db, order.id) : [order];
  const ids = orders.map(({ id }) => id);

  const isAdmin = reader.role === 'admin';
  const shown = isAdmin ? null : shownToCustomers;
  const entries = await findOrderEntries(db, ids, shown, MAX_EVENTS * orders.length);
  const people = await findPeople(db, [order.userId, ...entries.map(({ actorId }) => actorId)]);
  const keyNames = await findKeyNames(db, [order.keyId, ...entries.map(({ keyId }) => keyId)]);
  // Reasons are for administrators only.
  const reasons = isAdmin ? await findRefundReasons(db, ids) : [];
  const describe = (entry: TrailEntry): OrderEvent => {
    const after = addRefundReason(entry, reasons);
    // Customers do not see which administrator acted.
    const isShown = isAdmin || entry.actorId === reader.userId;
    const key = isShown && keyNames.get(entry.keyId);
    return {
      at: entry.createdAt.toISOString(),
      event: entry.event,
      by: isShown ? describeActor(entry, people) : { kind: entry.actor },
      ...(key && { key }),
      ...(entry.event === 'paid' && entry.paymentId !== null && { transactionId: entry.paymentId }),
      ...(entry.before !== null && { before: toWireFacts(entry.before) }),
      ...(after !== null && { after: toWireFacts(after) }),
    };
  };
  const placing = orders.map((each) => describePlacing(each, people, keyNames.get(order.keyId)));
  if (orders.length === 1) return [...entries.map(describe), ...placing];
  const acts = [...Map.groupBy(entries, nameAct).values()].map((same) => same.map(describe));
  return [...acts, placing].map(joinEvents);
}

/** Jobs have one request id, so the minute counts, too. */
const nameAct = ({ event, requestId, createdAt, after, paymentId }: TrailEntry): string =>
  JSON.stringify([
    event,
    requestId,
    createdAt.toISOString().slice(0, 16),
    after?.carrier,
    after?.number,
    event === 'paid' && paymentId,
  ]);

const SUMMED = ['amount', 'totalPrice'];
const OF_ONE_ORDER = ['quantity', 'price'];

const describePlacing = (
  order: OrderRow,
  people: Parameters<typeof describeActor>[1],
  key: string | null | undefined,
): OrderEvent => ({
  at: order.createdAt.toISOString(),
  event: 'ordered',
  by: describeActor({ actor: 'user', actorId: order.userId }, people),
  ...(key && { key }),
  after: {
    status: 'due',
    quantity: order.quantity,
    price: toUnitAmount(netPiece(order.priceCents, order.untaxedRate)),
    totalPrice: toAmount(order.totalCents),
  },
});

/** What one act did to several orders; not empty. */
function joinEvents(events: readonly OrderEvent[]): OrderEvent {
  const [first] = events;
  if (!first) throw new Error('An act without events.');
  if (events.length === 1) return first;
  const { before: _, after = {}, ...event } = first;
  const joined = Object.entries(after).flatMap(([name, value]) => {
    const values = events.map((each) => each.after?.[name]);
    if (SUMMED.includes(name)) {
      return [[name, toAmount(values.reduce<number>((cents, each) => cents + toCents(Number(each)), 0))]];
    }
    const isShared = !OF_ONE_ORDER.includes(name) && values.every((each) => each === value);
    return isShared ? [[name, value]] : [];
  });
  return { ...event, orders: events.length, after: Object.fromEntries(joined) };
}
