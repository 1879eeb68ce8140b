import { Problem } from '#src/platform/core/problem.ts';
import type { PaymentServices } from './payment-services.ts';
import { ProviderError, type ProviderPayment } from './provider/provider.ts';
import { type Settlement, settleOrRefund } from './settle-or-refund.ts';
import { closePayment } from './store.ts';

/**
 * Closes an open payment at the provider, so that it can never be charged, unless its customer was faster; of all its
 * orders. Harmless to repeat.
 * @returns what became of it; `missing` when the provider does not know it
 * @throws Problem `payment-processing`
 * @throws ProviderError; everything is then as it was
 */
export async function closeOpenPayment(
  services: PaymentServices,
  id: string,
): Promise<Settlement | 'missing'> {
  const { database, clock } = services;
  const payment = await cancelUnlessOnItsWay(services, id);
  if (!payment) {
    await database.db.transaction((tx) =>
      closePayment(tx, id, 'missing', clock.now(), 'unknown to the provider'),
    );
    return 'missing';
  }
  if (payment.status === 'processing') throw new Problem('payment-processing');
  return settleOrRefund(services, payment);
}

/**
 * A payment on its way is not stopped: the contract answers 409, though the provider might still take it back. One that
 * the provider does not know when it is looked for is cancelled all the same, as it may be wrong once; null when it
 * does not know it then either.
 */
async function cancelUnlessOnItsWay(
  { payments }: PaymentServices,
  id: string,
): Promise<ProviderPayment | null> {
  const current = await payments.findPayment(id);
  if (current?.status === 'processing' || current?.status === 'succeeded') return current;
  try {
    return await payments.cancelPayment(id);
  } catch (error) {
    if (current === null && error instanceof ProviderError && error.kind === 'refused') return null;
    throw error;
  }
}
