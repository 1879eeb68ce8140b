import { afterEach, describe, expect, test } from 'vitest';
import { messages } from '../calls/messages.ts';
import { columnsOf } from '../files/column-names.ts';
import { explainPrice, readFilePrice, readPrice } from '../files/number-text.ts';
import { requiredFields } from '../products/product-fields.ts';
import { holdCurrency, shopCurrency } from './currency.ts';
import { formatAmount, formatCents, hasWholeCents, toAmount, toCents, writeAmount } from './money.ts';
import { refundFields } from './payments.ts';
import { countTax, shareOut, totalCents } from './pricing.ts';

let release = () => {};
afterEach(() => {
  release();
  release = () => {};
});
const hold = (code: string) => {
  release = holdCurrency(code);
};

test('a process without a shop has dollars', () => {
  expect(shopCurrency()).toMatchObject({ code: 'USD', symbol: '$', decimals: 2, centsInUnit: 100 });
});

test('a process has one currency until each holder releases it', () => {
  hold('JPY');
  const other = holdCurrency('JPY');
  expect(() => holdCurrency('EUR')).toThrow('This process has the currency JPY, so EUR cannot be set.');
  other();
  expect(shopCurrency().code).toBe('JPY');
  release();
  expect(shopCurrency().code).toBe('USD');
  hold('EUR');
});

test.each([
  ['EUR', '€1,234.50', '€', 1234.5],
  ['GBP', '£1,234.50', '£', 1234.5],
  ['CHF', 'CHF\u00a01,234.50', 'CHF', 1234.5],
  ['CAD', 'CA$1,234.50', 'CA$', 1234.5],
  // The fonts of papers have no sign of it.
  ['INR', 'INR\u00a01,234.50', 'INR', 1234.5],
  // `Intl` has no decimals for it, and the provider counts hundredths.
  ['HUF', 'HUF\u00a01,234.50', 'HUF', 1234.5],
  ['JPY', '¥1,235', '¥', 1235],
  ['KRW', 'KRW\u00a01,235', 'KRW', 1235],
  ['XOF', 'XOF\u00a01,235', 'XOF', 1235],
])('%s is written %s', (code, text, symbol, amount) => {
  hold(code);
  expect([formatAmount(amount), formatCents(toCents(amount)), shopCurrency().symbol]).toEqual([
    text,
    text,
    symbol,
  ]);
  expect(readPrice(text)).toBe(amount);
  expect(readPrice(`${writeAmount(amount)} ${code}`)).toBe(amount);
  expect(readPrice(`${code.toLowerCase()} ${writeAmount(amount)}`)).toBe(amount);
  if (code !== 'CAD') expect(readPrice('$5.00')).toBeNaN();
});

describe('in yen', () => {
  test('an amount is a whole number on both sides', () => {
    hold('JPY');
    expect([toCents(1999), toAmount(1999), writeAmount(1999)]).toEqual([1999, 1999, '1999']);
    expect([1, 1999, 0.5, 1999.5].map(hasWholeCents)).toEqual([true, true, false, false]);
    expect(formatAmount(83.333_333_3)).toBe('¥83.333333');
    expect(messages.amountTooLarge).toBe('Amount must be no more than ¥99,999,999');
  });

  test('tax and shares are whole yen', () => {
    hold('JPY');
    expect([countTax(1999, 1000), totalCents(3, 333, 1000)]).toEqual([182, 908]);
    expect(shareOut(100, [1, 1, 1])).toEqual([34, 33, 33]);
  });

  test('thousands need no decimals to be clear', () => {
    hold('JPY');
    expect(['1,234', '1.234', '1234', '1,234,567', '1234.00'].map(readPrice)).toEqual([
      1234, 1234, 1234, 1_234_567, 1234,
    ]);
    expect(readFilePrice('1,234', new Set(['.']))).toBe(1234);
    expect(explainPrice('x')).toBe('“x” is not a price. Write it as 630.');
  });

  test('a price with decimals is refused, and one of millions taken', () => {
    hold('JPY');
    const refuse = (value: unknown) =>
      requiredFields.price.safeParse(value).error?.issues.map(({ message }) => message);
    expect(refuse(1999.5)).toEqual(['Must be a whole number']);
    expect(refuse('12.50')).toBeDefined();
    expect(refuse(10_000_000)).toBeUndefined();
    expect(refuse(10_000_001)).toEqual(['Must be no more than 10,000,000']);
    expect(refundFields.amount.safeParse(0.5).error?.issues[0]?.message).toBe('Must be a whole number');
  });
});

test('a column names the currency of the shop, and no other', () => {
  hold('EUR');
  expect(columnsOf(['Part number', 'Unit price (EUR)']).places).toMatchObject({ number: 0, price: 1 });
  expect(columnsOf(['Part number', 'price eur']).places.price).toBe(1);
  expect(columnsOf(['Part number', 'Unit price (USD)']).places.price).toBe(-1);
});
