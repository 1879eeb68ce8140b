import { titles } from '@parts-forge/contract/calls/problem-type';
import type { ProblemCode } from '@parts-forge/contract/calls/problems';
import { isRouteErrorResponse } from 'react-router';
import { IdentityError, OfflineError, ShopProblem } from '#app/http/errors.ts';

/** For refusals whose own sentence would not help the reader. */
const sentences: Partial<Record<ProblemCode, string>> = {
  'not-due': 'This order has been paid for and cannot be cancelled.',
  'already-paid': 'This order has been paid for and cannot be cancelled.',
  'payment-processing': 'The payment of this order is being processed. Look again in a moment.',
  'not-pending': 'This payment has already been accepted.',
  'payment-refunded': 'The payment of this order was refunded, so it cannot be accepted.',
  'partly-refunded': 'Part of the payment has been refunded. Check it before you accept it.',
  disputed: "The customer's bank disputes this payment. Wait for its decision.",
  'not-found': 'This no longer exists.',
  'user-is-admin': 'This person is now an administrator and cannot be removed.',
  'last-admin': 'The shop needs an administrator: make somebody else one first.',
  'second-factor-required':
    'Switch on a second factor under My Profile: this shop requires one of its administrators.',
  'too-many': 'Those were too many attempts in a short time.',
  unavailable: 'A part of the shop is not available at the moment.',
  overloaded: 'The shop is busy at the moment.',
  'provider-broken': `${titles['provider-broken']}.`,
  internal: `${titles.internal}.`,
};

export function describeError(error: unknown): string {
  if (error instanceof ShopProblem) return sentences[error.code] ?? error.detail;
  if (error instanceof OfflineError) return 'The server did not answer.';
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** Null for other errors. */
export const getProblemCode = (error: unknown): ProblemCode | null =>
  error instanceof ShopProblem ? error.code : null;

/** One of `identityRefusals`; null for other errors. */
export const getIdentityCode = (error: unknown): string | null =>
  error instanceof IdentityError ? error.code : null;

/** In seconds; null for none. */
export const getRetryAfterSeconds = (error: unknown): number | null =>
  error instanceof ShopProblem || error instanceof IdentityError ? error.retryAfterSeconds : null;

/** For where no button counts the seconds down. */
export function describeWithWait(error: unknown): string {
  const seconds = getRetryAfterSeconds(error);
  if (seconds === null) return describeError(error);
  const wait = seconds > 99 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return `${describeError(error)} Try again in ${wait}.`;
}

/** The id in the shop's log; null for none. */
export function getRequestId(error: unknown): string | null {
  if (error instanceof ShopProblem || error instanceof IdentityError) return error.requestId;
  return isRouteErrorResponse(error) ? readRequestId(error.data) : null;
}

/** The router passes unrecognised JSON on as text. */
function readRequestId(data: unknown): string | null {
  if (typeof data === 'string') {
    try {
      return readRequestId(JSON.parse(data));
    } catch {
      return null;
    }
  }
  if (typeof data !== 'object' || data === null) return null;
  const { requestId } = data as { requestId?: unknown };
  return typeof requestId === 'string' ? requestId : null;
}
