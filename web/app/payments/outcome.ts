import type { PaymentIntent, PaymentIntentResult, StripeError } from '@stripe/stripe-js';

/** What became of an attempt to pay. */
export type Outcome =
  | { kind: 'paid'; transactionId: string }
  /** The provider is still at work; nothing may be tried again. */
  | { kind: 'processing' }
  /** The order was cancelled meanwhile, and its payment with it. */
  | { kind: 'cancelled' }
  /** The provider was busy with this very payment: the same may be asked once more. */
  | { kind: 'again' }
  | { kind: 'failed'; message: string };

/** Reads the provider's answer to a confirmation or a look-up. */
export function readOutcome(result: PaymentIntentResult): Outcome {
  if (result.paymentIntent) return readIntent(result.paymentIntent);
  const { error } = result;
  // Paid or cancelled in another tab: the provider refuses, and names the state that is in the way.
  const state = error.payment_intent && readIntent(error.payment_intent);
  if (state && state.kind !== 'failed') return state;
  if (error.code === 'lock_timeout') return { kind: 'again' };
  return { kind: 'failed', message: describeProviderError(error) };
}

function readIntent(intent: PaymentIntent): Outcome {
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'paid', transactionId: intent.id };
    case 'processing':
      return { kind: 'processing' };
    case 'canceled':
      return { kind: 'cancelled' };
    default:
      return {
        kind: 'failed',
        message: intent.last_payment_error?.message ?? 'The payment was not completed. Try again.',
      };
  }
}

/** Whoever got no answer wonders whether the card was charged. The payment of the order is one, however often it is tried. */
function describeProviderError({ type, message }: StripeError): string {
  if (message === undefined) return `The payment provider did not answer. Try again. ${CHARGED_ONCE}`;
  return type === 'api_connection_error' ? `${message} ${CHARGED_ONCE}` : message;
}

const CHARGED_ONCE = 'You are charged once, however often you try.';
