import { expect, test } from 'vitest';
import {
  brandOf,
  cvcProblem,
  expiryProblem,
  formatExpiry,
  formatNumber,
  numberProblem,
  testTokenOf,
} from './card-rules.js';

const now = new Date('2026-11-21T12:00:00Z');

test('a number is shown in the groups of its card', () => {
  expect(formatNumber('4242424242424242')).toBe('4242 4242 4242 4242');
  expect(formatNumber('378282246310005')).toBe('3782 822463 10005');
  expect(formatNumber('4242 4242 4242 4242 99')).toBe('4242 4242 4242 4242');
  expect(formatNumber('42424')).toBe('4242 4');
  expect(formatNumber('')).toBe('');
});

test('an expiry is shown as month and year, and can be deleted', () => {
  expect(formatExpiry('1')).toBe('1');
  expect(formatExpiry('12')).toBe('12 / ');
  expect(formatExpiry('12 /', true)).toBe('12');
  expect(formatExpiry('4')).toBe('04 / ');
  expect(formatExpiry('1230')).toBe('12 / 30');
  expect(formatExpiry('12/2030')).toBe('12 / 30');
});

test('what is wrong with a number', () => {
  expect(numberProblem('4242 4242 4242')?.message).toBe('Your card number is incomplete.');
  expect(numberProblem('4242 4242 4242 4241')?.message).toBe('Your card number is invalid.');
  expect(numberProblem('4242 4242 4242 4242')).toBeNull();
  expect(numberProblem('3782 822463 10005')).toBeNull();
});

test('what is wrong with an expiry', () => {
  expect(expiryProblem('12 / 25', now)?.message).toBe("Your card's expiration year is in the past.");
  expect(expiryProblem('10 / 26', now)?.message).toBe("Your card's expiration date is in the past.");
  expect(expiryProblem('11 / 26', now)).toBeNull();
  expect(expiryProblem('13 / 30', now)?.message).toBe("Your card's expiration date is incomplete.");
  expect(expiryProblem('12 / ', now)?.message).toBe("Your card's expiration date is incomplete.");
});

test('the security code of American Express has four digits', () => {
  expect(cvcProblem('123', brandOf('4242'))).toBeNull();
  expect(cvcProblem('123', brandOf('3782'))?.message).toBe("Your card's security code is incomplete.");
});

test('a number that is no test card has no token', () => {
  expect(testTokenOf('4242 4242 4242 4242')).toBe('pm_card_visa');
  expect(testTokenOf('4111 1111 1111 1111')).toBeNull();
});
