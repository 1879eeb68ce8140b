import type { PaymentIntent, PaymentIntentResult, StripeError } from '@stripe/stripe-js';
import { expect, test } from 'vitest';
import { readOutcome } from './outcome.ts';

const anIntent = (state: Partial<PaymentIntent>) => ({ id: 'pi_1234567', ...state }) as PaymentIntent;
const refused = (error: Partial<StripeError>) => ({ error }) as PaymentIntentResult;

test('a payment that succeeded in another tab is paid', () => {
  const result = refused({
    code: 'payment_intent_unexpected_state',
    payment_intent: anIntent({ status: 'succeeded' }),
  });
  expect(readOutcome(result)).toEqual({ kind: 'paid', transactionId: 'pi_1234567' });
});

test("a bank's refusal fails with the last error", () => {
  const intent = anIntent({
    status: 'requires_payment_method',
    last_payment_error: { message: 'We are unable to authenticate your payment method.' } as never,
  });
  expect(readOutcome({ paymentIntent: intent })).toEqual({
    kind: 'failed',
    message: 'We are unable to authenticate your payment method.',
  });
});

test('a missing answer says that another attempt charges once', () => {
  const failure = refused({
    type: 'api_connection_error',
    message: 'We could not reach the payment provider.',
  });
  expect(readOutcome(failure)).toEqual({
    kind: 'failed',
    message: 'We could not reach the payment provider. You are charged once, however often you try.',
  });
});
