import type { NewPayment, PaymentProvider, ProviderPayment } from '#src/payments/provider/provider.ts';
import { reconcile } from '#src/payments/reconcile.ts';
import { type Person, signedInAs } from './builders.ts';
import type { MovableClock } from './movable-clock.ts';
import { controlSandbox, readSandbox } from './paying.ts';
import type { TestShop } from './start-shop.ts';

/** Resets the card sandbox, but makes it lose every event. */
export const loseEvents = (shop: TestShop): Promise<void> =>
  controlSandbox(shop, {
    webhooks: 'drop',
    delayMs: 0,
    faults: [],
    processing: false,
    newRefunds: 'succeeded',
  });

/**
 * Initial state of payment tests: normal sandbox, no events, empty error log.
 * @returns a newly signed-in administrator, as a movable clock outruns the lifetime of tokens
 */
export async function beginWithoutEvents(shop: TestShop): Promise<Person> {
  const admin = await signedInAs(shop, 'admin');
  await loseEvents(shop);
  shop.errors.length = 0;
  return admin;
}

/** A payment unknown to the shop, without an order, with the amount of `aDueOrder`. */
export const createPayment = (
  shop: TestShop,
  {
    orderId = '019a0000-0000-7000-8000-000000000000',
    attempt = 99,
    ...differences
  }: Partial<NewPayment> & { orderId?: string; attempt?: number } = {},
): Promise<ProviderPayment> =>
  shop.services.payments.createPayment({
    orders: [{ id: orderId, attempt }],
    shop: shop.services.instanceId,
    amountCents: 113943,
    currency: 'usd',
    email: 'somebody@fieldrepair.example',
    description: 'made by nobody',
    ...differences,
  });

/** Refunds of a payment in the card sandbox. */
export async function listRefunds(
  shop: TestShop,
  id: string,
): Promise<{ id: string; amount: number; status: string }[]> {
  const { refunds } = await readSandbox(shop);
  return refunds.filter((refund: { payment_intent: string }) => refund.payment_intent === id);
}

/** Runs `work` with another provider. */
export async function withProvider<T>(
  shop: TestShop,
  differences: Partial<PaymentProvider>,
  work: () => Promise<T>,
): Promise<T> {
  const { payments } = shop.services;
  shop.services.payments = { ...payments, ...differences };
  try {
    return await work();
  } finally {
    shop.services.payments = payments;
  }
}

/** The next run of the reconciliation job, a good minute later. */
export function reconcileLater(shop: TestShop, clock: MovableClock) {
  clock.aheadMs += 61_000;
  return reconcile(shop.services);
}
