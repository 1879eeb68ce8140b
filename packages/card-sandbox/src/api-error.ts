import type Stripe from 'stripe';

export interface ErrorDetails {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  charge?: string;
  payment_intent?: Stripe.PaymentIntent;
}

/** Does not roll back: a declined charge stays stored. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: ErrorDetails;
  constructor(status: number, details: ErrorDetails) {
    super(details.message);
    this.name = 'ApiError';
    this.status = status;
    this.details = details;
  }
}

export const invalidRequest = (
  message: string,
  details: Pick<ErrorDetails, 'code' | 'param' | 'payment_intent'> = {},
  status = 400,
) => new ApiError(status, { type: 'invalid_request_error', message, ...details });

export const resourceMissing = (resource: string, id: string) =>
  invalidRequest(`No such ${resource}: '${id}'`, { code: 'resource_missing', param: 'id' }, 404);

export const parameterMissing = (param: string) =>
  invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });

/** @param action a participle: `confirmed` */
export const unexpectedState = (intent: Stripe.PaymentIntent, action: string) =>
  invalidRequest(`This PaymentIntent could not be ${action} because it has a status of ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  });
