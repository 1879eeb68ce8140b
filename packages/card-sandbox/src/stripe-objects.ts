import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { TestCard } from './test-cards.ts';

/** The version that the installed SDK sends. */
export const API_VERSION = '2026-10-28.endive';

// Objects have the fields that the shop, the script or people read; Stripe's have more.

export const generateId = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`;

export const toUnixSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

export interface IntentParameters {
  /** In cents. */
  amount: number;
  currency: string;
  description: string | null;
  metadata: Record<string, string>;
  now: Date;
}

export function buildPaymentIntent(parameters: IntentParameters): Stripe.PaymentIntent {
  const id = generateId('pi');
  return {
    id,
    object: 'payment_intent',
    amount: parameters.amount,
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomBytes(16).toString('hex')}`,
    created: toUnixSeconds(parameters.now),
    currency: parameters.currency,
    description: parameters.description,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: parameters.metadata,
    next_action: null,
    payment_method: null,
    payment_method_types: ['card'],
    processing: null,
    status: 'requires_payment_method',
  } as Stripe.PaymentIntent;
}

export function buildCharge(
  intent: Stripe.PaymentIntent,
  { outcome, brand, last4 }: TestCard,
  now: Date,
): Stripe.Charge {
  const paid = outcome.result === 'succeeds';
  return {
    id: generateId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: null,
    captured: paid,
    created: toUnixSeconds(now),
    currency: intent.currency,
    description: intent.description,
    disputed: false,
    failure_code: paid ? null : outcome.code,
    failure_message: paid ? null : outcome.message,
    livemode: false,
    metadata: intent.metadata,
    paid,
    payment_intent: intent.id,
    payment_method: typeof intent.payment_method === 'string' ? intent.payment_method : null,
    // Only the card details that people read.
    payment_method_details: { type: 'card', card: { brand, last4 } } as Stripe.Charge.PaymentMethodDetails,
    refunded: false,
    status: paid ? 'succeeded' : 'failed',
  } as Stripe.Charge;
}

export interface RefundParameters {
  /** In cents. */
  amount: number;
  status: 'succeeded' | 'pending';
  metadata: Record<string, string>;
  now: Date;
}

export function buildRefund(
  charge: Stripe.Charge,
  { amount, status, metadata, now }: RefundParameters,
): Stripe.Refund {
  return {
    id: generateId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: toUnixSeconds(now),
    currency: charge.currency,
    metadata,
    payment_intent: typeof charge.payment_intent === 'string' ? charge.payment_intent : null,
    payment_method: charge.payment_method,
    reason: null,
    status,
  } as Stripe.Refund;
}

/** Stripe's is 7 to 21 days. */
const DAYS_TO_ANSWER = 12;

const withdrawnBy: ReadonlySet<string> = new Set([
  ...['needs_response', 'under_review', 'lost', 'prevented'],
  ...['appeal_needs_response', 'appeal_under_review'],
]);

const countMoved = ({ balance_transactions }: Stripe.Dispute): number =>
  balance_transactions.reduce((sum, { amount }) => sum + amount, 0);

export const isWithdrawn = (dispute: Stripe.Dispute): boolean => countMoved(dispute) < 0;

/** Takes the money or brings it back, as the status asks for. */
export function moveMoney(dispute: Stripe.Dispute, now: Date): Stripe.Dispute {
  const target = withdrawnBy.has(dispute.status) ? -dispute.amount : 0;
  const amount = target - countMoved(dispute);
  if (amount === 0) return dispute;
  // Only what tells where the money is.
  const move = {
    id: generateId('txn'),
    object: 'balance_transaction',
    amount,
    created: toUnixSeconds(now),
    currency: dispute.currency,
  } as Stripe.BalanceTransaction;
  return { ...dispute, balance_transactions: [...dispute.balance_transactions, move] };
}

export function buildDispute(
  charge: Stripe.Charge,
  status: Stripe.Dispute.Status,
  now: Date,
): Stripe.Dispute {
  return {
    id: generateId('dp'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: toUnixSeconds(now),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {} as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: toUnixSeconds(now) + DAYS_TO_ANSWER * 24 * 3600,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    } as Stripe.Dispute.EvidenceDetails,
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: typeof charge.payment_intent === 'string' ? charge.payment_intent : null,
    reason: 'fraudulent',
    status,
  };
}

export type EventType =
  | 'payment_intent.created'
  | 'payment_intent.requires_action'
  | 'payment_intent.processing'
  | 'payment_intent.payment_failed'
  | 'payment_intent.succeeded'
  | 'payment_intent.canceled'
  | 'charge.succeeded'
  | 'charge.refunded'
  | 'charge.dispute.created'
  | 'charge.dispute.updated'
  | 'charge.dispute.closed'
  | 'refund.created'
  | 'refund.updated'
  | 'refund.failed';

export interface SandboxEvent
  extends Pick<
    Stripe.Event,
    'id' | 'object' | 'api_version' | 'created' | 'livemode' | 'pending_webhooks' | 'request'
  > {
  type: EventType;
  data: { object: Stripe.PaymentIntent | Stripe.Charge | Stripe.Refund | Stripe.Dispute };
}

export function buildEvent(type: EventType, object: SandboxEvent['data']['object'], now: Date): SandboxEvent {
  return {
    id: generateId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: toUnixSeconds(now),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}
