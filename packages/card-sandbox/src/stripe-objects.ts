import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { TestCard } from './test-cards.ts';

/** Of the installed SDK. */
export const API_VERSION = '2026-10-28.endive';

/** Unguessable. */
export const generateId = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`;

export const toUnixSeconds = (date: Date) => Math.floor(date.getTime() / 1000);

export interface IntentParameters {
  /** In cents. */
  amount: number;
  currency: string;
  description: string | null;
  receiptEmail: string | null;
  metadata: Record<string, string>;
  now: Date;
}

export function buildPaymentIntent(parameters: IntentParameters): Stripe.PaymentIntent {
  const id = generateId('pi');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount: parameters.amount,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${randomBytes(16).toString('hex')}`,
    confirmation_method: 'automatic',
    created: toUnixSeconds(parameters.now),
    currency: parameters.currency,
    customer: null,
    customer_account: null,
    description: parameters.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: parameters.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: parameters.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
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
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: 'CARD SANDBOX',
    captured: paid,
    created: toUnixSeconds(now),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: paid ? null : outcome.code,
    failure_message: paid ? null : outcome.message,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: null,
    paid,
    payment_intent: intent.id,
    payment_method: typeof intent.payment_method === 'string' ? intent.payment_method : null,
    // Only the card details that people read.
    payment_method_details: { type: 'card', card: { brand, last4 } } as Stripe.Charge.PaymentMethodDetails,
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? 'succeeded' : 'failed',
    transfer_data: null,
    transfer_group: null,
  };
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
    customer: null,
    customer_account: null,
    metadata,
    payment_intent: typeof charge.payment_intent === 'string' ? charge.payment_intent : null,
    payment_method: charge.payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  };
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
