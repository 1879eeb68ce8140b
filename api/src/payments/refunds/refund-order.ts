import { createHash } from 'node:crypto';
import { toAmount, toCents } from '@parts-forge/contract/money/money';
import { explainLeft, type refundOrder as refundOrderCall } from '@parts-forge/contract/money/payments';
import { piecesCents } from '@parts-forge/contract/money/pricing';
import { findRefundMove, orderMoves, type RefundState } from '@parts-forge/contract/orders/order-states';
import type * as z from 'zod/mini';
import { changeMoney } from '#src/orders/change-money.ts';
import { findOrderEvenClosed, lockOrders, type OrderRow } from '#src/orders/store.ts';
import { requireRefundAllowed } from '#src/payments/former-payments.ts';
import { refreshMoneyOfOrder } from '#src/payments/order-payments.ts';
import type { PaymentServices } from '#src/payments/payment-services.ts';
import { findShares } from '#src/payments/store.ts';
import { invalidField, keyReused, Problem } from '#src/platform/core/problem.ts';
import { type Executor, isUniqueViolation } from '#src/platform/database/connection.ts';
import { type Administrator, actAs } from '#src/platform/http/calls/access.ts';
import { tryRefund } from './follow-refund.ts';
import { planRefund } from './refund-rules.ts';
import { findPaymentRefunds, findRequested, insertRefund, type RefundRow } from './refund-store.ts';

type RefundRequest = z.output<NonNullable<(typeof refundOrderCall)['body']>>;

/**
 * Reserves a refund of pieces, of an amount or of the rest; for a closed order the rest is what came back.
 * Closes a pending order once nothing is left; then asks the provider, and the job follows.
 * @param key makes a repeated request answer as the first
 * @returns the amount in the shop's currency, and the refund's state
 * @throws Problem as the call lists
 * @throws ProviderError before any change, when disputes cannot be read
 */
export async function refundOrder(
  services: PaymentServices,
  administrator: Administrator,
  orderId: string,
  request: RefundRequest,
  key: string | undefined,
): Promise<{ amount: number; state: RefundState }> {
  const asked = { ...request, userId: administrator.userId, key: key ?? null, hash: hash(orderId, request) };
  const earlier = await findEarlier(services.database.db, asked);
  if (earlier) return { amount: toAmount(earlier.amountCents), state: earlier.state };
  const seen = requireRefundable(await findOrderEvenClosed(services.database.db, orderId));
  // An unknown payment cannot be disputed and must stay refundable.
  await refreshMoneyOfOrder(services, seen.id).catch(ignoreUnknownPayment);
  await requireRefundAllowed(services, seen.transactionId);
  const reserved = await reserve(services, administrator, asked, seen).catch(explainKey);
  return { amount: toAmount(reserved.amountCents), state: await tryRefund(services, reserved) };
}

function reserve(
  { changes, clock, ids }: PaymentServices,
  administrator: Administrator,
  asked: Asked,
  { id: orderId, transactionId: paymentId }: { id: string; transactionId: string },
): Promise<RefundRow> {
  return actAs(changes, administrator, async (tx, changed) => {
    const now = clock.now();
    const shares = await findShares(tx, paymentId);
    const orders = await lockOrders(
      tx,
      shares.map(({ orderId }) => orderId),
    );
    const earlier = await findEarlier(tx, asked);
    if (earlier) return earlier;
    const order = requireRefundable(orders.find(({ id }) => id === orderId) ?? null);
    if (order.disputed && !order.inquiry) throw new Problem('disputed');
    const refunds = await findPaymentRefunds(tx, paymentId);
    const paid = orders.filter(({ transactionId }) => transactionId === paymentId);
    const plan = planRefund(order, paid, refunds, shares[0]?.paymentCents ?? 0);
    if (plan.amountCents <= 0) throw new Problem('already-refunded');
    const { amountCents, pieces, closes } = choosePart(asked, order, plan.amountCents);
    const { key, hash: bodyHash, userId: requestedBy } = asked;
    const about = { id: ids.next(), paymentId, orderId, amountCents, elsewhereCents: plan.elsewhereCents };
    const cause = { quantity: pieces || null, key, bodyHash, reason: asked.reason || null, requestedBy };
    const row = await insertRefund(tx, { ...about, ...cause }, now);
    const refundState = order.failedCents > 0 ? 'failed' : 'pending';
    const { unassignedCents } = plan;
    const money = { refundCents: plan.refundCents + amountCents, unassignedCents, refundState } as const;
    const part = { amountCents, pieces };
    const change = { event: 'refunded', money, closes, part, returnsStock: asked.returnStock } as const;
    await changeMoney(tx, changed, { ids }, order, change, now);
    return row;
  });
}

/**
 * An amount below the rest is no number of pieces. A pending order that closes has none left to ship.
 * @throws Problem `invalid` with what is left
 */
function choosePart(
  { quantity, amount, returnStock }: RefundRequest,
  order: OrderRow & Pick<ReturnType<typeof requireRefundable>, 'move'>,
  leftCents: number,
): { amountCents: number; pieces: number; closes: boolean } {
  const piecesLeft = order.closed === null ? order.quantity - order.refundedPieces : 0;
  const { totalCents, refundedPieces } = order;
  const pricedCents =
    quantity === undefined ? leftCents : piecesCents(totalCents, order.quantity, refundedPieces, quantity);
  const amountCents = amount === undefined ? pricedCents : toCents(amount);
  if (amountCents > leftCents || (quantity ?? 0) > piecesLeft) {
    const priceCents = totalCents / order.quantity;
    const field = quantity === undefined ? 'amount' : 'quantity';
    throw invalidField(field, explainLeft({ piecesLeft, leftCents, priceCents }));
  }
  const isRest = amountCents === leftCents;
  if (returnStock && !isRest && quantity === undefined && order.closed === null) {
    throw invalidField('returnStock', 'Must be false for an amount: name pieces by quantity');
  }
  const closes = isRest && order.closed === null && 'closes' in orderMoves[order.move];
  const isAllPieces = closes || (isRest && quantity === undefined);
  return { amountCents, pieces: isAllPieces ? piecesLeft : (quantity ?? 0), closes };
}

interface Asked extends RefundRequest {
  userId: string;
  key: string | null;
  hash: Buffer;
}

const hash = (orderId: string, { quantity, amount, returnStock, reason }: RefundRequest): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([orderId, quantity, amount, returnStock, reason]))
    .digest();

/** @throws Problem `key-reused` */
async function findEarlier(db: Executor, { userId, key, hash }: Asked): Promise<RefundRow | null> {
  const row = key === null ? null : await findRequested(db, userId, key);
  if (row === null || row.bodyHash?.equals(hash)) return row;
  throw keyReused();
}

/** Two orders at once with one key. */
function explainKey(error: unknown): never {
  throw isUniqueViolation(error, 'refunds_key') ? keyReused() : error;
}

/** @throws Problem `not-found`, `not-refundable` */
function requireRefundable(order: OrderRow | null) {
  if (!order || order.closed === 'cancelled' || order.closed === 'expired') throw new Problem('not-found');
  const { transactionId } = order;
  const move = findRefundMove(order.status);
  if (move === null || transactionId === null) throw new Problem(orderMoves.refund.refusal);
  return { ...order, transactionId, move };
}

function ignoreUnknownPayment(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== 'unknown-payment') throw error;
}
