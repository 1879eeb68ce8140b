import type Stripe from 'stripe';
import { ProviderError, type ProviderErrorKind } from './provider.ts';

/** The SDK's classes of errors, which come with the SDK. */
export type StripeErrors = (typeof Stripe)['errors'];

/** An error of the SDK in the shop's terms; any other one is returned as it is. */
export function toProviderError(error: unknown, errors: StripeErrors): unknown {
  if (!(error instanceof errors.StripeError)) return error;
  const code = error.code ?? codesByStatus[error.statusCode ?? 0] ?? null;
  return new ProviderError(classify(error, errors), error.message, code, error);
}

function classify(error: InstanceType<StripeErrors['StripeError']>, errors: StripeErrors): ProviderErrorKind {
  if (error instanceof errors.StripeConnectionError || error instanceof errors.StripeRateLimitError) {
    return 'unreachable';
  }
  // Another request holds the key or the payment: nothing definite was said about this one.
  if (error.statusCode === 409) return 'unreachable';
  const isRefusal =
    error instanceof errors.StripeInvalidRequestError || error instanceof errors.StripeCardError;
  return isRefusal ? 'refused' : 'broken';
}

export const NOT_PERMITTED = 'not_permitted';
/** What a failure means that has no code of its own. */
const codesByStatus: Readonly<Record<number, string>> = { 403: NOT_PERMITTED, 404: 'resource_missing' };

/** The provider has no such thing; not every server that speaks the protocol gives a code with its 404. */
export const isMissing = (error: unknown): boolean => hasCode(error, 'resource_missing');

/** The provider's own code of a failure, such as `resource_missing`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof ProviderError && error.providerCode === code;

/** Of an answer that the provider should not have given. */
export const unusable = (what: string) =>
  new ProviderError('broken', `The payment provider's answer cannot be used: ${what}.`);
