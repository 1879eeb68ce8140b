import type Stripe from 'stripe';
import { ProviderError, type ProviderErrorKind } from './provider.ts';

export type StripeErrors = (typeof Stripe)['errors'];

export function toProviderError(error: unknown, errors: StripeErrors): unknown {
  if (!(error instanceof errors.StripeError)) return error;
  const code = error.code ?? codesByStatus[error.statusCode ?? 0] ?? null;
  return new ProviderError(classify(error, errors), error.message, code, error);
}

function classify(error: InstanceType<StripeErrors['StripeError']>, errors: StripeErrors): ProviderErrorKind {
  if (error instanceof errors.StripeConnectionError || error instanceof errors.StripeRateLimitError) {
    return 'unreachable';
  }
  // Another request holds the key or payment, so the outcome is unknown.
  if (error.statusCode === 409) return 'unreachable';
  const isRefusal =
    error instanceof errors.StripeInvalidRequestError || error instanceof errors.StripeCardError;
  return isRefusal ? 'refused' : 'broken';
}

export const NOT_PERMITTED = 'not_permitted';
/** For failures without a code. */
const codesByStatus: Readonly<Record<number, string>> = { 403: NOT_PERMITTED, 404: 'resource_missing' };

/** Some servers send a 404 without a code. */
export const isMissing = (error: unknown): boolean => hasCode(error, 'resource_missing');

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof ProviderError && error.providerCode === code;

export const unusable = (what: string) =>
  new ProviderError('broken', `The payment provider's answer cannot be used: ${what}.`);
