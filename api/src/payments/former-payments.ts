import { Problem } from '#src/platform/core/problem.ts';
import type { Instance } from '#src/platform/database/instance.ts';
import type { PaymentServices } from './payment-services.ts';
import type { ProviderPayment } from './provider/provider.ts';

type Shop = Pick<ProviderPayment, 'shop'>;

/** Also true for shops from which this database was restored. */
export const isOwnPayment = (
  { shop }: Shop,
  { instanceId, formerInstanceIds }: Pick<Instance, 'instanceId' | 'formerInstanceIds'>,
): boolean => shop !== null && (shop === instanceId || formerInstanceIds.includes(shop));

export const isFormerPayment = (
  payment: Shop,
  { formerInstanceIds }: Pick<Instance, 'formerInstanceIds'>,
): boolean => payment.shop !== null && formerInstanceIds.includes(payment.shop);

/**
 * A restored copy must not refund: the original may still run (docs/guides/backup.md, "The copy and the
 * shop that it is from").
 */
export const mayRefund = (
  payment: Shop,
  instance: Pick<Instance, 'formerInstanceIds' | 'copiedAt'>,
): boolean => instance.copiedAt === null || !isFormerPayment(payment, instance);

/** @throws Problem `payment-refused`; ProviderError */
export async function requireRefundAllowed(services: PaymentServices, paymentId: string): Promise<void> {
  if (services.copiedAt === null) return;
  const payment = await services.payments.findPayment(paymentId);
  if (payment === null || mayRefund(payment, services)) return;
  throw new Problem('payment-refused', {
    detail:
      'This shop was restored from a backup: it gives no money back before it was started with --take-over.',
  });
}
