import { expect, test } from 'vitest';
import { readDigits } from './use-phone-digits.ts';

test.each([
  ['+447700-900123', '447700900123'],
  ['+44 (0) 7700 900123', '447700900123'],
  ['(0113) 496 0000', '01134960000'],
  ['0113.496/0000', '01134960000'],
  ['233302771204', '233302771204'],
  ['ask for Amara', null],
  ['tel:+44-7700-900123', '447700900123'],
  ['\u202a+44 7700–900\u2011123\u202c', '447700900123'],
  ['٠١١٣٤٩٦٠٠٠٠', '01134960000'],
  ['０１１３', '0113'],
  ['12 ext. 5', null],
  ['+', null],
  ['', null],
])('%s is dialled as %s', (written, digits) => {
  expect(readDigits(written)).toBe(digits);
});
