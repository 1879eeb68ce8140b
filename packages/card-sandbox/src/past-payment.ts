import type { ObjectKind, StoredObjects } from './object-store.ts';
import {
  buildCharge,
  buildDispute,
  buildPaymentIntent,
  buildRefund,
  generateId,
  type IntentParameters,
  moveMoney,
} from './stripe-objects.ts';
import { findTestCard } from './test-cards.ts';

export interface PastPayment extends Omit<IntentParameters, 'now'> {
  /** Without a challenge: `pm_card_visa`. */
  token: string;
  paidAt: Date;
  refund?: { amount: number; metadata: Record<string, string>; at: Date };
  /** The dispute is still open. */
  disputedAt?: Date;
}

export interface SandboxRow {
  id: string;
  kind: ObjectKind;
  data: StoredObjects[ObjectKind];
  createdAt: Date;
}

/**
 * Demonstration data without events. The first row is the intent.
 * @throws Error for a token that is no test card
 */
export function buildPastPayment(payment: PastPayment): { intentId: string; rows: SandboxRow[] } {
  const { token, paidAt, refund: past, disputedAt } = payment;
  const card = findTestCard(token);
  if (!card) throw new Error(`${token} is no test card.`);
  const method = { id: generateId('pm'), token };
  const opened = { ...buildPaymentIntent({ ...payment, now: paidAt }), payment_method: method.id };
  const paid = buildCharge(opened, card, paidAt);
  const refund = past && buildRefund(paid, { ...past, status: 'succeeded', now: past.at });
  const refunded = refund?.amount ?? 0;
  const charge = {
    ...paid,
    amount_refunded: refunded,
    refunded: refunded === paid.amount,
    disputed: disputedAt !== undefined,
  };
  const dispute = disputedAt && moveMoney(buildDispute(charge, 'needs_response', disputedAt), disputedAt);
  const intent = {
    ...opened,
    status: 'succeeded' as const,
    amount_received: opened.amount,
    latest_charge: charge.id,
  };
  const toRow = (kind: ObjectKind, data: StoredObjects[ObjectKind], createdAt: Date): SandboxRow => ({
    id: data.id,
    kind,
    data,
    createdAt,
  });
  return {
    intentId: intent.id,
    rows: [
      toRow('payment_intent', intent, paidAt),
      toRow('payment_method', method, paidAt),
      toRow('charge', charge, paidAt),
      ...(past && refund ? [toRow('refund', refund, past.at)] : []),
      ...(disputedAt && dispute ? [toRow('dispute', dispute, disputedAt)] : []),
    ],
  };
}
