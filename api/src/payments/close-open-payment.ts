import { Problem } from '#src/platform/core/problem.ts';
import type { PaymentServices } from './payment-services.ts';
import { ProviderError, type ProviderPayment } from './provider/provider.ts';
import { type Settlement, settleOrRefund } from './settle-or-refund.ts';
import { closePayment } from './store.ts';

/**
 * Repeatable.
 * @throws Problem `payment-processing`
 * @throws ProviderError; nothing has changed
 */
export async function closeOpenPayment(
  services: PaymentServices,
  id: string,
): Promise<Settlement | 'missing'> {
  const payment = await cancelUnlessOnItsWay(services, id);
  if (!payment) {
    await closePayment(services, id, 'missing');
    return 'missing';
  }
  if (payment.status === 'processing') throw new Problem('payment-processing');
  return settleOrRefund(services, payment);
}

/** Leaves a processing payment alone (contract: 409). Cancels an unknown one too, as the provider may err. */
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
