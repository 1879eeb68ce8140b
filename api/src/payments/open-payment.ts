import { messages } from '@parts-forge/contract/messages';
import { amountOf, centsOf } from '@parts-forge/contract/money';
import { MAX_TOTAL_CENTS } from '@parts-forge/contract/orders';
import { idPattern } from '@parts-forge/contract/text';
import type { Actor } from '#src/platform/http/access.ts';
import { invalidField, Problem } from '#src/platform/http/problem.ts';
import { ProviderFailure, type ProviderPayment } from './provider.ts';
import { type PaymentNeeds, settle } from './settle.ts';
import {
  closePayment,
  findDueOrdersOf,
  findOpenPayment,
  findOrderToPay,
  findPaymentRow,
  lockOrder,
  type PayableOrder,
  type PaymentRow,
  raiseAttempt,
  writePayment,
} from './store.ts';

/** Each round ends with an answer or with a newer attempt, so more than a few mean that something is wrong. */
const ROUNDS = 5;

/**
 * The client secret of the order's one open payment, made now if there is none.
 *
 * May be asked at any time and by many at once; the same open payment is the answer until it is canceled.
 * @param price dollars; proves that the customer saw the right total, and finds the order when `orderId` is absent
 * @throws Problem `not-found`, `price-mismatch` (carries the total), `already-paid`, `payment-processing`,
 *   `order-ambiguous`, `amount-too-large`
 * @throws ProviderFailure
 */
export async function openPayment(
  needs: PaymentNeeds,
  customer: Actor,
  { price, orderId }: { price: number; orderId: string | undefined },
): Promise<string> {
  const cents = centsOf(price);
  if (cents > MAX_TOTAL_CENTS) throw invalidField('price', messages.amountTooLarge, 'amount-too-large');
  const id = orderId ?? (await theOneDueOrder(needs, customer, cents));
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = await payableOrder(needs, customer, id, cents);
    const open = await findOpenPayment(needs.database.db, order.id);
    const secret = open ? await secretOfOpen(needs, open) : await secretOfNew(needs, order);
    if (secret !== null) return secret;
  }
  throw new Problem('unavailable', { retryAfterSeconds: 2 });
}

/** The order that a bare price means. @throws Problem `not-found`, `order-ambiguous` */
async function theOneDueOrder({ database }: PaymentNeeds, customer: Actor, cents: number): Promise<string> {
  const [order, another] = await findDueOrdersOf(database.db, customer.userId, cents);
  if (!order) throw new Problem('not-found', { detail: 'You have no unpaid order with this total.' });
  if (another) throw new Problem('order-ambiguous');
  return order.id;
}

async function payableOrder({ database }: PaymentNeeds, customer: Actor, id: string, cents: number) {
  const unsafeOrder = idPattern.test(id) ? await findOrderToPay(database.db, id) : null;
  if (!unsafeOrder || unsafeOrder.userId !== customer.userId || unsafeOrder.cancelledAt) {
    throw new Problem('not-found');
  }
  if (unsafeOrder.status !== 'due') throw new Problem('already-paid');
  if (unsafeOrder.totalCents !== cents) {
    throw new Problem('price-mismatch', { total: amountOf(unsafeOrder.totalCents) });
  }
  return unsafeOrder;
}

/** What the provider says of the open payment; null when it is closed now and a new one is to be made. */
async function secretOfOpen(needs: PaymentNeeds, open: PaymentRow): Promise<string | null> {
  const { database, payments, clock } = needs;
  const payment = await payments.findPayment(open.id);
  if (!payment) {
    // Made with another account or another sandbox: nobody can pay it here any more.
    await database.db.transaction((tx) => closePayment(tx, open, clock.now(), 'unknown to the provider'));
    return null;
  }
  switch (payment.status) {
    case 'requires_payment_method':
    case 'requires_confirmation':
    case 'requires_action':
      return payment.clientSecret;
    case 'processing':
    case 'requires_capture':
      throw new Problem('payment-processing');
    case 'canceled':
    case 'succeeded':
      // Canceled: closed, and the next round makes a new one. Succeeded: the next round finds the order paid.
      await settle(needs, payment);
      return null;
  }
}

/**
 * Makes the order's next payment and hands out its secret only when it is written to the order; null when
 * another request was faster.
 */
async function secretOfNew(needs: PaymentNeeds, order: PayableOrder): Promise<string | null> {
  const payment = await createPayment(needs, order);
  const attached = await attach(needs, order, payment);
  if (attached === 'attached') return payment.clientSecret;
  // The order was cancelled while the provider was asked: nobody got the secret, and nobody may pay.
  if (attached === 'gone') await needs.payments.cancelPayment(payment.id);
  return null;
}

async function createPayment({ database, payments, instanceId }: PaymentNeeds, order: PayableOrder) {
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
    if (error instanceof ProviderFailure && error.kind !== 'unreachable') {
      await raiseAttempt(database.db, order.id, order.payAttempt);
    }
    throw error;
  }
}

function attach(
  { database, clock }: PaymentNeeds,
  { id, payAttempt }: PayableOrder,
  payment: ProviderPayment,
) {
  return database.db.transaction(async (tx) => {
    const order = await lockOrder(tx, id);
    if (!order || order.cancelledAt) return 'gone' as const;
    if (order.status !== 'due' || order.payAttempt !== payAttempt) return 'late' as const;
    const known = await findPaymentRow(tx, payment.id);
    if (known) return known.state === 'open' ? ('attached' as const) : ('late' as const);
    // Another payment is open under the same attempt only if the provider forgot the key.
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
