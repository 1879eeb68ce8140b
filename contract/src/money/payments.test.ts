import { describe, expect, test } from 'vitest';
import { refusals, takes, textsAround } from '../../test/schema.ts';
import {
  openPayment,
  readOrderPayment,
  receivePaymentEvent,
  recordPayment,
  refundOrder,
  transactionIdField,
} from './payments.ts';

describe("the provider's id of a payment", () => {
  test.each(['pi_123456', 'pi_3OxYz_-9', `pi_${'x'.repeat(120)}`])('accepts %s', (id) => {
    expect(takes(transactionIdField, id)).toBe(true);
  });

  test.each([
    'pi_12345',
    `pi_${'x'.repeat(121)}`,
    'ch_123456',
    'xpi_123456',
    'pi_123 456',
    'pi_123456/refunds',
    'pi_123456\n',
    '',
  ])('refuses %j', (id) => {
    expect(refusals(transactionIdField, id)).toEqual({ '': 'Must be the id of a payment' });
  });

  test('is required', () => {
    for (const id of [undefined, null, 7]) {
      expect(refusals(transactionIdField, id)).toEqual({ '': 'transactionId is Required' });
    }
  });
});

describe('a request to open a payment', () => {
  const refuse = (body: object) => openPayment.body && refusals(openPayment.body, body);

  test('takes a price and an optional order', () => {
    expect(refuse({ price: 1139.43, order: 'x' })).toEqual({});
    expect(refuse({ price: 0 })).toEqual({});
  });

  test('refuses malformed fields', () => {
    expect(refuse({})).toEqual({ price: 'price is Required' });
    expect(refuse({ price: '1', order: 7 })).toEqual({
      price: 'price is Required',
      order: 'Must be the id of an order',
    });
    expect(refuse({ price: -0.01 })).toEqual({ price: 'Must be at least 0' });
  });
});

describe('the orders of a shared payment', () => {
  const refuse = (orders: unknown) => openPayment.body && refusals(openPayment.body, { price: 1, orders });
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);

  test('are 1 to 100 ids', () => {
    for (const count of [1, 2, 100]) expect(refuse(ids(count))).toEqual({});
    for (const orders of [[], ids(101), 'id-0', null]) {
      expect(refuse(orders)).toEqual({ orders: 'Must be 1 to 100 ids of orders, each once' });
    }
    expect(refuse(['id-0', 7])).toEqual({ 'orders.1': 'Must be 1 to 100 ids of orders, each once' });
  });

  test('have no duplicates, in any case of letters', () => {
    for (const orders of [
      ['a', 'a'],
      ['a', 'b', 'A'],
    ]) {
      expect(refuse(orders)).toEqual({ orders: 'Must be 1 to 100 ids of orders, each once' });
    }
  });
});

describe('a request to record a payment', () => {
  const transactionId = 'pi_123456';
  const refuse = (body: object) => recordPayment.body && refusals(recordPayment.body, body);

  test('takes an order, its id, or neither', () => {
    for (const order of ['x', { _id: 'x' }, { _id: 'x', quantity: 1 }, undefined]) {
      expect(refuse({ order, transactionId })).toEqual({});
    }
  });

  test('refuses malformed fields', () => {
    for (const order of [7, {}, { _id: 7 }, null]) {
      expect(refuse({ order, transactionId })).toEqual({ order: 'Must be an order or the id of one' });
    }
    expect(refuse({})).toEqual({ transactionId: 'transactionId is Required' });
  });
});

describe('a request for a refund', () => {
  const refuse = (body: object) => refundOrder.body && refusals(refundOrder.body, body);

  test('takes returnStock and a reason of at most 200 characters', () => {
    const [, longest, tooLong] = textsAround(200);
    for (const returnStock of [true, false]) expect(refuse({ returnStock })).toEqual({});
    expect(refuse({ returnStock: true, reason: longest })).toEqual({});
    expect(refuse({ returnStock: true, reason: tooLong })).toEqual({
      reason: 'Must be no more than 200 characters',
    });
  });

  test('requires returnStock', () => {
    for (const returnStock of [undefined, 'true', 1]) {
      expect(refuse({ returnStock })).toEqual({ returnStock: 'returnStock is Required' });
    }
  });
});

test("an order's payment shows brand and last digits of the card", () => {
  const { card } = readOrderPayment.answer.shape;
  for (const whole of [undefined, { kind: 'visa', last4: '4242' }]) expect(takes(card, whole)).toBe(true);
  for (const part of [{ kind: 'visa' }, { last4: '4242' }]) expect(takes(card, part)).toBe(false);
});

test("an event keeps the provider's fields", () => {
  expect(receivePaymentEvent.body?.parse({ id: 'evt_1', type: 'x' })).toEqual({ id: 'evt_1', type: 'x' });
});
