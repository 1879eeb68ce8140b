import type Stripe from 'stripe';

interface ErrorBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  charge?: string;
  payment_intent?: Stripe.PaymentIntent;
}

/** What the sandbox refuses, in Stripe's words and form. What was written before it is thrown stays written. */
export class SandboxRefusal extends Error {
  readonly status: number;
  readonly error: ErrorBody;
  constructor(status: number, error: ErrorBody) {
    super(error.message);
    this.name = 'SandboxRefusal';
    this.status = status;
    this.error = error;
  }
}

export const invalidRequest = (
  message: string,
  details: { code?: string; param?: string; payment_intent?: Stripe.PaymentIntent } = {},
  status = 400,
) => new SandboxRefusal(status, { type: 'invalid_request_error', message, ...details });

export const missing = (what: string, id: string) =>
  invalidRequest(`No such ${what}: '${id}'`, { code: 'resource_missing', param: 'id' }, 404);
