/**
 * Formats and validates card fields like Stripe's form, and recognises test cards.
 *
 * @typedef {{ code: string, message: string }} FieldProblem
 * @typedef {'visa' | 'mastercard' | 'amex' | 'unknown'} Brand
 */

/** A number never leaves the page. */
const testNumbers = new Map([
  ['4242424242424242', 'pm_card_visa'],
  ['5555555555554444', 'pm_card_mastercard'],
  ['378282246310005', 'pm_card_amex'],
  ['4000000000000002', 'pm_card_chargeDeclined'],
  ['4000000000009995', 'pm_card_chargeDeclinedInsufficientFunds'],
  ['4000000000009987', 'pm_card_chargeDeclinedLostCard'],
  ['4000000000000069', 'pm_card_chargeDeclinedExpiredCard'],
  ['4000000000000127', 'pm_card_chargeDeclinedIncorrectCvc'],
  ['4000000000000119', 'pm_card_chargeDeclinedProcessingError'],
  ['4000002500003155', 'pm_card_authenticationRequiredOnSetup'],
  ['4000002760003184', 'pm_card_authenticationRequired'],
  ['4000000000003220', 'pm_card_threeDSecure2Required'],
  ['4000008400001629', 'pm_card_threeDSecureRequiredChargeDeclined'],
  ['4000008260003178', 'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds'],
]);

/** @param {string} text */
export function extractDigits(text) {
  return text.replace(/\D/g, '');
}

/**
 * @param {string} digits
 * @returns {Brand}
 */
export function detectBrand(digits) {
  if (/^3[47]/.test(digits)) return 'amex';
  if (/^(5[1-5]|2[2-7])/.test(digits)) return 'mastercard';
  return /^4/.test(digits) ? 'visa' : 'unknown';
}

/** @param {Brand} brand */
export function getNumberLength(brand) {
  return brand === 'amex' ? 15 : 16;
}

/** @param {Brand} brand */
export function getCvcLength(brand) {
  return brand === 'amex' ? 4 : 3;
}

/** @param {string} text */
export function formatNumber(text) {
  const brand = detectBrand(extractDigits(text));
  const digits = extractDigits(text).slice(0, getNumberLength(brand));
  const groups =
    brand === 'amex' ? /^(\d{0,4})(\d{0,6})(\d{0,5})$/ : /^(\d{0,4})(\d{0,4})(\d{0,4})(\d{0,4})$/;
  return (groups.exec(digits)?.slice(1) ?? []).filter(Boolean).join(' ');
}

/**
 * `MM / YY`; a first digit above 1 becomes a whole month. Deleting also removes the slash.
 * @param {string} text
 * @param {boolean} [deleting]
 */
export function formatExpiry(text, deleting = false) {
  let digits = extractDigits(text);
  // Autofill may send a four-digit year.
  if (digits.length === 6) digits = digits.slice(0, 2) + digits.slice(4);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`;
  digits = digits.slice(0, 4);
  if (digits.length < 2 || (digits.length === 2 && deleting)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

/**
 * Stripe's error for the number; null when it is valid.
 * @param {string} text
 * @returns {FieldProblem | null}
 */
export function validateNumber(text) {
  const digits = extractDigits(text);
  if (digits.length < getNumberLength(detectBrand(digits))) {
    return { code: 'incomplete_number', message: 'Your card number is incomplete.' };
  }
  return hasValidCheckDigit(digits)
    ? null
    : { code: 'invalid_number', message: 'Your card number is invalid.' };
}

/**
 * The error of the expiry; null when it is valid. A card is valid until the end of its month.
 * @param {string} text
 * @param {Date} now
 * @returns {FieldProblem | null}
 */
export function validateExpiry(text, now) {
  const digits = extractDigits(text);
  const month = Number(digits.slice(0, 2));
  const year = 2000 + Number(digits.slice(2));
  if (digits.length < 4 || month < 1 || month > 12) {
    return { code: 'incomplete_expiry', message: "Your card's expiration date is incomplete." };
  }
  if (year < now.getFullYear()) {
    return { code: 'invalid_expiry_year_past', message: "Your card's expiration year is in the past." };
  }
  if (year === now.getFullYear() && month < now.getMonth() + 1) {
    return { code: 'invalid_expiry_month_past', message: "Your card's expiration date is in the past." };
  }
  return null;
}

/**
 * The error of the security code; null when it is valid.
 * @param {string} text
 * @param {Brand} brand
 * @returns {FieldProblem | null}
 */
export function validateCvc(text, brand) {
  return extractDigits(text).length < getCvcLength(brand)
    ? { code: 'incomplete_cvc', message: "Your card's security code is incomplete." }
    : null;
}

/**
 * Null for any other number.
 * @param {string} text
 */
export function findTestToken(text) {
  return testNumbers.get(extractDigits(text)) ?? null;
}

/**
 * The Luhn algorithm.
 * @param {string} digits
 */
function hasValidCheckDigit(digits) {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
