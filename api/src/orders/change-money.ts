import { writeMail } from '#src/mail-outbox/write-mail.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import type { Facts } from '#src/trail/schema.ts';
import { findOrderEntries } from '#src/trail/store.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { markClosed } from './move-order.ts';
import { countReturned, type OrderMoney, writeOrderMoney } from './order-money.ts';
import { type Changed, returnPieces } from './return-pieces.ts';
import type { OrderRow } from './store.ts';

export interface MoneyChange {
  event: 'refunded' | 'refund-changed' | 'disputed' | 'dispute-ended';
  /** Only fields that change. */
  money: Partial<OrderMoney>;
  closes: boolean;
  /** What the shop's own refund gives back. */
  part?: { amountCents: number; pieces: number };
  returnsStock: boolean;
  skipTrailEntry?: boolean;
  /** Newly lost in disputes, for a mail. */
  lostCents?: number;
}

/** The caller holds the order's lock. Not idempotent. */
export async function changeMoney(
  tx: Executor,
  changed: Changed,
  { ids }: Pick<Platform, 'ids'>,
  order: OrderRow,
  change: MoneyChange,
  now: Date,
): Promise<void> {
  const { event, money: changes, closes, part, returnsStock, skipTrailEntry = false, lostCents = 0 } = change;
  const money = { ...order, ...changes };
  const pieces = part?.pieces ?? (closes ? order.quantity - order.refundedPieces : 0);
  const wasSent = order.sentPieces > 0;
  const counts = {
    refundedPieces: order.refundedPieces + pieces,
    backPieces: order.backPieces + (returnsStock || !wasSent ? pieces : 0),
    unsurePieces: order.unsurePieces + (wasSent ? pieces : 0),
  };
  await writeOrderMoney(tx, order.id, { ...changes, ...counts }, now);
  if (closes) await markClosed(tx, order.id, 'refund', now);
  const returned = returnsStock ? pieces : 0;
  if (returned > 0) await returnPieces(tx, changed, { ...order, quantity: returned }, now);
  const amountCents = part?.amountCents ?? (await countUnrecorded(tx, order, money));
  const mails = { 'dispute-lost': lostCents, 'order-refunded': amountCents - lostCents };
  for (const kind of ['dispute-lost', 'order-refunded'] as const) {
    if (mails[kind] <= 0) continue;
    const about = { userId: order.userId, orderId: order.id, now };
    await writeMail(tx, { ids }, { kind, amountCents: mails[kind], ...about });
    changed('mail');
  }
  if (skipTrailEntry) return;
  const entry = {
    id: ids.next(),
    now,
    orderId: order.id,
    paymentId: order.transactionId ?? undefined,
    before: describeMoney(order),
    after: {
      ...describeMoney(money),
      ...(part && { amountCents: part.amountCents, ...(pieces > 0 && { quantity: pieces }) }),
      ...(closes && { closed: 'refunded' }),
    },
  };
  const stock = { event: 'refunded', productId: order.productId, stockChange: returned } as const;
  await writeEntry(tx, returned > 0 ? { ...entry, ...stock } : { ...entry, event });
}

const MAX_ENTRIES = 100;

/**
 * The trail has the highest announced amount since the shop's last refund, so an external refund that fails
 * and is repeated sends no mail.
 */
async function countUnrecorded(tx: Executor, order: OrderRow, money: OrderMoney): Promise<number> {
  const addedCents = money.refundCents - order.refundCents;
  // A second refund of what came back.
  if (addedCents <= 0 || countReturned(order) > 0) return Math.max(0, addedCents);
  const entries = await findOrderEntries(tx, [order.id], ['refunded'], MAX_ENTRIES);
  const ofPayment = entries.filter(({ paymentId }) => paymentId === order.transactionId);
  const lastPart = ofPayment.findIndex(({ after }) => after?.amountCents !== undefined);
  const recorded = ofPayment
    .slice(0, lastPart === -1 ? undefined : lastPart + 1)
    .map(({ after }) => Number(after?.refundCents ?? 0));
  return money.refundCents - Math.max(order.refundCents, ...recorded);
}

const describeMoney = (money: OrderMoney): Facts => ({
  refundCents: money.refundCents,
  ...(money.lostCents > 0 && { lostCents: money.lostCents }),
  ...(money.inquiry && { inquiry: true }),
  ...(money.unassignedCents > 0 && { unassignedCents: money.unassignedCents }),
  ...(money.refundState !== null && { refundState: money.refundState }),
  disputed: money.disputed,
});
