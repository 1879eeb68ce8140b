import { expect, test } from 'vitest';
import { readDigits } from './use-phone-digits.ts';

test.each([
  ['+447700-900123', '447700900123'],
  ['+44 (0) 7700 900123', '447700900123'],
  ['(0113) 496 0000', '01134960000'],
  ['0113.496/0000', '01134960000'],
  ['233302771204', '233302771204'],
  ['ask for Amara', null],
  ['12 ext. 5', null],
  ['+', null],
  ['', null],
])('%s is dialled as %s', (written, digits) => {
  expect(readDigits(written)).toBe(digits);
});
