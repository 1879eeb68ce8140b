import type Stripe from 'stripe';
import * as z from 'zod/mini';
import {
  type DisputeState,
  type ListedPayment,
  type NewPayment,
  PAYMENT_STATUSES,
  type PaymentEvent,
  type ProviderDispute,
  type ProviderPayment,
  type ProviderRefund,
} from './provider.ts';
import { unusable } from './stripe-errors.ts';

/**
 * From unchanging columns, so a retry sends the same request. Without `receipt_email`: Stripe would mail a
 * receipt beside the shop's.
 */
export const toIntentParams = (payment: NewPayment): Stripe.PaymentIntentCreateParams => ({
  amount: payment.amountCents,
  currency: payment.currency,
  allowed_payment_method_types: ['card'],
  description: payment.description,
  metadata: {
    ...writeOrderIds(payment.orders.map(({ id }) => id)),
    shop: payment.shop,
    attempt: payment.orders.map(({ attempt }) => attempt).join(),
  },
});

/** Stripe allows 500 characters for a metadata value. */
const IDS_IN_ONE_VALUE = 13;
const ORDER_IDS = 'orderId';

/** `orderId` has the first 13 ids, `orderId2` the next. */
function writeOrderIds(ids: readonly string[]): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (let from = 0; from < ids.length; from += IDS_IN_ONE_VALUE) {
    metadata[nameOrderIds(from / IDS_IN_ONE_VALUE)] = ids.slice(from, from + IDS_IN_ONE_VALUE).join();
  }
  return metadata;
}

function readOrderIds(metadata: Readonly<Record<string, string>> | null | undefined): string[] {
  const ids: string[] = [];
  for (let index = 0; ; index += 1) {
    const value = metadata?.[nameOrderIds(index)];
    if (value === undefined) return ids;
    ids.push(...value.split(','));
  }
}

const nameOrderIds = (index: number): string => (index === 0 ? ORDER_IDS : `${ORDER_IDS}${index + 1}`);

/** @throws ProviderError `broken` */
export function toPayment(intent: Stripe.PaymentIntent, isLive: boolean, askedFor?: string): ProviderPayment {
  if (intent.object !== 'payment_intent' || typeof intent.id !== 'string' || !intent.id.startsWith('pi_')) {
    throw unusable('no payment intent');
  }
  if (askedFor !== undefined && intent.id !== askedFor) throw unusable(`another payment than ${askedFor}`);
  if (intent.livemode !== isLive) throw unusable(`a payment of the other mode, ${intent.id}`);
  const status = PAYMENT_STATUSES.find((known) => known === intent.status);
  if (!status || !Number.isInteger(intent.amount) || !Number.isInteger(intent.amount_received)) {
    throw unusable(`an unreadable payment, ${intent.id}`);
  }
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    status,
    amountCents: intent.amount,
    receivedCents: intent.amount_received,
    currency: intent.currency,
    orderIds: readOrderIds(intent.metadata),
    shop: intent.metadata?.shop ?? null,
    refundedCents: charge?.amount_refunded ?? (charge?.refunded ? intent.amount_received : 0),
    disputed: charge?.disputed ?? false,
    chargedAt: charge ? new Date(charge.created * 1000) : null,
    card: readCard(charge),
  };
}

/** Null for a failed charge, one of the other mode and one without a payment. */
export function toListed(charge: Stripe.Charge | string | null, isLive: boolean): ListedPayment | null {
  if (charge === null || typeof charge === 'string' || !charge.paid || charge.livemode !== isLive)
    return null;
  const { payment_intent: intent, created, amount_captured: receivedCents } = charge;
  const id = typeof intent === 'string' ? intent : intent?.id;
  if (id === undefined) return null;
  if (![created, receivedCents, charge.amount_refunded].every(Number.isInteger)) {
    throw unusable(`an unreadable charge of ${id}`);
  }
  return {
    id,
    at: new Date(created * 1000),
    receivedCents,
    refundedCents: charge.amount_refunded,
    disputed: charge.disputed,
    shop: charge.metadata?.shop ?? null,
    backCents: 0,
  };
}

function readCard(charge: Stripe.Charge | null): ProviderPayment['card'] {
  const card = charge?.payment_method_details?.card;
  return card ? { kind: card.brand ?? 'unknown', last4: card.last4 ?? '' } : null;
}

/** @throws ProviderError `broken` */
export function toRefund(refund: Stripe.Refund): ProviderRefund {
  if (
    refund.object !== 'refund' ||
    typeof refund.id !== 'string' ||
    !(Number.isInteger(refund.amount) && refund.amount >= 0)
  ) {
    throw unusable('no refund');
  }
  return {
    id: refund.id,
    amountCents: refund.amount,
    state: refundStates[refund.status ?? 'pending'] ?? 'pending',
    ...readStart(refund),
    refundId: refund.metadata?.refundId ?? null,
  };
}

/** Servers that replace Stripe may omit it. */
const readStart = ({ created }: { created: number }) =>
  Number.isInteger(created) && { at: new Date(created * 1000) };

/** Unknown statuses count as pending. */
const refundStates: Readonly<Record<string, ProviderRefund['state']>> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
};

/**
 * A dispute's status says what Stripe decided, its balance transactions where the money is; a win may come
 * before its money, and a `prevented` dispute may have been refunded. docs/explanation/payments.md has the
 * table.
 */
const asked = { unmoved: 'inquiry', back: 'inquiry', away: 'open' } as const;
const undecided = { unmoved: 'open', back: 'open', away: 'open' } as const;
const won = { unmoved: 'won', back: 'won', away: 'open' } as const;
const lost = { unmoved: 'inquiry', back: 'won', away: 'lost' } as const;
const disputeStates: Readonly<Record<string, Readonly<Record<Money, DisputeState>>>> = {
  warning_needs_response: asked,
  warning_under_review: asked,
  warning_closed: won,
  needs_response: undecided,
  under_review: undecided,
  won,
  lost,
  appeal_needs_response: lost,
  appeal_under_review: lost,
  prevented: lost,
};
type Money = keyof typeof asked;

/** An unknown status is open. @throws ProviderError `broken` */
export function toDispute(dispute: Stripe.Dispute): ProviderDispute {
  const { id, status, amount } = dispute;
  const moves = dispute.balance_transactions ?? [];
  const isReadable = amount >= 0 && [amount, ...moves.map((move) => move.amount)].every(Number.isInteger);
  if (!isReadable || typeof status !== 'string') throw unusable('an unreadable dispute');
  const [money, goneCents] = findMoney(dispute);
  const known = disputeStates[status]?.[money];
  const state = known === 'won' && goneCents > 0 ? 'lost' : (known ?? 'open');
  const isAsked = status.endsWith('needs_response');
  // Servers that replace Stripe omit the details.
  const dueBy = isAsked ? dispute.evidence_details?.due_by : null;
  return {
    id,
    amountCents: state === 'lost' && goneCents > 0 ? goneCents : amount,
    state,
    ...readStart(dispute),
    ...(known === undefined && { unknownStatus: status }),
    ...(typeof dueBy === 'number' && { answerBy: new Date(dueBy * 1000) }),
  };
}

/**
 * The newest transaction tells where the money is, and their sum how much is gone. In another currency than
 * the dispute's an exchange leaves a remainder: more than a tenth is away.
 */
function findMoney({ balance_transactions: moves, currency }: Stripe.Dispute): [Money, goneCents: number] {
  const last = moves?.toSorted((a, b) => a.created - b.created || a.amount - b.amount).at(-1);
  if (!last) return ['unmoved', 0];
  const isExact = moves.every((move) => move.currency === currency);
  const leftCents = moves.reduce((sum, move) => sum + move.amount, 0);
  const wentCents = moves.reduce((sum, move) => sum + Math.min(0, move.amount), 0);
  const isAway = last.amount < 0 || (!isExact && leftCents < wentCents / 10);
  return [isAway ? 'away' : 'back', isExact ? Math.max(0, -leftCents) : 0];
}

export function parseEvent(event: Stripe.Event): PaymentEvent | null {
  const parsed = eventSchema.safeParse(event);
  if (!parsed.success) return null;
  const { id, type, created } = parsed.data;
  const createdAt = created === undefined ? null : new Date(created * 1000);
  return { id, type, paymentId: readPaymentId(event), createdAt };
}

/** The event's object, or the payment of its charge, refund or dispute. */
function readPaymentId(event: Stripe.Event): string | null {
  const about = event.data.object as { object?: unknown; id?: unknown; payment_intent?: unknown };
  const id = about.object === 'payment_intent' ? about.id : about.payment_intent;
  return typeof id === 'string' && providerId.test(id) ? id : null;
}

const providerId = /^[\w-]{1,255}$/;

const MAX_DATE_SECONDS = 8.64e12;

const eventSchema = z.object({
  id: z.string().check(z.regex(providerId)),
  type: z.string().check(z.regex(/^[\w.]{1,255}$/)),
  /** Unix seconds, in the range of a Date. */
  created: z.optional(z.int().check(z.gte(0), z.lte(MAX_DATE_SECONDS))),
  data: z.object({ object: z.looseObject({}) }),
});
