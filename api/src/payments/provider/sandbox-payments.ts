import { sandboxObjects } from '@parts-forge/card-sandbox/schema';
import { eq } from 'drizzle-orm';
import type { PaymentServices } from '#src/payments/payment-services.ts';

/**
 * Whether a payment was made in the card sandbox of a shop that has an account at Stripe by now. Stripe cannot know it,
 * and no money ever moved: such an order is not accepted, and its refund is done by closing it.
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
