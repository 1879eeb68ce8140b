import { type OrderEvent, readOrderTrail as readOrderTrailCall } from '@parts-forge/contract/events/trail';
import { CUSTOMER_EVENTS, type TrailEvent } from '@parts-forge/contract/events/trail-events';
import { toAmount, toUnitAmount } from '@parts-forge/contract/money/money';
import { netPiece } from '@parts-forge/contract/money/pricing';
import { findKeyNames } from '#src/identity/keys.ts';
import { findOrderEvenClosed, type OrderRow } from '#src/orders/store.ts';
import { findRefundReasons } from '#src/payments/refunds/refund-store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import { type Actor, requireOwnOrder } from '#src/platform/http/calls/access.ts';
import { findOrderEntries, toWireFacts } from '#src/trail/store.ts';
import { findPeople } from '#src/users/store.ts';
import { addRefundReason } from './add-refund-reason.ts';
import { describeActor } from './describe-actor.ts';

/** More than a sound order has. */
const MAX_EVENTS = 500;

/** `ordered` comes from the order itself. */
const shownToCustomers: readonly TrailEvent[] = CUSTOMER_EVENTS.filter((event) => event !== 'ordered');

/**
 * Newest first. The placing is no entry and comes last.
 * @throws Problem `not-found`, also for another customer's order
 */
export async function readOrderTrail(db: Executor, reader: Actor, orderId: string): Promise<OrderEvent[]> {
  const order = requireOwnOrder(readOrderTrailCall, reader, await findOrderEvenClosed(db, orderId));

  const isAdmin = reader.role === 'admin';
  const entries = await findOrderEntries(db, order.id, isAdmin ? null : shownToCustomers, MAX_EVENTS);
  const people = await findPeople(db, [order.userId, ...entries.map(({ actorId }) => actorId)]);
  const keyNames = await findKeyNames(db, [order.keyId, ...entries.map(({ keyId }) => keyId)]);
  // Reasons are for administrators only.
  const reasons = isAdmin ? await findRefundReasons(db, [order.id]) : [];
  const events = entries.map((entry): OrderEvent => {
    const after = addRefundReason(entry, reasons);
    // Customers do not see which administrator acted.
    const isShown = isAdmin || entry.actorId === reader.userId;
    const key = isShown && keyNames.get(entry.keyId);
    return {
      at: entry.createdAt.toISOString(),
      event: entry.event,
      by: isShown ? describeActor(entry, people) : { kind: entry.actor },
      ...(key && { key }),
      ...(entry.before !== null && { before: toWireFacts(entry.before) }),
      ...(after !== null && { after: toWireFacts(after) }),
    };
  });
  return [...events, describePlacing(order, people, keyNames.get(order.keyId))];
}

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
