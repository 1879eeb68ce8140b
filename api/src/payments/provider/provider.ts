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

/** A payment as the provider has it. Amounts in cents, currency in small letters. */
export interface ProviderPayment {
  id: string;
  clientSecret: string;
  status: PaymentStatus;
  amountCents: number;
  receivedCents: number;
  currency: string;
  /** The orders that it was made for, in the order of their ids, each with its total as its share. Empty: it names none. */
  orderIds: readonly string[];
  /** The shop's instance that it was made for. */
  shop: string | null;
  /**
   * What was given back or is on its way back, as the charge says. A refund that failed may still be in it: the
   * refunds themselves know better (`listRefunds`).
   */
  refundedCents: number;
  /** The customer's bank has called the payment into question, some day; the disputes know whether it still does. */
  disputed: boolean;
  /** The card that was charged: its kind (`visa`) and the last four digits; null before one was. */
  card: { kind: string; last4: string } | null;
}

/** A refund of a payment as the provider has it. */
export interface ProviderRefund {
  id: string;
  amountCents: number;
  state: RefundState;
  /** The row of `refunds` that it was made for; null for one that was made at the provider. */
  refundId: string | null;
}

/** A bank's question about a payment; `lost` means that the money is gone. */
export interface ProviderDispute {
  id: string;
  amountCents: number;
  state: 'open' | 'won' | 'lost';
  /** Until when the bank waits for what the shop says to it; absent where nothing is to be said. */
  answerBy?: Date;
}

export interface NewRefund {
  paymentId: string;
  /** At most what was received and not given back. */
  amountCents: number;
  /** The row of `refunds` that it is made for. */
  refundId: string;
  shop: string;
  /** Rises with each refund that failed for good; part of the idempotency key. */
  attempt: number;
}

export interface NewPayment {
  /**
   * The orders that it is for, in the order of their ids. The attempt rises with each new payment of an order; all of
   * them together are the idempotency key.
   */
  orders: readonly { id: string; attempt: number }[];
  shop: string;
  /** What they come to. */
  amountCents: number;
  currency: 'usd';
  email: string;
  description: string;
}

/**
 * Why the provider gave no payment. `refused` and `broken` are definite: the same request with the same key
 * would get the same again. After `unreachable` nobody knows whether the request was carried out.
 */
export type ProviderErrorKind = 'refused' | 'unreachable' | 'broken';

/** What each means for whoever made a call of ours. */
const refusals: Record<ProviderErrorKind, [code: ProblemCode, extras: ProblemExtras]> = {
  refused: ['payment-refused', {}],
  broken: ['provider-broken', {}],
  unreachable: [
    'unavailable',
    { detail: 'The payment provider does not answer. Try again in a moment.', retryAfterSeconds: 5 },
  ],
};

/** A failure of the provider, which is at once the refusal that it means for the caller; its cause is the provider's own. */
export class ProviderError extends Problem {
  readonly kind: ProviderErrorKind;
  /** The provider's own code, such as `resource_missing`; null where it gave none. */
  readonly providerCode: string | null;

  /** @param reason for the log; the caller is told no more than the refusal says */
  constructor(kind: ProviderErrorKind, reason: string, providerCode: string | null = null, cause?: unknown) {
    const [code, extras] = refusals[kind];
    super(code, { ...extras, cause: new Error(reason, cause === undefined ? {} : { cause }) });
    this.name = 'ProviderError';
    this.kind = kind;
    this.providerCode = providerCode;
  }
}

/** What a webhook is about. `paymentId` is null for events that are about no payment. */
export interface PaymentEvent {
  id: string;
  type: string;
  paymentId: string | null;
  /** When it happened; null where the provider does not say. */
  createdAt: Date | null;
}

/** The card payment provider in our words: Stripe, or the sandbox behind the very same code. */
export interface PaymentProvider {
  readonly pageConfig: PageConfig['payments'];
  /** @throws ProviderError */
  createPayment(payment: NewPayment): Promise<ProviderPayment>;
  /** Null when the provider does not know it. @throws ProviderError */
  findPayment(id: string): Promise<ProviderPayment | null>;
  /** The final state, also when it can no longer be cancelled. @throws ProviderError */
  cancelPayment(id: string): Promise<ProviderPayment>;
  /**
   * Gives money back. The same row and attempt give the same refund, however often they are asked for.
   * @returns null when nothing is left to give back
   * @throws ProviderError
   */
  createRefund(refund: NewRefund): Promise<ProviderRefund | null>;
  /** The refunds of a payment, newest first; empty also where the provider does not tell. @throws ProviderError */
  listRefunds(paymentId: string): Promise<ProviderRefund[]>;
  /** The disputes of a payment, newest first; empty also where the provider does not tell. @throws ProviderError */
  listDisputes(paymentId: string): Promise<ProviderDispute[]>;
  /**
   * What happened since a moment, oldest first, of the given types; null where the provider does not tell.
   * @throws ProviderError
   */
  listEvents(since: Date, types: readonly string[]): Promise<PaymentEvent[] | null>;
  /** The event behind a webhook; a hint, never the truth. @throws Problem `bad-signature`, `bad-request` */
  readEvent(rawBody: Buffer, signature: string | undefined): Promise<PaymentEvent>;
  /** Removes events from before a moment, where the provider keeps them in the shop's database: the sandbox. */
  pruneEvents?(before: Date): Promise<void>;
  /** The sandbox's own routes (`/sandbox/stripe/…`). */
  routes?(app: FastifyInstance): Promise<void>;
  /** Lets deliveries of events end; called when the shop closes. */
  close?(): Promise<void>;
}
