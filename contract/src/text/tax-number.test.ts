import { expect, test } from 'vitest';
import { explainTaxNumber } from './tax-number.ts';

test.each([
  ...['ATU12345678', 'CHE123456789MWST', 'CY12345678X', 'DE123456789', 'EL123456789', 'ESX1234567R'],
  ...['FRXX123456789', 'GB123456789', 'IE6388047V', 'IE1234567WA', 'NL123456789B01', 'RO12', 'RO1234567890'],
  // Of an office, or of a country whose forms are not known.
  ...['12-345', 'GH00123', '', 'US'],
])('the tax number %j is taken', (number) => {
  expect(explainTaxNumber(number)).toBeNull();
});

test.each([
  'DE12345678',
  'DE1234567890',
  'ATX12345678',
  'NL123456789X01',
  'IE63880471',
  'RO1',
  'FR1234567890',
])('the tax number %s is refused with the form of its country', (number) => {
  const country = number.slice(0, 2);
  expect(explainTaxNumber(number)).toMatch(
    new RegExp(`^A number of ${country} is ${country}[A-Z#@*]+, with`),
  );
});
