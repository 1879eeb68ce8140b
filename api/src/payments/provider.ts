import type { PageConfig } from '@parts-forge/contract/identity';
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
  /** The order and the shop's instance that it was made for. */
  orderId: string | null;
  shop: string | null;
  /** Money was given back, all of it or a part. */
  refunded: boolean;
  /** The customer's bank has called the payment into question. */
  disputed: boolean;
}

export interface NewPayment {
  orderId: string;
  shop: string;
  /** Rises with each new payment of the order; part of the idempotency key. */
  attempt: number;
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
  /** Gives everything back; harmless when that was done already. @throws ProviderError */
  refundPayment(id: string): Promise<void>;
  /** The event behind a webhook; a hint, never the truth. @throws Problem `bad-signature`, `bad-request` */
  readEvent(rawBody: Buffer, signature: string | undefined): Promise<PaymentEvent>;
  /** Removes events from before a moment, where the provider keeps them in the shop's database: the sandbox. */
  pruneEvents?(before: Date): Promise<void>;
  /** The sandbox's own routes (`/sandbox/stripe/…`). */
  routes?(app: FastifyInstance): Promise<void>;
  /** Lets deliveries of events end; called when the shop closes. */
  close?(): Promise<void>;
}
