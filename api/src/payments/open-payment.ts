import { MAX_TOTAL_CENTS } from '@parts-forge/contract/calls/bounds';
import { messages } from '@parts-forge/contract/calls/messages';
import { shopCurrency } from '@parts-forge/contract/money/currency';
import { toAmount, toCents } from '@parts-forge/contract/money/money';
import { openPayment as openPaymentCall } from '@parts-forge/contract/money/payments';
import { canMove, orderMoves } from '@parts-forge/contract/orders/order-states';
import { idPattern } from '@parts-forge/contract/text/text';
import { raisePayAttempt } from '#src/orders/order-money.ts';
import { findOrdersEvenClosed, findPayableOrders, type OrderRow } from '#src/orders/store.ts';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import { type Actor, requireOwnOrder } from '#src/platform/http/calls/access.ts';
import { attachPayment } from './attach-payment.ts';
import { closeOpenPayment } from './close-open-payment.ts';
import { requireNoPause } from './events/pause-after-declines.ts';
import type { PaymentServices } from './payment-services.ts';
import { ProviderError, type ProviderPayment } from './provider/provider.ts';
import { settleOrRefund } from './settle-or-refund.ts';
import { closePayment, findOpenPayments, type OpenPayment } from './store.ts';

/** A round ends with a secret or a newer attempt; more rounds mean a fault. */
const MAX_ROUNDS = 5;

/**
 * Resumes the orders' one open payment, or creates it. Cancels overlapping open payments first. Repeatable,
 * also concurrently.
 * @param price in the shop's currency, as the customer saw it; finds the order when none is named
 * @param orderIds without duplicates
 * @returns the client secret
 * @throws Problem as the call lists; `price-mismatch` has the total
 * @throws ProviderError
 */
export async function openPayment(
  services: PaymentServices,
  customer: Actor,
  { price, orderIds }: { price: number; orderIds: readonly string[] },
): Promise<string> {
  const cents = toCents(price);
  if (cents > MAX_TOTAL_CENTS) throw invalidField('price', messages.amountTooLarge, 'amount-too-large');
  await requireNoPause(services.database.db, customer.userId, services.clock.now());
  const ids = orderIds.length > 0 ? orderIds : [await findOnlyPayableOrder(services, customer, cents)];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const orders = await requirePayableOrders(services, customer, ids, cents);
    const open = await findOpenPayments(
      services.database.db,
      orders.map(({ id }) => id),
    );
    const [same] = open.filter((payment) => isForSame(payment, orders));
    if (same) {
      const secret = await resumePayment(services, same);
      await customer.confirm(services.database.db);
      if (secret !== null) return secret;
      continue;
    }
    if (open.length > 0) {
      for (const { id } of open) await closeOpenPayment(services, id);
      // Each order now has a new attempt or is paid.
      continue;
    }
    const secret = await openNewPayment(services, customer, orders);
    if (secret !== null) return secret;
  }
  throw new Problem('unavailable', { retryAfterSeconds: 2 });
}

const isForSame = ({ orderIds }: OpenPayment, orders: readonly OrderRow[]): boolean =>
  orderIds.join() === orders.map(({ id }) => id).join();

async function findOnlyPayableOrder(
  { database }: PaymentServices,
  customer: Actor,
  cents: number,
): Promise<string> {
  const [order, another] = await findPayableOrders(database.db, customer.userId, cents);
  if (!order) throw new Problem('not-found', { detail: 'You have no unpaid order with this total.' });
  if (another) throw new Problem('order-ambiguous');
  return order.id;
}

async function requirePayableOrders(
  { database, clock }: PaymentServices,
  customer: Actor,
  ids: readonly string[],
  cents: number,
): Promise<OrderRow[]> {
  if (!ids.every((id) => idPattern.test(id))) throw new Problem('not-found');
  const found = await findOrdersEvenClosed(database.db, ids);
  if (found.length < ids.length) throw new Problem('not-found');
  const orders = found.map((order) => requireOwnOrder(openPaymentCall, customer, order));
  for (const order of orders) requirePayable(order, clock.now());
  const totalCents = orders.reduce((sum, order) => sum + order.totalCents, 0);
  if (totalCents !== cents) throw new Problem('price-mismatch', { total: toAmount(totalCents) });
  return orders;
}

function requirePayable(order: OrderRow, now: Date): void {
  // The job may close it later; the response is the same before and after.
  if (order.closed === 'expired') throw new Problem('expired');
  if (order.closed !== null) throw new Problem('not-found');
  if (!canMove(order.status, 'pay')) throw new Problem(orderMoves.pay.refusal);
  if (order.heldUntil !== null && order.heldUntil <= now) throw new Problem('expired');
}

/** Null when a new payment is needed. */
async function resumePayment(services: PaymentServices, open: OpenPayment): Promise<string | null> {
  const payment = await services.payments.findPayment(open.id);
  if (!payment) {
    // From another account or sandbox, so it cannot be paid here.
    await closePayment(services, open.id, 'missing');
    return null;
  }
  switch (payment.status) {
    case 'requires_payment_method':
    case 'requires_confirmation':
    case 'requires_action':
      return requireSecret(payment);
    case 'processing':
    case 'requires_capture':
      throw new Problem('payment-processing');
    case 'canceled':
    case 'succeeded':
      // The next round creates a new payment, or finds the order paid.
      await settleOrRefund(services, payment);
      return null;
  }
}

/** Null when another request was faster. */
async function openNewPayment(
  services: PaymentServices,
  customer: Actor,
  orders: readonly OrderRow[],
): Promise<string | null> {
  const payment = await createPayment(services, orders);
  const attached = await attachPayment(services, customer, orders, payment);
  if (attached === 'attached') return requireSecret(payment);
  if (attached === 'superfluous') await cancelSuperfluous(services, payment);
  return null;
}

/** Harmless if it fails, as nobody has the secret. */
async function cancelSuperfluous({ payments, log }: PaymentServices, { id }: ProviderPayment): Promise<void> {
  try {
    await payments.cancelPayment(id);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ err: error, payment: id }, 'a payment that is not needed stays open at the provider');
  }
}

async function createPayment(
  { database, payments, instanceId }: PaymentServices,
  orders: readonly OrderRow[],
): Promise<ProviderPayment> {
  try {
    return await payments.createPayment({
      orders: orders.map(({ id, payAttempt }) => ({ id, attempt: payAttempt })),
      shop: instanceId,
      amountCents: orders.reduce((sum, { totalCents }) => sum + totalCents, 0),
      currency: shopCurrency().code.toLowerCase(),
      description: describeOrders(orders),
    });
  } catch (error) {
    // The same key repeats a definite failure; after an unclear one it finds the payment.
    if (error instanceof ProviderError && error.kind !== 'unreachable') {
      for (const { id, payAttempt } of orders) await raisePayAttempt(database.db, id, payAttempt);
    }
    throw error;
  }
}

function describeOrders([first, ...others]: readonly OrderRow[]): string {
  if (first && others.length === 0) {
    return `Order ${first.number}: ${first.quantity} × ${first.productName}`;
  }
  const numbers = [first, ...others].map((order) => order?.number);
  return `Orders ${numbers.join(', ')}`;
}

/** @throws ProviderError without a secret, as nobody could pay */
function requireSecret({ id, clientSecret }: ProviderPayment): string {
  if (clientSecret !== '') return clientSecret;
  throw new ProviderError('broken', `The payment ${id} came without its client secret.`);
}
