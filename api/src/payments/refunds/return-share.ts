import { writeMail } from '#src/mail-outbox/write-mail.ts';
import type { OrderRow } from '#src/orders/store.ts';
import { isFullyRefunded } from '#src/payments/payment-rules.ts';
import type { ProviderPayment, ProviderRefund } from '#src/payments/provider/provider.ts';
import { findShare, type Share, writeShare } from '#src/payments/store.ts';
import type { Executor } from '#src/platform/database/connection.ts';
import type { Platform } from '#src/platform/platform.ts';
import { writeEntry } from '#src/trail/write-entry.ts';
import { findOwnRefund } from './refund-rules.ts';
import { findRefunds, insertRefund, type RefundRow } from './refund-store.ts';

interface Returned {
  payment: ProviderPayment;
  refunds: readonly ProviderRefund[];
  share: Share;
  order: OrderRow;
}

/** The caller holds the order's lock. Repeatable. Returns the refund to follow. */
export async function returnShare(
  tx: Executor,
  services: Pick<Platform, 'ids'>,
  { payment, refunds, share, order }: Returned,
  now: Date,
): Promise<RefundRow | null> {
  const known = await findShare(tx, payment.id, order.id);
  const [refund] = await findRefunds(tx, order.id, payment.id);
  const made = refund && findOwnRefund(refund, refunds);
  const isReturned =
    isFullyRefunded(payment) || (made !== undefined && made !== null && made.state !== 'failed');
  const reason = order.closed ? `the order was ${order.closed}` : `the order is ${order.status}`;
  if (isReturned) await writeShare(tx, { ...share, state: 'refunded' }, now);
  else await writeShare(tx, { ...share, state: 'refund_due' }, now, reason);

  // The provider may have received less than requested.
  const amountCents = Math.min(share.amountCents, payment.receivedCents);
  if (known?.state !== 'refunded' && known?.state !== 'refund_due') {
    await writeEntry(tx, {
      id: services.ids.next(),
      now,
      event: 'payment-returned',
      orderId: order.id,
      paymentId: payment.id,
      after: { amountCents, refundState: isReturned ? 'succeeded' : 'pending' },
    });
  }
  if (isReturned) return null;
  if (refund) return refund;
  const mail = { kind: 'order-refunded', userId: order.userId, orderId: order.id, amountCents, now } as const;
  await writeMail(tx, services, mail);
  return insertRefund(
    tx,
    { id: services.ids.next(), paymentId: payment.id, orderId: order.id, amountCents, note: reason },
    now,
  );
}
