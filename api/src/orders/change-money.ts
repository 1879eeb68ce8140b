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
  money: OrderMoney;
  closes: boolean;
  returnsStock: boolean;
  skipTrailEntry?: boolean;
}

/** The caller holds the order's lock. Not idempotent. */
export async function changeMoney(
  tx: Executor,
  changed: Changed,
  { ids }: Pick<Platform, 'ids'>,
  order: OrderRow,
  { event, money, closes, returnsStock, skipTrailEntry = false }: MoneyChange,
  now: Date,
): Promise<void> {
  await writeOrderMoney(tx, order.id, money, now);
  if (closes) await markClosed(tx, order.id, 'refund', now);
  if (returnsStock) await returnPieces(tx, changed, order, now);
  const amountCents = await countUnrecorded(tx, order, money);
  if (amountCents > 0) {
    await writeMail(
      tx,
      { ids },
      { kind: 'order-refunded', userId: order.userId, orderId: order.id, amountCents, now },
    );
    changed('mail');
  }
  if (skipTrailEntry) return;
  const entry = {
    id: ids.next(),
    now,
    orderId: order.id,
    paymentId: order.transactionId ?? undefined,
    before: describeMoney(order),
    after: { ...describeMoney(money), ...(closes && { closed: 'refunded' }) },
  };
  const stock = { event: 'refunded', productId: order.productId, stockChange: order.quantity } as const;
  await writeEntry(tx, returnsStock ? { ...entry, ...stock } : { ...entry, event });
}

const MAX_ENTRIES = 100;

/** The trail has the highest announced amount, so retrying a failed refund sends no mail. */
async function countUnrecorded(tx: Executor, order: OrderRow, money: OrderMoney): Promise<number> {
  const addedCents = money.refundCents - order.refundCents;
  // A second refund of what came back.
  if (addedCents <= 0 || countReturned(order) > 0) return Math.max(0, addedCents);
  const entries = await findOrderEntries(tx, order.id, ['refunded'], MAX_ENTRIES);
  const recorded = entries
    .filter(({ paymentId }) => paymentId === order.transactionId)
    .map(({ after }) => Number(after?.refundCents ?? 0));
  return money.refundCents - Math.max(order.refundCents, ...recorded);
}

const describeMoney = ({
  refundCents,
  unassignedCents,
  refundState,
  disputed,
  inquiry,
}: OrderMoney): Facts => ({
  refundCents,
  ...(inquiry && { inquiry }),
  ...(unassignedCents > 0 && { unassignedCents }),
  ...(refundState !== null && { refundState }),
  disputed,
});
