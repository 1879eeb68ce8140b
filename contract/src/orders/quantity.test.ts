import { describe, expect, test } from 'vitest';
import {
  fitQuantity,
  maxOrder,
  nearestSteps,
  quantityRefusals,
  refuseQuantity,
  stepQuantity,
  suggestBreak,
} from './quantity.ts';

describe('the purchase quantity', () => {
  const product = { minimumOrder: 50, quantity: 24_800, price: 64.5, orderStep: 1, priceBreaks: [] };
  const cheap = { ...product, price: 1 };

  test('is refused below the minimum order', () => {
    for (const quantity of [49, 1, 0, -50]) {
      expect(quantityRefusals(quantity, product)).toEqual([
        { code: 'below-minimum', message: 'Please order minimum 50' },
      ]);
    }
  });

  test('is refused above the stock', () => {
    expect(quantityRefusals(24_801, cheap)).toEqual([
      { code: 'above-stock', message: 'maximum order range 24800' },
    ]);
  });

  test('is accepted from the minimum order to the stock', () => {
    for (const quantity of [50, 51, 24_799, 24_800]) expect(quantityRefusals(quantity, cheap)).toEqual([]);
    expect(quantityRefusals(50, { ...product, quantity: 50 })).toEqual([]);
  });

  test('is refused above the limit of card payments', () => {
    expect(refuseQuantity(15_503, product)).toBeNull();
    expect(quantityRefusals(15_504, product)).toEqual([
      { code: 'amount-too-large', message: 'Amount must be no more than $999,999.99' },
    ]);
    const atTheLimit = { ...product, minimumOrder: 1, quantity: 2, price: 999_999.99 };
    expect(refuseQuantity(1, atTheLimit)).toBeNull();
    expect(refuseQuantity(1, { ...atTheLimit, price: 1_000_000 })?.code).toBe('amount-too-large');
  });

  test('is required, and an unreadable one is quoted', () => {
    for (const [quantity, message] of [
      ['', 'Quantity is Required'],
      [' ', 'Quantity is Required'],
      ['50,5', '“50,5” is not a whole number. Write digits only.'],
    ] as const) {
      expect(quantityRefusals(quantity, product)).toEqual([{ code: 'invalid', message }]);
    }
  });

  test('is refused as a fraction with this message alone', () => {
    for (const quantity of [50.5, 0.5, Number.POSITIVE_INFINITY]) {
      expect(quantityRefusals(quantity, product)).toEqual([
        { code: 'invalid', message: 'Quantity must be a whole number' },
      ]);
    }
  });

  test('gives every reason, the first one first', () => {
    const soldOut = { ...product, quantity: 10 };
    expect(quantityRefusals(49, soldOut).map(({ code }) => code)).toEqual(['below-minimum', 'above-stock']);
    expect(refuseQuantity(49, soldOut)?.message).toBe('Please order minimum 50');
    expect(quantityRefusals(24_801, product).map(({ code }) => code)).toEqual([
      'above-stock',
      'amount-too-large',
    ]);
    expect(refuseQuantity(24_801, product)?.message).toBe('maximum order range 24800');
  });
});

describe('order steps and price breaks', () => {
  const product = {
    minimumOrder: 50,
    quantity: 24_800,
    price: 64.5,
    orderStep: 25,
    priceBreaks: [
      { quantity: 500, price: 61.2 },
      { quantity: 5000, price: 57.9 },
    ],
  };

  test("a quantity off the step is refused after the specification's messages", () => {
    expect(quantityRefusals(490, product)).toEqual([
      { code: 'wrong-step', message: 'Please order in steps of 25' },
    ]);
    expect(quantityRefusals(475, product)).toEqual([]);
    expect(quantityRefusals(49, product).map(({ code }) => code)).toEqual(['below-minimum', 'wrong-step']);
    expect(quantityRefusals(421, { ...product, quantity: 420 }).map(({ code }) => code)).toEqual([
      'above-stock',
      'wrong-step',
    ]);
  });

  test('the card limit applies to the price with its break', () => {
    const dear = { ...product, orderStep: 1, price: 1000, priceBreaks: [{ quantity: 1001, price: 900 }] };
    expect(refuseQuantity(1000, dear)?.code).toBe('amount-too-large');
    expect(refuseQuantity(1001, dear)).toBeNull();
  });

  test('maxOrder is the stock rounded down to the step', () => {
    expect(maxOrder(product)).toBe(24_800);
    expect(maxOrder({ ...product, quantity: 420 })).toBe(400);
  });

  test('nearestSteps names the two nearest orderable multiples', () => {
    expect(nearestSteps(490, product)).toEqual([475, 500]);
    expect(nearestSteps(410, { ...product, quantity: 420 })).toEqual([400]);
    expect(nearestSteps(410, { ...product, quantity: 425 })).toEqual([400, 425]);
    expect(nearestSteps(60, { ...product, minimumOrder: 75 })).toEqual([75]);
  });

  test('stepQuantity goes to the next multiple, never below 0', () => {
    expect([475, 490, 499, 500].map((quantity) => stepQuantity(quantity, 1, 25))).toEqual([
      500, 500, 500, 525,
    ]);
    expect([475, 490, 501, 500].map((quantity) => stepQuantity(quantity, -1, 25))).toEqual([
      450, 475, 500, 475,
    ]);
    expect([stepQuantity(10, -1, 25), stepQuantity(0, -1, 1), stepQuantity(7, 1, 1)]).toEqual([0, 0, 8]);
  });

  test('a break is suggested when near or cheaper', () => {
    expect(suggestBreak(475, product)).toEqual({
      quantity: 500,
      priceCents: 6120,
      totalCents: 3_060_000,
      differenceCents: -3750,
    });
    expect(suggestBreak(450, product)?.differenceCents).toBe(157_500);
    expect(suggestBreak(425, product)).toBeNull();
    expect(suggestBreak(500, product)).toBeNull();
    expect(suggestBreak(6000, product)).toBeNull();
  });

  test('a break without a higher total is suggested at any distance', () => {
    const halved = { ...product, price: 100, priceBreaks: [{ quantity: 500, price: 50 }] };
    expect(suggestBreak(275, halved)?.differenceCents).toBe(-250_000);
    expect(suggestBreak(250, halved)?.differenceCents).toBe(0);
    expect(suggestBreak(225, halved)).toBeNull();
  });

  test('a break above stock or card limit is not suggested', () => {
    expect(suggestBreak(475, { ...product, quantity: 499 })).toBeNull();
    expect(
      suggestBreak(475, { ...product, price: 2500, priceBreaks: [{ quantity: 500, price: 2400 }] }),
    ).toBeNull();
  });
});

test.each([
  [120, 125],
  [125, 125],
  [1, 50],
  [990, 975],
])('for %i wanted pieces %i can be ordered', (wanted, pieces) => {
  const product = { minimumOrder: 50, orderStep: 25, quantity: 980, price: 1, priceBreaks: [] };
  expect(fitQuantity(wanted, product)).toBe(pieces);
  expect(fitQuantity(wanted, { ...product, quantity: 49 })).toBe(0);
});
