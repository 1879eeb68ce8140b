import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { refusals, requiredFields, takes, textsAround } from '../../test/schema.ts';
import {
  acceptPayment,
  canRefund,
  countRefundable,
  orderQuerySchema,
  orderRequestSchema,
  orderSchema,
  phoneField,
  placeOrder,
} from './orders.ts';

const request = {
  email: 'a@b.co',
  address: 'Here 1',
  phone: '233302771204',
  productId: 'x',
  quantity: 50,
  totalPrice: 1,
};
const refuse = (change: object) => refusals(orderRequestSchema, { ...request, ...change });

describe('an order request', () => {
  test.each([12_345, 233302771204, '12345', '1'.repeat(20), '+233 (30) 277-1204', ' 12345 ', '1-1-2'])(
    'takes a number or text of phone characters as phone: %j',
    (phone) => {
      expect(orderRequestSchema.parse({ ...request, phone }).phone).toBe(String(phone).trim());
    },
  );

  test.each([
    '1234',
    1234,
    '1'.repeat(21),
    'call me',
    '12345x',
    'x12345',
    '12.345',
    12345.6,
    1e19,
    '12\n345',
    '-----',
    '()()()',
    '+ 1 (2)',
  ])('refuses the phone %j', (phone) => {
    expect(refuse({ phone })).toEqual({ phone: 'Must be 5 to 20 digits' });
  });

  test.each([
    ['１２３４５', '12345'],
    ['٠١٢٣٤٥', '012345'],
    ['tel:+44-113-243', '+44-113-243'],
    ['\u202a+44 113–243\u202c', '+44 113-243'],
  ])('reads the phone %j as %s', (phone, read) => {
    expect(orderRequestSchema.parse({ ...request, phone }).phone).toBe(read);
  });

  test('takes a reference of at most 60 characters', () => {
    const [, longest, tooLong] = textsAround(60);
    expect(refuse({ reference: longest })).toEqual({});
    expect(refuse({ reference: tooLong })).toEqual({ reference: 'Must be no more than 60 characters' });
  });

  test('requires a phone', () => {
    for (const phone of [undefined, null, '', '   ', [12_345], true]) {
      expect(refuse({ phone })).toEqual({ phone: 'phone is Required' });
    }
  });

  test('describes its phone in the schema', () => {
    expect(z.toJSONSchema(phoneField, { io: 'input', unrepresentable: 'any' })).toMatchObject({
      description: '5 to 20 of digits, space, `+ - ( )`, at least three of them digits',
    });
  });

  test('requires an address of at most 500 characters, with lines', () => {
    const [, longest, tooLong] = textsAround(500);
    expect([refuse({ address: 'x' }), refuse({ address: longest })]).toEqual([{}, {}]);
    expect(refuse({ address: tooLong })).toEqual({ address: 'Must be no more than 500 characters' });
    for (const address of [undefined, '', ' \n ', 7])
      expect(refuse({ address })).toEqual({ address: 'Address is Required' });
    expect(orderRequestSchema.parse({ ...request, address: ' a\nb ' }).address).toBe('a\nb');
  });

  test('requires a whole quantity of any size', () => {
    for (const quantity of [50, 0, -1]) expect(refuse({ quantity })).toEqual({});
    for (const quantity of [50.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(refuse({ quantity })).toEqual({ quantity: 'Quantity must be a whole number' });
    }
    for (const quantity of [undefined, null, '50']) {
      expect(refuse({ quantity })).toEqual({ quantity: 'Quantity is Required' });
    }
  });

  test('requires a total of at least 0', () => {
    for (const totalPrice of [0, 0.001, 1e300]) expect(refuse({ totalPrice })).toEqual({});
    expect(refuse({ totalPrice: -0.01 })).toEqual({ totalPrice: 'Must be at least 0' });
    for (const totalPrice of [undefined, '1', Number.NaN]) {
      expect(refuse({ totalPrice })).toEqual({ totalPrice: 'totalPrice is Required' });
    }
  });

  test('requires a product and an email', () => {
    expect(refuse({ productId: undefined, email: undefined })).toEqual({
      productId: 'productId is Required',
      email: 'Email is Required',
    });
  });

  test('ignores any value of server-side fields', () => {
    const own = { name: 7, productName: [], image: null, status: 'paid' };
    expect(refuse(own)).toEqual({});
    expect(refuse({})).toEqual({});
  });

  test('drops unknown fields', () => {
    expect(orderRequestSchema.parse({ ...request, transactionId: 'pi_1' })).toEqual(request);
  });
});

describe('a refund', () => {
  const paid = { status: 'pending', totalPrice: 10 } as const;
  const give = (amount: number) => ({ amount, state: 'succeeded' }) as const;

  test.each([
    ['paid for', paid, true],
    ['shipped and refunded in part', { ...paid, status: 'paid', refund: give(4) }, true],
    ['a cent short of refunded', { ...paid, refund: give(9.99) }, true],
    ['refunded', { ...paid, refund: give(10) }, false],
    ['disputed', { ...paid, disputed: true }, false],
    ['closed', { ...paid, closed: 'refunded' }, false],
    ['unpaid', { ...paid, status: 'due' }, false],
    // Belongs to a shared payment with more unassigned refunds than this order's total.
    ['as it was', { ...paid, refund: { ...give(25), unassigned: 25 } }, true],
    ['refunded, too', { ...paid, status: 'paid', refund: { ...give(35), unassigned: 25 } }, false],
    [
      'refunded but for a cent',
      { ...paid, status: 'paid', refund: { ...give(34.99), unassigned: 25 } },
      true,
    ],
    [
      'not given back at the provider in the end',
      { ...paid, refund: { ...give(10), unassigned: 10, state: 'failed' } },
      true,
    ],
    [
      'shipped, and not given back at the provider in the end',
      { ...paid, status: 'paid', refund: { ...give(10), unassigned: 10, state: 'failed' } },
      true,
    ],
    [
      'shipped, and whose refund is tried again',
      { ...paid, status: 'paid', refund: { ...give(10), state: 'failed' } },
      false,
    ],
  ] as const)('has money left for an order that is %s, or not', (_name, order, expected) => {
    expect(canRefund(order)).toBe(expected);
  });

  test.each([
    [paid, 10],
    [{ ...paid, refund: give(4) }, 6],
    [{ ...paid, refund: { ...give(25), unassigned: 25 } }, 10],
    // 90.4 - 50.1 is 40.300000000000004.
    [{ ...paid, totalPrice: 40.3, refund: { ...give(90.4), unassigned: 50.1 } }, 0],
    [
      { ...paid, status: 'paid' as const, refund: { amount: 4, unassigned: 4, state: 'failed' as const } },
      10,
    ],
    [{ ...paid, status: 'due' as const }, 0],
  ])('leaves the rest of %j', (order, dollars) => {
    expect(countRefundable(order)).toBe(dollars);
  });
});

describe('an Idempotency-Key', () => {
  const header = placeOrder.headers?.['Idempotency-Key'];

  test.each(['x', '!', '~', 'order-1', 'x'.repeat(255)])('accepts %s', (key) => {
    expect(header?.pattern.test(key)).toBe(true);
  });

  test.each(['', 'two words', 'é', '\u007f', 'x\n', 'x'.repeat(256)])('refuses %j', (key) => {
    expect(header?.pattern.test(key)).toBe(false);
  });

  test('has a message for refusals', () => {
    expect(header?.message).toBe('Must be 1 to 255 printable characters without spaces');
  });
});

describe('the list of orders', () => {
  test('takes paging, customer, status, search and closing as query', () => {
    const query = { limit: '24', after: 'x', email: 'a@b.co', status: 'due', q: 'oled', closed: 'true' };
    expect(orderQuerySchema.parse(query)).toEqual({ ...query, limit: 24 });
    for (const status of ['due', 'pending', 'paid']) expect(takes(orderQuerySchema, { status })).toBe(true);
    for (const closed of ['cancelled', 'expired', 'refunded', 'any']) {
      expect(takes(orderQuerySchema, { closed })).toBe(true);
    }
    expect(orderQuerySchema.parse({})).toEqual({});
  });

  test('refuses malformed parameters', () => {
    expect(refusals(orderQuerySchema, { batch: 'x' })).toEqual({ batch: 'Must be the id of a batch' });
    expect(refusals(orderQuerySchema, { user: 'x' })).toEqual({ user: 'Must be the id of a user' });
    expect(
      refusals(orderQuerySchema, { email: 'nobody', status: 'unpaid', closed: 'false', reference: ' ' }),
    ).toEqual({
      email: 'Valid Email is needed',
      status: 'Must be one of due, pending, paid',
      closed: 'Must be one of cancelled, expired, refunded, true, any',
      reference: 'Must be 1 characters or longer',
    });
  });
});

describe('an order', () => {
  test('has the required fields of the specification', () => {
    const product = ['productId', 'productName', 'image', 'quantity', 'totalPrice'];
    const fields = ['_id', 'name', 'email', 'address', 'phone', 'status', ...product];
    expect(requiredFields(orderSchema)).toEqual(expect.arrayContaining(fields));
  });

  test('has optional fields of the right type', () => {
    const { heldUntil, transactionId, refund, disputed, closed, batch, reference } = orderSchema.shape;
    for (const field of [heldUntil, transactionId, refund, disputed, closed, batch, reference]) {
      expect(refusals(field, undefined)).toEqual({});
      expect(takes(field, 7)).toBe(false);
    }
    expect(takes(refund, { amount: 1.5, state: 'pending' })).toBe(true);
    expect([takes(refund, { amount: 1 }), takes(refund, { state: 'pending' })]).toEqual([false, false]);
    expect(takes(disputed, false)).toBe(false);
  });

  test('accepts a partly refunded payment if the call says so', () => {
    const body = { status: 'paid', despite: 'partly-refunded' };
    expect(acceptPayment.body?.parse(body)).toEqual(body);
    expect(acceptPayment.body && refusals(acceptPayment.body, { ...body, despite: 'disputed' })).toEqual({
      despite: 'Must be partly-refunded',
    });
  });

  test("accepts a payment only with the status 'paid'", () => {
    const { body } = acceptPayment;
    expect(body?.parse({ status: 'paid' })).toEqual({ status: 'paid' });
    for (const status of ['pending', '', undefined, true]) {
      expect(body && refusals(body, { status })).toEqual({ status: 'Must be paid' });
    }
  });
});
