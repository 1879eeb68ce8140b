import { writeEntry } from '#src/trail/write-entry.ts';
import { isFullyRefunded } from './payment-rules.ts';
import type { PaymentServices } from './payment-services.ts';
import type { ProviderPayment } from './provider/provider.ts';
import { writeStrayPayment } from './store.ts';

/** Once per `stray` payment. */
export async function reportStray(
  { database, clock, ids, log }: PaymentServices,
  payment: ProviderPayment,
): Promise<void> {
  const isNew = await database.db.transaction(async (tx) => {
    const now = clock.now();
    const isNew = await writeStrayPayment(tx, payment, isFullyRefunded(payment), now);
    const after = { amountCents: payment.receivedCents, refundedCents: payment.refundedCents };
    if (isNew) {
      await writeEntry(tx, { id: ids.next(), now, event: 'payment-stray', paymentId: payment.id, after });
    }
    return isNew;
  });
  if (!isNew || isFullyRefunded(payment)) return;
  log.error(
    { payment: payment.id, orders: payment.orderIds, receivedCents: payment.receivedCents },
    'a payment of this shop belongs to no order that can take it; give it back at the provider, or restore the order',
  );
}
