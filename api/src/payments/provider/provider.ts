import type { ProblemCode } from '@parts-forge/contract/calls/problems';
import type { RefundState } from '@parts-forge/contract/orders/order-states';
import type { PageConfig } from '@parts-forge/contract/people/identity';
import type { FastifyInstance } from 'fastify';
import { Problem, type ProblemExtras } from '#src/platform/core/problem.ts';

export const PAYMENT_STATUSES = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'processing',
  'requires_capture',
  'succeeded',
  'canceled',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Amounts in cents, currency in lower case. */
export interface ProviderPayment {
  id: string;
  clientSecret: string;
  status: PaymentStatus;
  amountCents: number;
  receivedCents: number;
  currency: string;
  /** Sorted by id; each order's share is its total. */
  orderIds: readonly string[];
  shop: string | null;
  /** May include failed refunds; `listRefunds` is exact. */
  refundedCents: number;
  disputed: boolean;
  chargedAt: Date | null;
  /** For example `visa` and four digits; null before a charge. */
  card: { kind: string; last4: string } | null;
}

export interface ProviderRefund {
  id: string;
  amountCents: number;
  state: RefundState;
  /** When it began, as for disputes. */
  at?: Date;
  /** A row in `refunds`; null for a refund made at the provider. */
  refundId: string | null;
}

/** A payment with its charge. */
export interface ListedPayment {
  id: string;
  /** When it was charged. */
  at: Date;
  receivedCents: number;
  /** Pending refunds count as refunded. */
  refundedCents: number;
  disputed: boolean;
  shop: string | null;
  /** Succeeded refunds and lost disputes that began in the time asked for. */
  backCents: number;
}

/** By the money: `inquiry`: none was taken; `open`: undecided; `won`: the shop has it; `lost`: it is gone. */
export type DisputeState = 'inquiry' | 'open' | 'won' | 'lost';

export interface ProviderDispute {
  id: string;
  /** Once lost, what is gone. */
  amountCents: number;
  state: DisputeState;
  at?: Date;
  answerBy?: Date;
  /** The provider's word for a state that the shop does not know. */
  unknownStatus?: string;
}

/** In cents: succeeded refunds and lost disputes. */
export const sumBack = (moves: readonly (ProviderRefund | ProviderDispute)[]): number =>
  moves
    .filter(({ state }) => state === 'succeeded' || state === 'lost')
    .reduce((cents, { amountCents }) => cents + amountCents, 0);

export interface NewRefund {
  paymentId: string;
  amountCents: number;
  refundId: string;
  shop: string;
  /** Rises with each definite failure; part of the idempotency key. */
  attempt: number;
}

export interface NewPayment {
  /** Each new payment of an order has a higher attempt; all attempts form the idempotency key. */
  orders: readonly { id: string; attempt: number }[];
  shop: string;
  amountCents: number;
  currency: string;
  description: string;
}

/**
 * `refused` and `broken` are definite: the same key repeats them. After `unreachable` the outcome is
 * unknown.
 */
export type ProviderErrorKind = 'refused' | 'unreachable' | 'broken';

const refusals: Record<ProviderErrorKind, [code: ProblemCode, extras: ProblemExtras]> = {
  refused: ['payment-refused', {}],
  broken: ['provider-broken', {}],
  unreachable: [
    'unavailable',
    { detail: 'The payment provider does not answer. Try again in a moment.', retryAfterSeconds: 5 },
  ],
};

export class ProviderError extends Problem {
  readonly kind: ProviderErrorKind;
  /** The provider's own code, such as `resource_missing`. */
  readonly providerCode: string | null;

  constructor(kind: ProviderErrorKind, reason: string, providerCode: string | null = null, cause?: unknown) {
    const [code, extras] = refusals[kind];
    // Only the provider knows the least charge: it depends on the account's currencies.
    const detail = `This is too little for a payment by card: ${reason}. Pay it together with other orders.`;
    const tooSmall = providerCode === 'amount_too_small' && { detail };
    super(code, { ...extras, ...tooSmall, cause: new Error(reason, cause === undefined ? {} : { cause }) });
    this.name = 'ProviderError';
    this.kind = kind;
    this.providerCode = providerCode;
  }
}

export interface PaymentEvent {
  id: string;
  type: string;
  paymentId: string | null;
  createdAt: Date | null;
}

export interface PaymentProvider {
  readonly pageConfig: PageConfig['payments'];
  /** @throws ProviderError */
  createPayment(payment: NewPayment): Promise<ProviderPayment>;
  /** Null for an unknown payment. @throws ProviderError */
  findPayment(id: string): Promise<ProviderPayment | null>;
  /** The final state may show that it was too late. @throws ProviderError */
  cancelPayment(id: string): Promise<ProviderPayment>;
  /** The same row and attempt return the same refund. Null when nothing is left. @throws ProviderError */
  createRefund(refund: NewRefund): Promise<ProviderRefund | null>;
  /** Newest first; empty if the provider has no list. @throws ProviderError */
  listRefunds(paymentId: string): Promise<ProviderRefund[]>;
  /** Newest first; empty if the provider has no list. @throws ProviderError */
  listDisputes(paymentId: string): Promise<ProviderDispute[]>;
  /**
   * Payments that were charged, refunded or disputed from `from` to before `until`, in requests of a hundred;
   * null if the provider has no such list. @throws ProviderError
   */
  listPayments(from: Date, until: Date): Promise<ListedPayment[] | null>;
  /** Oldest first; null if the provider has no list. @throws ProviderError */
  listEvents(since: Date, types: readonly string[]): Promise<PaymentEvent[] | null>;
  /** Use as a hint only. @throws Problem `bad-signature`, `bad-request` */
  readEvent(rawBody: Buffer, signature: string | undefined): Promise<PaymentEvent>;
  /** For the sandbox, whose events are in the shop's database. */
  pruneEvents?(before: Date): Promise<void>;
  routes?(app: FastifyInstance): Promise<void>;
  close?(): Promise<void>;
}
