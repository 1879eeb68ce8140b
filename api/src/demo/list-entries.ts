import { randomUUID } from 'node:crypto';
import { type TrailEvent, trailEvents } from '@parts-forge/contract/events/trail-events';
import { type ContextActor, PROVIDER, SYSTEM } from '#src/platform/core/request-context.ts';
import type { trail } from '#src/trail/schema.ts';
import { makeIdAt } from './make-id-at.ts';
import type { Sale } from './plan-sales.ts';

type TrailRow = typeof trail.$inferInsert;
export type BuiltEntry = TrailRow & { createdAt: Date };

type OrderWithPayment = Sale & { transactionId: string | null };

/** As the shop would have written them. */
export function listOrderEntries(order: OrderWithPayment, administrator: ContextActor): BuiltEntry[] {
  const { paidAt, acceptedAt, disputedAt, closed, closedAt } = order.course;
  const customer: ContextActor = { kind: 'user', id: order.userId };
  const about = { orderId: order.id, paymentId: order.transactionId };
  const rows: BuiltEntry[] = [];
  if (paidAt) {
    const after = { status: 'pending', amountCents: order.totalCents };
    rows.push(buildEntry(paidAt, 'paid', customer, { ...about, before: { status: 'due' }, after }));
  }
  if (acceptedAt) {
    const after = { status: 'paid', amountCents: order.totalCents };
    const facts = { before: { status: 'pending' }, after };
    rows.push(buildEntry(acceptedAt, 'accepted', administrator, { ...about, ...facts }));
  }
  if (disputedAt) {
    const money = { refundCents: 0, disputed: false };
    const facts = { before: money, after: { ...money, disputed: true } };
    rows.push(buildEntry(disputedAt, 'disputed', PROVIDER, { ...about, ...facts }));
  }
  rows.push(...listRefundEntries(order, administrator));
  if (closedAt && (closed === 'cancelled' || closed === 'expired')) {
    const actor = closed === 'cancelled' ? customer : SYSTEM;
    const facts = { before: { status: 'due' }, after: { closed } };
    rows.push(buildEntry(closedAt, closed, actor, { orderId: order.id, ...facts, ...returnPieces(order) }));
  }
  return rows;
}

/** The shop refunds in full and takes the pieces back; refunds at the provider do not. */
function listRefundEntries(order: OrderWithPayment, administrator: ContextActor): BuiltEntry[] {
  const { refund, closed } = order.course;
  if (!refund) return [];
  const about = { orderId: order.id, paymentId: order.transactionId };
  const { at, amountCents: refundCents, isByShop } = refund;
  const before = { refundCents: 0, disputed: false };
  const money = { refundCents, refundState: isByShop ? 'pending' : 'succeeded', disputed: false };
  if (!isByShop) return [buildEntry(at, 'refunded', PROVIDER, { ...about, before, after: money })];
  const after = { ...money, ...(closed && { closed }) };
  const done = new Date(at.getTime() + 1);
  return [
    buildEntry(at, 'refunded', administrator, { ...about, before, after, ...returnPieces(order) }),
    buildEntry(done, 'refund-changed', administrator, {
      ...about,
      before: { refundCents, refundState: 'pending' },
      after: { refundCents, refundState: 'succeeded' },
    }),
  ];
}

const returnPieces = ({ productId, quantity }: OrderWithPayment) => ({ productId, stockChange: quantity });

/** As `writeEntry` would have written it then. */
export function buildEntry(
  at: Date,
  event: TrailEvent,
  actor: ContextActor,
  facts: Partial<TrailRow>,
): BuiltEntry {
  return {
    ...facts,
    id: makeIdAt(at),
    createdAt: at,
    event,
    topic: trailEvents[event],
    actor: actor.kind,
    actorId: actor.id,
    requestId: randomUUID(),
  };
}
