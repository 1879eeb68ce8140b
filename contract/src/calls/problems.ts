import {
  MAX_ALIASES,
  MAX_BATCH_LINES,
  MAX_DECLINES,
  MAX_KEYS,
  MAX_OPEN_QUOTES,
  MAX_WISHES,
} from './bounds.ts';
import { messages } from './messages.ts';
import { readProblemType, TYPE_PREFIX, titles } from './problem-type.ts';

/** RFC 9457. Pages switch on the code at the end of `type`; texts are for people and may change. */
export const problems = {
  'no-json': { status: 400, title: 'The body is not JSON' },
  'bad-request': { status: 400, title: 'The request cannot be read' },
  'bad-signature': { status: 400, title: 'The signature does not match' },
  'sign-in-needed': { status: 401, title: titles['sign-in-needed'] },
  'identity-token-required': { status: 401, title: 'Proof of identity is needed' },
  'identity-invalid': { status: 401, title: 'The proof of identity is not valid' },
  'identity-revoked': { status: 401, title: 'This sign-in has ended' },
  'admin-needed': { status: 403, title: messages.needAdmin },
  'customers-only': { status: 403, title: 'Administrators cannot do this' },
  'second-factor-required': { status: 403, title: 'Administrators need a second factor on this shop' },
  'sign-in-again': { status: 403, title: 'Sign in again to do this' },
  'email-not-verified': { status: 403, title: 'Confirm your email address first' },
  'scope-missing': { status: 403, title: 'This key lacks a scope' },
  'not-for-keys': { status: 403, title: 'No key can do this' },
  'not-yours': { status: 403, title: 'This belongs to somebody else' },
  'not-found': { status: 404, title: 'There is nothing here' },
  'wrong-method': { status: 405, title: 'This path does not allow this method' },
  'too-slow': { status: 408, title: 'The request did not arrive in time' },
  'dead-link': { status: 409, title: 'This link no longer works' },
  'email-in-use': { status: 409, title: 'This email belongs to another account' },
  'number-taken': { status: 409, title: 'Another part on sale has this number' },
  'above-stock': { status: 409, title: 'There are fewer pieces in stock' },
  'price-changed': { status: 409, title: 'The price has changed' },
  'price-mismatch': { status: 409, title: 'The amount is not the total of the order' },
  'already-paid': { status: 409, title: messages.paymentAlreadyDone },
  'not-pending': { status: 409, title: 'Only a pending order can be accepted' },
  'already-accepted': { status: 409, title: 'The payment was accepted, so the address stays' },
  'not-accepted': { status: 409, title: 'Only an accepted order is shipped' },
  'more-than-left': { status: 409, title: 'This is more than is to be sent' },
  'not-due': { status: 409, title: 'Only an unpaid order can be cancelled' },
  'payment-processing': { status: 409, title: 'The payment is being processed' },
  'payment-not-completed': { status: 409, title: 'The payment has not been completed' },
  'payment-of-other-order': { status: 409, title: 'The payment belongs to another order' },
  expired: { status: 409, title: 'The order was not paid in time and has expired' },
  'batch-full': { status: 409, title: `A batch has at most ${MAX_BATCH_LINES} lines` },
  'can-be-ordered': { status: 409, title: 'This part can be ordered now' },
  'too-many-names': {
    status: 409,
    title: `You have at most ${MAX_ALIASES.toLocaleString('en')} names of parts`,
  },
  'too-many-wishes': { status: 409, title: `You wait for ${MAX_WISHES} parts already` },
  'too-many-quotes': {
    status: 409,
    title: `${MAX_OPEN_QUOTES} requests for prices wait for an answer already`,
  },
  'quote-ended': { status: 409, title: 'This request for prices has ended' },
  'too-many-keys': { status: 409, title: `You have ${MAX_KEYS} keys already` },
  'restored-copy': { status: 409, title: 'A restored copy sends nothing before it takes over' },
  'too-many-unpaid': { status: 409, title: 'There are too many unpaid orders' },
  'no-invoice': { status: 409, title: 'There is no invoice of this order' },
  'no-credit-note': { status: 409, title: 'There is no credit note of this order' },
  'not-refundable': { status: 409, title: 'Only an order that is paid for can be refunded' },
  'already-refunded': { status: 409, title: 'The order is refunded already' },
  'partly-refunded': { status: 409, title: 'Part of the payment was refunded' },
  disputed: { status: 409, title: "The customer's bank disputes the payment" },
  'payment-refunded': { status: 409, title: 'The payment was refunded' },
  'order-cancelled': { status: 409, title: 'The order was cancelled' },
  'order-ambiguous': { status: 409, title: 'Several unpaid orders have this total' },
  'user-is-admin': { status: 409, title: 'An administrator cannot be removed' },
  'no-link-for-admin': { status: 409, title: "An administrator's password is not set by a link" },
  'last-admin': { status: 409, title: 'The shop needs an administrator' },
  'unpaid-orders': { status: 409, title: 'There are unpaid orders' },
  'stock-changed': { status: 409, title: 'The stock has changed' },
  'stock-limit': { status: 409, title: 'The stock would exceed the maximum of a part' },
  'events-gone': { status: 410, title: 'These events are no longer kept' },
  'version-changed': { status: 412, title: 'This was changed in the meantime' },
  'too-large': { status: 413, title: 'The body is too large' },
  'wrong-kind': { status: 415, title: 'This content type is not supported here' },
  invalid: { status: 422, title: 'The request is not valid' },
  'below-minimum': { status: 422, title: 'The quantity is below the minimum order' },
  'wrong-step': { status: 422, title: 'The quantity is not a multiple of the order step' },
  'amount-too-large': {
    status: 422,
    get title() {
      return messages.amountTooLarge;
    },
  },
  'unknown-payment': { status: 422, title: 'The payment provider does not know this payment' },
  'payment-refused': { status: 422, title: 'The payment provider refused' },
  'key-reused': { status: 422, title: 'This Idempotency-Key was used for another request' },
  'header-required': { status: 428, title: 'A header is missing that this call needs' },
  'cards-declined': { status: 429, title: `${MAX_DECLINES} tries to pay were declined` },
  'too-many': { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: titles.internal },
  'provider-broken': { status: 503, title: titles['provider-broken'] },
  unavailable: { status: 503, title: 'A part of the shop is not available' },
  overloaded: { status: 503, title: 'The shop is busy' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;
export const PROBLEM_CODES = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];

export const problemType = (code: ProblemCode) => `${TYPE_PREFIX}${code}`;

/** Null when the answer is not the shop's. */
export function problemCode(type: unknown): ProblemCode | null {
  const code = readProblemType(type);
  return code !== null && code in problems ? (code as ProblemCode) : null;
}
