import { MAX_TOTAL_CENTS } from '@parts-forge/contract/bounds';
import { messages } from '@parts-forge/contract/messages';
import { toAmount, toCents } from '@parts-forge/contract/money';
import { canMove, orderMoves } from '@parts-forge/contract/order-states';
import { openPayment as openPaymentCall } from '@parts-forge/contract/payments';
import { idPattern } from '@parts-forge/contract/text';
import {
  findOrderEvenClosed,
  findPayableOrders,
  lockOrder,
  type OrderRow,
  raisePayAttempt,
} from '#src/orders/store.ts';
import { invalidField, Problem } from '#src/platform/core/problem.ts';
import { type Actor, requireOwner } from '#src/platform/http/access.ts';
import type { PaymentServices } from './payment-services.ts';
import { ProviderError, type ProviderPayment } from './provider.ts';
import { settleOrRefund } from './settle-or-refund.ts';
import { closePayment, findOpenPayment, findPayment, type PaymentRow, writePayment } from './store.ts';

/** Each round ends with an answer or with a newer attempt, so more than a few mean that something is wrong. */
const MAX_ROUNDS = 5;

/**
 * The client secret of the order's one open payment, made now if there is none.
 *
 * May be asked at any time and by many at once; the same open payment is the answer until it is canceled.
 * @param price dollars; proves that the customer saw the right total, and finds the order when `orderId` is absent
 * @throws Problem `not-found`, `expired`, `price-mismatch` (carries the total), `already-paid`, `payment-processing`,
 *   `order-ambiguous`, `amount-too-large`
 * @throws ProviderError
 */
export async function openPayment(
  services: PaymentServices,
  customer: Actor,
  { price, orderId }: { price: number; orderId: string | undefined },
): Promise<string> {
  const cents = toCents(price);
  if (cents > MAX_TOTAL_CENTS) throw invalidField('price', messages.amountTooLarge, 'amount-too-large');
  const id = orderId ?? (await findOnlyPayableOrder(services, customer, cents));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const order = await requirePayableOrder(services, customer, id, cents);
    const open = await findOpenPayment(services.database.db, order.id);
    const secret = open ? await resumePayment(services, open) : await openNewPayment(services, order);
    if (secret !== null) return secret;
  }
  throw new Problem('unavailable', { retryAfterSeconds: 2 });
}

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

async function requirePayableOrder(
  { database, clock }: PaymentServices,
  customer: Actor,
  id: string,
  cents: number,
) {
  const unsafeOrder = idPattern.test(id) ? await findOrderEvenClosed(database.db, id) : null;
  if (!unsafeOrder) throw new Problem('not-found');
  requireOwner(openPaymentCall, customer, unsafeOrder.userId === customer.userId);
  const order = unsafeOrder;
  // The job that closes it may be a moment behind; the customer is told the same before and after.
  if (order.closed === 'expired') throw new Problem('expired');
  if (order.closed !== null) throw new Problem('not-found');
  if (!canMove(order.status, 'pay')) throw new Problem(orderMoves.pay.refusal);
  if (order.heldUntil !== null && order.heldUntil <= clock.now()) throw new Problem('expired');
  if (order.totalCents !== cents) throw new Problem('price-mismatch', { total: toAmount(order.totalCents) });
  return order;
}

/** What the provider says of the open payment; null when it is closed now and a new one is to be made. */
async function resumePayment(services: PaymentServices, open: PaymentRow): Promise<string | null> {
  const { database, payments, clock } = services;
  const payment = await payments.findPayment(open.id);
  if (!payment) {
    // Made with another account or another sandbox: nobody can pay it here any more.
    await database.db.transaction((tx) =>
      closePayment(tx, open, 'missing', clock.now(), 'unknown to the provider'),
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
 * Makes the order's next payment and hands out its secret only when it is written to the order; null when
 * another request was faster.
 */
async function openNewPayment(services: PaymentServices, order: OrderRow): Promise<string | null> {
  const payment = await createPayment(services, order);
  const attached = await attach(services, order, payment);
  if (attached === 'attached') return requireSecret(payment);
  // The order was cancelled while the provider was asked: nobody got the secret, and nobody may pay.
  if (attached === 'gone') await services.payments.cancelPayment(payment.id);
  return null;
}

async function createPayment({ database, payments, instanceId }: PaymentServices, order: OrderRow) {
  try {
    return await payments.createPayment({
      orderId: order.id,
      shop: instanceId,
      attempt: order.payAttempt,
      amountCents: order.totalCents,
      currency: 'usd',
      email: order.email,
      description: `${order.quantity} × ${order.productName}`,
    });
  } catch (error) {
    // A definite failure would be replayed under the same key; after an unclear one the key finds what was made.
    if (error instanceof ProviderError && error.kind !== 'unreachable') {
      await raisePayAttempt(database.db, order.id, order.payAttempt);
    }
    throw error;
  }
}

/** @throws ProviderError for a payment that could not be paid by anybody */
function requireSecret({ id, clientSecret }: ProviderPayment): string {
  if (clientSecret !== '') return clientSecret;
  throw new ProviderError('broken', `The payment ${id} came without its client secret.`);
}

function attach(
  { database, clock }: PaymentServices,
  { id, payAttempt }: OrderRow,
  payment: ProviderPayment,
) {
  return database.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id);
    if (!order || order.closedAt) return 'gone' as const;
    if (!canMove(order.status, 'pay') || order.payAttempt !== payAttempt) return 'late' as const;
    const known = await findPayment(tx, payment.id);
    if (known?.state === 'open') return 'attached' as const;
    if (known) {
      // The provider still answers this attempt with a payment that is over: the next round has a new one.
      await raisePayAttempt(tx, id, payAttempt);
      return 'late' as const;
    }
    // Another payment is open under the same attempt only if the provider no longer knew the key.
    if (await findOpenPayment(tx, id)) return 'late' as const;
    await writePayment(
      tx,
      {
        id: payment.id,
        orderId: id,
        attempt: payAttempt,
        amountCents: payment.amountCents,
        currency: payment.currency,
        state: 'open',
      },
      clock.now(),
    );
    return 'attached' as const;
  });
}
