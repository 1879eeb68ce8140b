export type ChargeOutcome =
  | { result: 'succeeds' }
  | { result: 'declined'; code: string; declineCode: string; message: string };

export interface TestCard {
  /** The bank asks first (3-D Secure). */
  requiresChallenge: boolean;
  brand: 'visa' | 'mastercard' | 'amex';
  last4: string;
  outcome: ChargeOutcome;
}

const declined = (code: string, declineCode: string, message: string): ChargeOutcome => ({
  result: 'declined',
  code,
  declineCode,
  message,
});
const succeeds: ChargeOutcome = { result: 'succeeds' };
const genericDecline = declined('card_declined', 'generic_decline', 'Your card was declined.');
const insufficientFunds = declined(
  'card_declined',
  'insufficient_funds',
  'Your card has insufficient funds.',
);
const lostCard = declined('card_declined', 'lost_card', 'Your card was declined.');
const expiredCard = declined('expired_card', 'expired_card', 'Your card has expired.');
const incorrectCvc = declined('incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect.");
const processingError = declined(
  'processing_error',
  'processing_error',
  'An error occurred while processing your card. Try again in a little bit.',
);

const card = (last4: string, outcome: ChargeOutcome, brand: TestCard['brand'] = 'visa'): TestCard => ({
  requiresChallenge: false,
  brand,
  last4,
  outcome,
});
const cardWithChallenge = (last4: string, outcome: ChargeOutcome): TestCard => ({
  ...card(last4, outcome),
  requiresChallenge: true,
});

/** Card numbers never reach a server. */
const testCards: Readonly<Record<string, TestCard>> = {
  pm_card_visa: card('4242', succeeds),
  pm_card_mastercard: card('4444', succeeds, 'mastercard'),
  pm_card_amex: card('0005', succeeds, 'amex'),
  pm_card_chargeDeclined: card('0002', genericDecline),
  pm_card_chargeDeclinedInsufficientFunds: card('9995', insufficientFunds),
  pm_card_chargeDeclinedLostCard: card('9987', lostCard),
  pm_card_chargeDeclinedExpiredCard: card('0069', expiredCard),
  pm_card_chargeDeclinedIncorrectCvc: card('0127', incorrectCvc),
  pm_card_chargeDeclinedProcessingError: card('0119', processingError),
  pm_card_authenticationRequiredOnSetup: cardWithChallenge('3155', succeeds),
  pm_card_authenticationRequired: cardWithChallenge('3184', succeeds),
  pm_card_threeDSecure2Required: cardWithChallenge('3220', succeeds),
  pm_card_threeDSecureRequiredChargeDeclined: cardWithChallenge('1629', genericDecline),
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: cardWithChallenge('3178', insufficientFunds),
};

/** Null also for inherited names such as `constructor`. */
export const findTestCard = (token: string): TestCard | null =>
  (Object.hasOwn(testCards, token) && testCards[token]) || null;
