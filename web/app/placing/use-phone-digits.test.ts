import { expect, test } from 'vitest';
import { readDigits } from './use-phone-digits.ts';

test.each([
  ['+447700-900123', '447700900123'],
  ['+44 (0) 7700 900123', '447700900123'],
  ['+44 ( 0 ) 7700 900123', '447700900123'],
  ['(0113) 496 0000', '01134960000'],
  ['0113.496/0000', '01134960000'],
  ['233302771204', '233302771204'],
  ['ask for Amara', null],
  ['tel:+44-7700-900123', '447700900123'],
  ['\u202a+44 7700–900\u2011123\u202c', '447700900123'],
  ['٠١١٣٤٩٦٠٠٠٠', '01134960000'],
  ['０１１３', '0113'],
  ['see ext. 5', null],
  ['+', null],
  ['', null],
])('%s is dialled as %s', (written, digits) => {
  expect(readDigits(written)?.digits ?? null).toBe(digits);
});

test.each([
  ['+44 (0) 7700 900123 ext. 12', '447700900123'],
  ['(0113) 496 0000 x12', '01134960000'],
  ['0113 496 0000, Extension: 4512', '01134960000'],
  ['tel:+44-113-496-0000;ext=12', '441134960000'],
  ['0113 496 0000 #12', '01134960000'],
  ['+44 20 7946 0958 / 0959', '442079460958'],
  ['020 7946 0958 / 020 7946 0959', '02079460958'],
  ['020 7946 0958, 07700 900123 (mobile)', '02079460958'],
  ['020 7946 0958 or 0959', '02079460958'],
])('%s is dialled as %s and the rest is left out', (written, digits) => {
  expect(readDigits(written)).toEqual({ digits, leftOut: 'rest' });
});

test('a slash after an area code belongs to the number', () => {
  expect(readDigits('0113/4960000')).toEqual({ digits: '01134960000', leftOut: 'marks' });
});
