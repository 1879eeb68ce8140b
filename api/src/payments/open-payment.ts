import { MAX_TOTAL_CENTS } from '@parts-forge/contract/bounds';
import { messages } from '@parts-forge/contract/messages';
import { toAmount, toCents } from '@parts-forge/contract/money';
import { canMove, orderMoves } from '@parts-forge/contract/order-states';
import { openPayment as openPaymentCall } from '@parts-forge/contract/payments';
import { idPattern } from '@parts-forge/contract/text';
import { raisePayAttempt } from '#src/orders/order-money.ts';
import { findOrdersEvenClosed, findPayableOrders, type OrderRow } from '#src/orders/store.ts';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import { type Actor, requireOwner } from '#src/platform/http/calls/access.ts';
import { attachPayment } from './attach-payment.ts';
import { closeOpenPayment } from './close-open-payment.ts';
import type { PaymentServices } from './payment-services.ts';
import { ProviderError, type ProviderPayment } from './provider/provider.ts';
import { settleOrRefund } from './settle-or-refund.ts';
import { closePayment, findOpenPayments, type OpenPayment } from './store.ts';

/** Each round ends with an answer or with a newer attempt, so more than a few mean that something is wrong. */
const MAX_ROUNDS = 5;

/**
 * The client secret of the one open payment of an order, or of several together, made now if there is none. A payment
 * that is open for some of them, or for others with them, is cancelled first.
 *
 * May be asked at any time and by many at once; for the same orders the same open payment is the answer until it is
 * canceled.
 * @param price dollars; proves that the customer saw the right total, and finds the order when none is named
 * @param orderIds each once
 * @throws Problem `not-found`, `expired`, `price-mismatch` (carries the total), `already-paid`, `payment-processing`,
 *   `order-ambiguous`, `amount-too-large`
 * @throws ProviderError
 */
export async function openPayment(
  services: PaymentServices,
  customer: Actor,
  { price, orderIds }: { price: number; orderIds: readonly string[] },
): Promise<string> {
  const cents = toCents(price);
  if (cents > MAX_TOTAL_CENTS) throw invalidField('price', messages.amountTooLarge, 'amount-too-large');
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
      if (secret !== null) return secret;
      continue;
    }
    if (open.length > 0) {
      for (const { id } of open) await closeOpenPayment(services, id);
      // Each of these orders has a new attempt now, or is pending if one of them was paid meanwhile.
      continue;
    }
    const secret = await openNewPayment(services, orders);
    if (secret !== null) return secret;
  }
  throw new Problem('unavailable', { retryAfterSeconds: 2 });
}

/** Both are in the order of their ids. */
const isForSame = ({ orderIds }: OpenPayment, orders: readonly OrderRow[]): boolean =>
  orderIds.join() === orders.map(({ id }) => id).join();

/** The order that a bare price means. @throws Problem `not-found`, `order-ambiguous` */
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

/** The orders in the order of their ids, all of them the customer's and due. */
async function requirePayableOrders(
  { database, clock }: PaymentServices,
  customer: Actor,
  ids: readonly string[],
  cents: number,
): Promise<OrderRow[]> {
  if (!ids.every((id) => idPattern.test(id))) throw new Problem('not-found');
  const unsafeOrders = await findOrdersEvenClosed(database.db, ids);
  if (unsafeOrders.length < ids.length) throw new Problem('not-found');
  for (const { userId } of unsafeOrders) requireOwner(openPaymentCall, customer, userId === customer.userId);
  const orders = unsafeOrders;
  for (const order of orders) requirePayable(order, clock.now());
  const totalCents = orders.reduce((sum, order) => sum + order.totalCents, 0);
  if (totalCents !== cents) throw new Problem('price-mismatch', { total: toAmount(totalCents) });
  return orders;
}

function requirePayable(order: OrderRow, now: Date): void {
  // The job that closes it may be a moment behind; the customer is told the same before and after.
  if (order.closed === 'expired') throw new Problem('expired');
  if (order.closed !== null) throw new Problem('not-found');
  if (!canMove(order.status, 'pay')) throw new Problem(orderMoves.pay.refusal);
  if (order.heldUntil !== null && order.heldUntil <= now) throw new Problem('expired');
}

/** What the provider says of the open payment; null when it is closed now and a new one is to be made. */
async function resumePayment(services: PaymentServices, open: OpenPayment): Promise<string | null> {
  const { database, payments, clock } = services;
  const payment = await payments.findPayment(open.id);
  if (!payment) {
    // Made with another account or another sandbox: nobody can pay it here any more.
    await database.db.transaction((tx) =>
      closePayment(tx, open.id, 'missing', clock.now(), 'unknown to the provider'),
    );
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
      // Canceled: closed, and the next round makes a new one. Succeeded: the next round finds the order paid.
      await settleOrRefund(services, payment);
      return null;
  }
}

/**
 * Makes the orders' next payment and hands out its secret only when it is written to them; null when another request
 * was faster.
 */
async function openNewPayment(
  services: PaymentServices,
  orders: readonly OrderRow[],
): Promise<string | null> {
  const payment = await createPayment(services, orders);
  const attached = await attachPayment(services, orders, payment);
  if (attached === 'attached') return requireSecret(payment);
  if (attached === 'superfluous') await cancelSuperfluous(services, payment);
  return null;
}

/** Nobody got its secret, so nobody can pay it, also where the provider does not cancel it just now. */
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
      currency: 'usd',
      email: orders[0]?.email ?? '',
      description: describeOrders(orders),
    });
  } catch (error) {
    // A definite failure would be replayed under the same key; after an unclear one the key finds what was made.
    if (error instanceof ProviderError && error.kind !== 'unreachable') {
      for (const { id, payAttempt } of orders) await raisePayAttempt(database.db, id, payAttempt);
    }
    throw error;
  }
}

/** For the receipt and for whoever reads the provider's list. */
function describeOrders([first, ...others]: readonly OrderRow[]): string {
  if (first && others.length === 0) return `${first.quantity} × ${first.productName}`;
  const numbers = [first, ...others].map((order) => order?.number);
  return `Orders ${numbers.join(', ')}`;
}

/** @throws ProviderError for a payment that could not be paid by anybody */
function requireSecret({ id, clientSecret }: ProviderPayment): string {
  if (clientSecret !== '') return clientSecret;
  throw new ProviderError('broken', `The payment ${id} came without its client secret.`);
}
