import { expect, test } from 'vitest';
import {
  detectBrand,
  findTestToken,
  formatExpiry,
  formatNumber,
  validateCvc,
  validateExpiry,
  validateNumber,
} from './card-rules.js';

const now = new Date('2026-11-21T12:00:00Z');

test('a number is grouped as on its card', () => {
  expect(formatNumber('4242424242424242')).toBe('4242 4242 4242 4242');
  expect(formatNumber('378282246310005')).toBe('3782 822463 10005');
  expect(formatNumber('4242 4242 4242 4242 99')).toBe('4242 4242 4242 4242');
  expect(formatNumber('42424')).toBe('4242 4');
  expect(formatNumber('')).toBe('');
});

test('an expiry is formatted as month and year and can be deleted', () => {
  expect(formatExpiry('1')).toBe('1');
  expect(formatExpiry('12')).toBe('12 / ');
  expect(formatExpiry('12 /', true)).toBe('12');
  expect(formatExpiry('4')).toBe('04 / ');
  expect(formatExpiry('1230')).toBe('12 / 30');
  expect(formatExpiry('12/2030')).toBe('12 / 30');
});

test('an incomplete or wrong number has an error', () => {
  expect(validateNumber('4242 4242 4242')?.message).toBe('Your card number is incomplete.');
  expect(validateNumber('4242 4242 4242 4241')?.message).toBe('Your card number is invalid.');
  expect(validateNumber('4242 4242 4242 4242')).toBeNull();
  expect(validateNumber('3782 822463 10005')).toBeNull();
});

test('an incomplete or past expiry has an error', () => {
  expect(validateExpiry('12 / 25', now)?.message).toBe("Your card's expiration year is in the past.");
  expect(validateExpiry('10 / 26', now)?.message).toBe("Your card's expiration date is in the past.");
  expect(validateExpiry('11 / 26', now)).toBeNull();
  expect(validateExpiry('13 / 30', now)?.message).toBe("Your card's expiration date is incomplete.");
  expect(validateExpiry('12 / ', now)?.message).toBe("Your card's expiration date is incomplete.");
});

test('the security code of American Express has four digits', () => {
  expect(validateCvc('123', detectBrand('4242'))).toBeNull();
  expect(validateCvc('123', detectBrand('3782'))?.message).toBe("Your card's security code is incomplete.");
});

test('only a test card number has a token', () => {
  expect(findTestToken('4242 4242 4242 4242')).toBe('pm_card_visa');
  expect(findTestToken('4111 1111 1111 1111')).toBeNull();
});
