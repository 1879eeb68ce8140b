/** What happens when a test card is charged. */
export type Charging =
  | { result: 'succeeds' }
  | { result: 'declined'; code: string; declineCode: string; message: string };

/** A test card of Stripe's documentation, under its token. */
export interface TestCard {
  brand: 'visa' | 'mastercard' | 'amex';
  last4: string;
  /** The bank asks the customer first (3-D Secure). */
  challenge: boolean;
  charging: Charging;
}

const succeeds: Charging = { result: 'succeeds' };
const declined = (code: string, declineCode: string, message: string): Charging => ({
  result: 'declined',
  code,
  declineCode,
  message,
});
const genericDecline = declined('card_declined', 'generic_decline', 'Your card was declined.');
const insufficientFunds = declined(
  'card_declined',
  'insufficient_funds',
  'Your card has insufficient funds.',
);

const visa = (last4: string, charging: Charging, challenge = false): TestCard => ({
  brand: 'visa',
  last4,
  challenge,
  charging,
});

/**
 * The tokens that stand for test cards, as Stripe names them. Numbers are known to the browser's script alone:
 * they never reach a server, not even the sandbox's.
 */
export const testCards: Readonly<Record<string, TestCard>> = {
  pm_card_visa: visa('4242', succeeds),
  pm_card_mastercard: { brand: 'mastercard', last4: '4444', challenge: false, charging: succeeds },
  pm_card_amex: { brand: 'amex', last4: '0005', challenge: false, charging: succeeds },
  pm_card_chargeDeclined: visa('0002', genericDecline),
  pm_card_chargeDeclinedInsufficientFunds: visa('9995', insufficientFunds),
  pm_card_chargeDeclinedLostCard: visa(
    '9987',
    declined('card_declined', 'lost_card', 'Your card was declined.'),
  ),
  pm_card_chargeDeclinedExpiredCard: visa(
    '0069',
    declined('expired_card', 'expired_card', 'Your card has expired.'),
  ),
  pm_card_chargeDeclinedIncorrectCvc: visa(
    '0127',
    declined('incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."),
  ),
  pm_card_chargeDeclinedProcessingError: visa(
    '0119',
    declined(
      'processing_error',
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
    ),
  ),
  pm_card_authenticationRequiredOnSetup: visa('3155', succeeds, true),
  pm_card_authenticationRequired: visa('3184', succeeds, true),
  pm_card_threeDSecure2Required: visa('3220', succeeds, true),
  pm_card_threeDSecureRequiredChargeDeclined: visa('1629', genericDecline, true),
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: visa('3178', insufficientFunds, true),
};
