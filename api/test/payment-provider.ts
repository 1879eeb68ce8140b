import { reconcile } from '#src/payments/events/reconcile.ts';
import type { NewPayment, PaymentProvider, ProviderPayment } from '#src/payments/provider/provider.ts';
import { refreshMoney } from '#src/payments/refunds/refresh-money.ts';
import { type Person, signedInAs } from './builders.ts';
import { createMovableClock, type MovableClock } from './movable-clock.ts';
import { controlSandbox, readSandbox } from './paying.ts';
import type { ShopOptions, TestShop } from './start-shop.ts';
import { preparedForEach, useShop } from './use-shop.ts';

/** Otherwise resets the card sandbox. */
export const loseEvents = (shop: TestShop): Promise<void> =>
  controlSandbox(shop, {
    webhooks: 'drop',
    delayMs: 0,
    faults: [],
    processing: false,
    newRefunds: 'succeeded',
  });

/**
 * Normal sandbox, no events.
 * @returns a newly signed-in administrator, as a movable clock outruns tokens
 */
export async function beginWithoutEvents(shop: TestShop): Promise<Person> {
  const admin = await signedInAs(shop, 'admin');
  await loseEvents(shop);
  return admin;
}

/** A shop with its clock, and `beginWithoutEvents` before each test. */
export function useShopWithoutEvents(options: ShopOptions = {}) {
  const clock = createMovableClock();
  const shop = useShop({ ...options, clock });
  const admin = preparedForEach(() => beginWithoutEvents(shop));
  return { clock, shop, admin };
}

/** Without an order, with the amount of `aDueOrder`. */
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
    description: 'made by nobody',
    ...differences,
  });

/** As the provider has it now. */
export async function readPayment(shop: TestShop, id: string): Promise<ProviderPayment> {
  const payment = await shop.services.payments.findPayment(id);
  if (!payment) throw new Error('The provider does not know the payment.');
  return payment;
}

/** Brings its refunds and disputes to the shop. */
export const refreshPayment = async (shop: TestShop, id: string, services = shop.services): Promise<void> =>
  refreshMoney(services, await readPayment(shop, id), { asksForDisputes: true });

export async function listRefunds(
  shop: TestShop,
  id: string,
): Promise<{ id: string; amount: number; status: string }[]> {
  const { refunds } = await readSandbox(shop);
  return refunds.filter((refund: { payment_intent: string }) => refund.payment_intent === id);
}

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

/** A good minute later. */
export function reconcileLater(shop: TestShop, clock: MovableClock) {
  clock.aheadMs += 61_000;
  return reconcile(shop.services);
}
