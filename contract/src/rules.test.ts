import { describe, expect, test } from 'vitest';
import { firstWord } from './display-name.ts';
import { loginSchema, registerSchema } from './identity.ts';
import { imageVariant } from './image-variant.ts';
import { formatAmount, formatCents, formatPieces, hasWholeCents, toAmount, toCents } from './money.ts';
import { canMove, ORDER_STATUSES, orderMoves, statusLabel } from './order-states.ts';
import { orderRequestSchema, refuseQuantity } from './orders.ts';
import { cardDescription, isAvailable } from './part-rules.ts';
import { totalCents } from './pricing.ts';
import { problemCode, problems, problemType } from './problems.ts';
import { newProductSchema, productQuerySchema } from './products.ts';
import { newReviewSchema, RATINGS } from './reviews.ts';
import { cleanText, sameEmail } from './text.ts';
import { profileSchema } from './users.ts';

interface Schema {
  safeParse(value: unknown): {
    success: boolean;
    error?: { issues: { path: PropertyKey[]; message: string }[] };
  };
}
/** The messages of a refused value, by field. */
function listMessages(schema: Schema, value: unknown): Record<string, string> {
  const { error } = schema.safeParse(value);
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
}

describe('money is an integer number of cents inside', () => {
  test("a browser's 57 × 19.99 is rounded to its cents", () => {
    expect(57 * 19.99).not.toBe(1139.43);
    expect(toCents(57 * 19.99)).toBe(113_943);
    expect(totalCents(57, 1999)).toBe(113_943);
  });

  test('every price of whole cents up to the highest survives the way out and back', () => {
    for (let cents = 100; cents <= 10_000_000; cents += 37) expect(toCents(toAmount(cents))).toBe(cents);
  });

  test('a price has at most two decimals', () => {
    expect([1, 19.99, 0.07, 99_999.99].every(hasWholeCents)).toBe(true);
    expect([1.005, 19.999, Number.NaN, Number.POSITIVE_INFINITY].some(hasWholeCents)).toBe(false);
  });

  test('prices and quantities read as on a data sheet', () => {
    expect(formatCents(774_000)).toBe('$7,740.00');
    expect(formatAmount(64.5)).toBe('$64.50');
    expect(formatPieces(24_800)).toBe('24,800');
  });
});

describe('the purchase quantity', () => {
  const product = { minimumOrder: 50, quantity: 24_800, price: 64.5 };

  test('below the minimum order reads Please order minimum {minimumOrder}', () => {
    expect(refuseQuantity(49, product)?.message).toBe('Please order minimum 50');
    expect(refuseQuantity(0, product)?.message).toBe('Please order minimum 50');
  });
  test('above the stock reads maximum order range {quantity}', () => {
    expect(refuseQuantity(15_504, { ...product, price: 1 })).toBeNull();
    expect(refuseQuantity(24_801, product)?.message).toBe('maximum order range 24800');
  });
  test('from the minimum order to the stock is right', () => {
    expect(refuseQuantity(50, product)).toBeNull();
    expect(refuseQuantity(24_800, { ...product, price: 1 })).toBeNull();
  });
  test('may not cost more than a card payment can', () => {
    expect(refuseQuantity(15_503, product)).toBeNull();
    expect(refuseQuantity(15_504, product)?.message).toBe('Amount must be no more than $999,999.99');
  });
  test('that is empty reads Quantity is Required', () => {
    expect(refuseQuantity(null, product)?.message).toBe('Quantity is Required');
    expect(refuseQuantity(Number.NaN, product)?.message).toBe('Quantity is Required');
  });
  test('that is not whole says so', () => {
    expect(refuseQuantity(50.5, product)?.message).toBe('Quantity must be a whole number');
  });
});

describe('the status of an order', () => {
  test('goes from due to pending to paid and never back', () => {
    const moves = Object.values(orderMoves).map(({ from, to }) => [from, to]);
    expect(moves).toEqual([
      ['due', 'pending'],
      ['pending', 'paid'],
      ['due', null],
    ]);
  });
  test('a due order can be cancelled; pending and paid orders cannot', () => {
    expect(ORDER_STATUSES.map((status) => canMove(status, 'cancel'))).toEqual([true, false, false]);
  });
  test('only a pending order can be accepted', () => {
    expect(ORDER_STATUSES.map((status) => canMove(status, 'accept'))).toEqual([false, true, false]);
  });
  test('due is displayed as unpaid', () => {
    expect([statusLabel('due'), statusLabel('pending'), statusLabel('paid')]).toEqual([
      'unpaid',
      'pending',
      'paid',
    ]);
  });
});

describe('sign-in and sign-up', () => {
  test('say what is missing in the words of the specification', () => {
    expect(listMessages(registerSchema, { name: '', email: '', password: '' })).toEqual({
      name: 'Name is Required',
      email: 'Email is Required',
      password: 'Password is Required',
    });
    expect(listMessages(loginSchema, {})).toEqual({
      email: 'Email is Required',
      password: 'Password is Required',
    });
  });
  test('want an email-shaped email and a password of 6 characters', () => {
    expect(listMessages(loginSchema, { email: 'amara', password: '12345' })).toEqual({
      email: 'Valid Email is needed',
      password: 'Must be 6 characters or longer',
    });
    expect(listMessages(loginSchema, { email: 'a@b.co', password: '123456' })).toEqual({});
  });
});

describe('adding a product', () => {
  const product = {
    name: 'Mainboard',
    description: 'Populated.',
    price: 142,
    quantity: 1000,
    minimumOrder: 50,
    image: '/images/x',
  };

  test('asks for every field in the words of the specification', () => {
    expect(listMessages(newProductSchema, {})).toEqual({
      name: 'Name is Required',
      description: 'Description is Required',
      price: 'Price is Required',
      quantity: 'quantity is Required',
      minimumOrder: 'minimumOrder is Required',
      image: 'Image is Required',
    });
  });
  test('price is at least 1, quantity at least 1000, minimumOrder at least 50', () => {
    expect(newProductSchema.safeParse({ ...product, price: 1 }).success).toBe(true);
    expect(
      listMessages(newProductSchema, { ...product, price: 0.99, quantity: 999, minimumOrder: 49 }),
    ).toEqual({
      price: 'Must be at least 1',
      quantity: 'Must be at least 1000',
      minimumOrder: 'Must be at least 50',
    });
  });
  test('minimumOrder is not above the quantity', () => {
    expect(Object.keys(listMessages(newProductSchema, { ...product, minimumOrder: 1001 }))).toEqual([
      'minimumOrder',
    ]);
  });
  test('wrong types are refused and never converted', () => {
    expect(
      Object.keys(listMessages(newProductSchema, { ...product, price: '142', quantity: '1000' })),
    ).toEqual(['price', 'quantity']);
  });
});

describe('a product card', () => {
  test('cuts the description to 90 characters followed by an ellipsis', () => {
    expect(cardDescription('x'.repeat(90))).toBe('x'.repeat(90));
    expect(cardDescription('x'.repeat(91))).toBe(`${'x'.repeat(90)}…`);
    expect(cardDescription('💠'.repeat(91))).toBe(`${'💠'.repeat(90)}…`);
  });
  test('is out of stock below the minimum order', () => {
    expect(isAvailable({ quantity: 50, minimumOrder: 50 })).toBe(true);
    expect(isAvailable({ quantity: 49, minimumOrder: 50 })).toBe(false);
  });
});

describe('reviews', () => {
  test('are rated from 1.0 to 5.0 in steps of 0.5', () => {
    expect(RATINGS).toEqual([1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]);
    const review = { email: 'a@b.co', description: 'Good.' };
    for (const rating of RATINGS) expect(newReviewSchema.safeParse({ ...review, rating }).success).toBe(true);
    for (const rating of [0, 0.5, 1.25, 5.5, '5', null, Number.NaN]) {
      expect(newReviewSchema.safeParse({ ...review, rating }).success).toBe(false);
    }
  });
});

describe('text', () => {
  test('is trimmed, normalised to NFC and without control characters', () => {
    expect(cleanText('  Toma\u0301s\u0000\u0007 Herrera ', false)).toBe('Tomás Herrera');
    expect(cleanText('a\r\nb', true)).toBe('a\nb');
    expect(cleanText('a\r\nb', false)).toBe('a b');
  });
  test('a broken surrogate does not get through', () => {
    expect(cleanText('x\ud800', false)).toBe('x\ufffd');
  });
  test('emails are compared without regard to case', () => {
    expect(sameEmail('Amara@FieldRepair.example', 'amara@fieldrepair.example')).toBe(true);
  });
  test('what is only white space or control characters is missing', () => {
    expect(listMessages(registerSchema, { name: ' \u0000 ', email: 'a@b.co', password: '123456' })).toEqual({
      name: 'Name is Required',
    });
  });
});

describe('an order request', () => {
  const request = {
    email: 'a@b.co',
    address: 'Here 1',
    phone: '233302771204',
    productId: 'x',
    quantity: 50,
    totalPrice: 1,
  };
  test('takes the phone as number or text of 5 to 20 digits, space, + - ( )', () => {
    for (const phone of [12_345, '+233 (30) 277-1204']) {
      expect(orderRequestSchema.safeParse({ ...request, phone }).success).toBe(true);
    }
    for (const phone of ['1234', '1'.repeat(21), 'call me', '', null, [12_345]]) {
      expect(orderRequestSchema.safeParse({ ...request, phone }).success).toBe(false);
    }
  });
  test('needs address, phone and quantity', () => {
    const { address, phone, quantity, ...rest } = request;
    expect(Object.keys(listMessages(orderRequestSchema, rest)).sort()).toEqual([
      'address',
      'phone',
      'quantity',
    ]);
  });
});

describe('profiles', () => {
  test('take an http(s) link or nothing for LinkedIn', () => {
    for (const linkdin of ['', 'https://www.linkedin.com/in/amara', 'http://x.example']) {
      expect(profileSchema.safeParse({ linkdin }).success).toBe(true);
    }
    for (const linkdin of ['javascript:alert(1)', 'linkedin.com/in/amara', 'https://', 'https://a b']) {
      expect(profileSchema.safeParse({ linkdin }).success).toBe(false);
    }
  });
  test("the navbar shows the first word of the display name, or 'user'", () => {
    expect([firstWord('Amara Okafor'), firstWord('  '), firstWord(null)]).toEqual(['Amara', 'user', 'user']);
  });
});

test('a query string is taken by the letter', () => {
  expect(productQuerySchema.safeParse({ limit: '3' }).data?.limit).toBe(3);
  for (const limit of ['0', '101', '-1', '1e2', '3.0', ' 3', '', ['3', '4']]) {
    expect(productQuerySchema.safeParse({ limit }).success, String(limit)).toBe(false);
  }
});

test('pictures of the embedded host come in other widths and formats', () => {
  const image = `/images/${'a'.repeat(64)}-1280.webp`;
  expect(imageVariant(image, 320, 'avif')).toBe(`/images/${'a'.repeat(64)}-320.avif`);
  expect(imageVariant('https://elsewhere.example/x.webp', 320, 'avif')).toBeNull();
});

test('every refusal has its code in its type', () => {
  for (const code of Object.keys(problems)) expect(problemCode(problemType(code as 'internal'))).toBe(code);
  expect(problemCode('about:blank')).toBeNull();
});
