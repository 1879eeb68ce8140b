import type { PaymentIntent, PaymentIntentResult, StripeError } from '@stripe/stripe-js';

export type Outcome =
  | { kind: 'paid'; transactionId: string }
  /** The provider has not decided; another attempt must wait. */
  | { kind: 'processing' }
  /** The order was cancelled, and its payment with it. */
  | { kind: 'cancelled' }
  /** The provider was busy; retry once. */
  | { kind: 'again' }
  | { kind: 'failed'; message: string };

export function readOutcome(result: PaymentIntentResult): Outcome {
  if (result.paymentIntent) return readIntent(result.paymentIntent);
  const { error } = result;
  // After an act in another tab, the refusal carries the payment's state.
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

/** Reassures customers: an order has one payment, however often they try. */
function describeProviderError({ type, message }: StripeError): string {
  if (message === undefined) return `The payment provider did not answer. Try again. ${CHARGED_ONCE}`;
  return type === 'api_connection_error' ? `${message} ${CHARGED_ONCE}` : message;
}

const CHARGED_ONCE = 'You are charged once, however often you try.';
