import type { PageConfig } from '@parts-forge/contract/identity';
import type { RefundState } from '@parts-forge/contract/order-states';
import type { ProblemCode } from '@parts-forge/contract/problems';
import type { FastifyInstance } from 'fastify';
import { Problem, type ProblemExtras } from '#src/platform/core/problem.ts';

export type PaymentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled';

/** A payment at the provider. Amounts in cents, currency in lower case. */
export interface ProviderPayment {
  id: string;
  clientSecret: string;
  status: PaymentStatus;
  amountCents: number;
  receivedCents: number;
  currency: string;
  /** The orders, sorted by id; each one's share is its total. Empty when the payment names none. */
  orderIds: readonly string[];
  /** The id of the shop's instance. */
  shop: string | null;
  /**
   * Refunded cents of the charge, pending refunds included. The charge may still count a failed refund;
   * `listRefunds` is exact.
   */
  refundedCents: number;
  /** Whether the payment was ever disputed; the disputes tell whether one is open. */
  disputed: boolean;
  /** The card's kind (`visa`) and last four digits; null before a charge. */
  card: { kind: string; last4: string } | null;
}

/** A refund at the provider. */
export interface ProviderRefund {
  id: string;
  amountCents: number;
  state: RefundState;
  /** The id of the shop's row in `refunds`; null for a refund that was made at the provider. */
  refundId: string | null;
}

/** A dispute or an inquiry; `lost` means that the money is gone. */
export interface ProviderDispute {
  id: string;
  amountCents: number;
  state: 'open' | 'won' | 'lost';
  /** The bank's deadline for evidence; absent when it expects none. */
  answerBy?: Date;
}

export interface NewRefund {
  paymentId: string;
  /** At most the received amount that is not refunded. */
  amountCents: number;
  /** The id of the shop's row in `refunds`. */
  refundId: string;
  shop: string;
  /** Rises with each refund that failed for good; part of the idempotency key. */
  attempt: number;
}

export interface NewPayment {
  /**
   * Sorted by id. An attempt rises with each new payment of its order; the idempotency key is built from all
   * of them.
   */
  orders: readonly { id: string; attempt: number }[];
  shop: string;
  /** The sum of the orders' totals. */
  amountCents: number;
  currency: 'usd';
  email: string;
  description: string;
}

/**
 * Why a request failed. `refused` and `broken` are definite: the same key would repeat them. After
 * `unreachable` the outcome is unknown.
 */
export type ProviderErrorKind = 'refused' | 'unreachable' | 'broken';

/** The shop's refusal for each kind. */
const refusals: Record<ProviderErrorKind, [code: ProblemCode, extras: ProblemExtras]> = {
  refused: ['payment-refused', {}],
  broken: ['provider-broken', {}],
  unreachable: [
    'unavailable',
    { detail: 'The payment provider does not answer. Try again in a moment.', retryAfterSeconds: 5 },
  ],
};

/** A failure of the provider, and the shop's refusal for it. Its cause is the provider's error. */
export class ProviderError extends Problem {
  readonly kind: ProviderErrorKind;
  /** The provider's code, such as `resource_missing`; null when it gave none. */
  readonly providerCode: string | null;

  /** @param reason for the log; the caller sees only the refusal */
  constructor(kind: ProviderErrorKind, reason: string, providerCode: string | null = null, cause?: unknown) {
    const [code, extras] = refusals[kind];
    super(code, { ...extras, cause: new Error(reason, cause === undefined ? {} : { cause }) });
    this.name = 'ProviderError';
    this.kind = kind;
    this.providerCode = providerCode;
  }
}

/** An event of a webhook. `paymentId` is null for events without a payment. */
export interface PaymentEvent {
  id: string;
  type: string;
  paymentId: string | null;
  /** When it happened; null when unknown. */
  createdAt: Date | null;
}

/** The card provider in the shop's terms: Stripe, or the sandbox through the same code. */
export interface PaymentProvider {
  readonly pageConfig: PageConfig['payments'];
  /** @throws ProviderError */
  createPayment(payment: NewPayment): Promise<ProviderPayment>;
  /** Null for an unknown payment. @throws ProviderError */
  findPayment(id: string): Promise<ProviderPayment | null>;
  /** The final state, also when it is too late to cancel. @throws ProviderError */
  cancelPayment(id: string): Promise<ProviderPayment>;
  /**
   * Issues a refund. The same row and attempt return the same refund.
   * @returns null when nothing is left to refund
   * @throws ProviderError
   */
  createRefund(refund: NewRefund): Promise<ProviderRefund | null>;
  /** The refunds of a payment, newest first; empty if the provider lists none. @throws ProviderError */
  listRefunds(paymentId: string): Promise<ProviderRefund[]>;
  /** The disputes of a payment, newest first; empty if the provider lists none. @throws ProviderError */
  listDisputes(paymentId: string): Promise<ProviderDispute[]>;
  /**
   * Events of these types since a time, oldest first; null if the provider has no such list.
   * @throws ProviderError
   */
  listEvents(since: Date, types: readonly string[]): Promise<PaymentEvent[] | null>;
  /**
   * The verified event of a webhook. It is a hint, never the truth. @throws Problem `bad-signature`,
   * `bad-request`
   */
  readEvent(rawBody: Buffer, signature: string | undefined): Promise<PaymentEvent>;
  /** Deletes events from before a time. Only the sandbox has it, as its events are in the shop's database. */
  pruneEvents?(before: Date): Promise<void>;
  /** The sandbox's own routes (`/sandbox/stripe/…`). */
  routes?(app: FastifyInstance): Promise<void>;
  /** Waits for running deliveries of events; called when the shop closes. */
  close?(): Promise<void>;
}
