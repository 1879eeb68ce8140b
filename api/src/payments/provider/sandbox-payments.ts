import { sandboxObjects } from '@parts-forge/card-sandbox/schema';
import { eq } from 'drizzle-orm';
import type { PaymentServices } from '#src/payments/payment-services.ts';

/**
 * From before the shop had a Stripe account. No money moved: the order cannot be accepted, and a refund
 * just closes it.
 */
export async function isLeftFromSandbox(
  { config, database }: Pick<PaymentServices, 'config' | 'database'>,
  paymentId: string,
): Promise<boolean> {
  if (config.stripe === null) return false;
  const objects = await database.db
    .select({ id: sandboxObjects.id })
    .from(sandboxObjects)
    .where(eq(sandboxObjects.id, paymentId));
  return objects.length > 0;
}
