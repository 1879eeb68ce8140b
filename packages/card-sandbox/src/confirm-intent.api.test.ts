import { expect, test } from 'vitest';
import { useSandbox } from '#test/start-sandbox.ts';

const sandbox = useSandbox();

test('every test card has its documented outcome', async () => {
  const outcomes: Record<string, string> = {
    pm_card_visa: 'succeeded',
    pm_card_mastercard: 'succeeded',
    pm_card_amex: 'succeeded',
    pm_card_chargeDeclined: 'Your card was declined.',
    pm_card_chargeDeclinedInsufficientFunds: 'Your card has insufficient funds.',
    pm_card_chargeDeclinedLostCard: 'Your card was declined.',
    pm_card_chargeDeclinedExpiredCard: 'Your card has expired.',
    pm_card_chargeDeclinedIncorrectCvc: "Your card's security code is incorrect.",
    pm_card_chargeDeclinedProcessingError:
      'An error occurred while processing your card. Try again in a little bit.',
    pm_card_authenticationRequiredOnSetup: 'requires_action',
    pm_card_authenticationRequired: 'requires_action',
    pm_card_threeDSecure2Required: 'requires_action',
    pm_card_threeDSecureRequiredChargeDeclined: 'requires_action',
    pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: 'requires_action',
    pm_card_unheard_of: "No such PaymentMethod: 'pm_card_unheard_of'",
    constructor: "No such PaymentMethod: 'constructor'",
  };
  for (const [token, outcome] of Object.entries(outcomes)) {
    const { body } = await sandbox.confirmIntent(await sandbox.createIntent(), token);
    expect([token, body.error?.message ?? body.status]).toEqual([token, outcome]);
  }
});

test.each([
  ['pm_card_threeDSecureRequiredChargeDeclined', 'authorize', 'Your card was declined.'],
  [
    'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
    'authorize',
    'Your card has insufficient funds.',
  ],
  [
    'pm_card_authenticationRequired',
    'fail',
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  ],
])('%s: the payment may be retried after the answer %s', async (token, answer, message) => {
  const intent = await sandbox.createIntent();
  const { body } = await sandbox.confirmIntent(intent, token);
  await sandbox.request(body.next_action.redirect_to_url.url, { form: { answer } });
  const after = await sandbox.callApi(`/v1/payment_intents/${intent.id}`);
  expect(after.body).toMatchObject({ status: 'requires_payment_method', last_payment_error: { message } });
  expect((await sandbox.confirmIntent(intent)).body.status).toBe('succeeded');
});
