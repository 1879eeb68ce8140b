import { describe, expect, test } from 'vitest';
import { formatCents, toUnitAmount } from './money.ts';
import {
  findPriceJump,
  grossPiece,
  lineCents,
  noteAgreedPrice,
  piecesCents,
  totalCents,
  unitPriceFor,
} from './pricing.ts';

test('totalCents is quantity times unit price, to the cent', () => {
  expect(totalCents(57, 1999)).toBe(113_943);
  expect(totalCents(1, 1)).toBe(1);
  expect(totalCents(10_001, 9999)).toBe(99_999_999);
});

describe('the unit price of a quantity', () => {
  const priced = {
    price: 64.5,
    priceBreaks: [
      { quantity: 500, price: 61.2 },
      { quantity: 5000, price: 57.9 },
    ],
  };

  test("is the part's own below the first break or without breaks", () => {
    expect(unitPriceFor(499, priced)).toBe(6450);
    expect(unitPriceFor(5000, { price: 64.5, priceBreaks: [] })).toBe(6450);
  });

  test('is that of the highest reached break, for the whole order', () => {
    expect(unitPriceFor(500, priced)).toBe(6120);
    expect(unitPriceFor(4999, priced)).toBe(6120);
    expect(unitPriceFor(5000, priced)).toBe(5790);
  });

  test('is the lowest own price that it reaches, or the list’s', () => {
    const ownPrices = [
      { fromQuantity: 500, price: 63 },
      { fromQuantity: 50, price: 62 },
      { fromQuantity: 6000, price: 56.4 },
    ];
    const prices = [49, 50, 499, 500, 5000, 6000].map((each) => unitPriceFor(each, { ...priced, ownPrices }));
    expect(prices).toEqual([6450, 6200, 6200, 6120, 5790, 5640]);
  });
});

test('a price above the list’s or below half is noted', () => {
  const list = { price: 10, priceBreaks: [{ quantity: 100, price: 8 }] };
  const notes = [10.01, 10, 5, 4.99].map((price) => noteAgreedPrice(price, 99, list));
  expect(notes).toEqual(['above', null, null, 'half']);
  expect([9, 4, 3.99].map((price) => noteAgreedPrice(price, 100, list))).toEqual(['above', null, 'half']);
});

describe('a customer without tax', () => {
  test('pays the net of the line, of which the tax is rounded', () => {
    expect(totalCents(10_000, 103, 2000)).toBe(858_333);
    expect(totalCents(3, 1, 2000)).toBe(2);
    expect(totalCents(1, 1, 5000)).toBe(1);
    expect(totalCents(Number.POSITIVE_INFINITY, 1, 5000)).toBe(Number.POSITIVE_INFINITY);
    const priced = { price: 1.2, priceBreaks: [{ quantity: 10, price: 0.6 }], untaxedRate: 2000 };
    expect([lineCents(9, priced), lineCents(10, priced)]).toEqual([900, 500]);
  });

  test('wishes for a price whose tax is added to the cent', () => {
    expect([grossPiece(5000, 2000), grossPiece(5001, 1900), grossPiece(5001)]).toEqual([6000, 5951, 5001]);
  });

  test('sees the price of a piece with a fraction of a cent', () => {
    const unit = unitPriceFor(1, { price: 1.03, priceBreaks: [], untaxedRate: 2000 });
    expect(toUnitAmount(unit)).toBe(0.8583333333);
    expect(formatCents(unit)).toBe('$0.858333');
  });
});

test('Money of pieces in turn is together the money of the line', () => {
  const of = (total: number, turns: number[]) =>
    turns.map((pieces, index) =>
      piecesCents(
        total,
        10,
        turns.slice(0, index).reduce((sum, each) => sum + each, 0),
        pieces,
      ),
    );
  expect(of(833, [3, 3, 4])).toEqual([250, 250, 333]);
  expect(of(19_990, [1, 9])).toEqual([1999, 17_991]);
});

test.each([
  ['10.00', '11.50', null],
  ['10.00', '11.51', 15.1],
  ['11.90', '9.90', -16.8],
  ['0.07', '0.08', null],
  ['9999999.99', '1.00', -100],
  ['', '5.00', null],
  ['0.00', '5.00', null],
])('a price jumps by more than 15 percent: %s to %s', (was, will, percent) => {
  expect(findPriceJump(was, will)).toBe(percent);
});
