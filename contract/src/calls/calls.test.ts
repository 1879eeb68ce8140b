import { describe, expect, test } from 'vitest';
import { takes } from '../../test/schema.ts';
import type { Call } from './call.ts';
import { calls } from './calls.ts';
import { policies } from './policies.ts';

type CallName = keyof typeof calls;

const of = (name: CallName): Call => calls[name];
const names = Object.keys(calls) as CallName[];
const namesWith = (member: keyof Call) => names.filter((name) => of(name)[member] !== undefined);

// Typed by hand. Every call stands in docs/reference/calls.md.
test.each<[CallName, address: string]>([
  ['exchangeIdentity', 'PUT /user/:email'],
  ['listUsers', 'GET /user'],
  ['readUser', 'GET /user/:email'],
  ['deleteUser', 'DELETE /user/:email'],
  ['changeRole', 'PUT /user/admin/:email'],
  ['updateProfile', 'PUT /user/update/:email'],
  ['listProducts', 'GET /product'],
  ['readProduct', 'GET /product/:id'],
  ['addProduct', 'POST /product'],
  ['restockProduct', 'PUT /product/:id'],
  ['deleteProduct', 'DELETE /product/:id'],
  ['placeOrder', 'POST /order'],
  ['listOrders', 'GET /order'],
  ['readOrder', 'GET /order/:id'],
  ['cancelOrder', 'DELETE /order/:id'],
  ['acceptPayment', 'PUT /order/accept/:id'],
  ['recordPayment', 'PUT /order/:id'],
  ['addReview', 'POST /review'],
  ['listReviews', 'GET /review'],
  ['openPayment', 'POST /create-payment-intent'],
])('%s is %s, as the specification says (§7)', (name, address) => {
  expect(`${of(name).method} ${of(name).path}`).toBe(address);
});

describe.each(names)('%s', (name) => {
  test('has the policy of its name', () => {
    expect(of(name).policy).toBe(policies[name]);
  });
  test('parses the parameters of its path', () => {
    const parameters = [...of(name).path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter);
    expect(Object.keys(of(name).params?.shape ?? {})).toEqual(parameters);
  });
});

test('the calls have different addresses', () => {
  const addresses = names.map((name) => `${of(name).method} ${of(name).path.replaceAll(/:\w+/g, ':')}`);
  expect(addresses.filter((address, place) => addresses.indexOf(address) !== place)).toEqual([]);
});

test('the calls have a summary, and no empty description', () => {
  expect(names.filter((name) => of(name).summary.trim() === '')).toEqual([]);
  expect(namesWith('description').filter((name) => of(name).description === '')).toEqual([]);
});

test('a call pages its answer if it takes a cursor', () => {
  const withCursor = names.filter((name) => 'after' in (of(name).query?.shape ?? {}));
  // Events are read on by their number.
  expect(withCursor.filter((name) => name !== 'listEvents')).toEqual(namesWith('paged'));
});

test('public reads name their cache tags', () => {
  expect(calls.listProducts.dependsOn?.(undefined, {})).toEqual(['products']);
  expect(calls.readProduct.dependsOn?.({ id: 'x' }, undefined)).toEqual(['product:x']);
});

test('the key of an order has a description, and may be absent', () => {
  const header = calls.placeOrder.headers?.['Idempotency-Key'];
  expect(header?.description.trim()).not.toBe('');
  expect(header?.required).toBeUndefined();
  for (const { headers = {} } of [calls.changeProduct, calls.changeStock])
    expect(Object.values(headers).some(({ required }) => required)).toBe(true);
});

describe('the parameters of a path', () => {
  const withParameter = (parameter: string) =>
    names.filter((name) => parameter in (of(name).params?.shape ?? {}));

  test('accept only ids as id', () => {
    for (const name of withParameter('id'))
      expect(takes(calls[name].params as never, { id: 'x' })).toBe(false);
  });

  test('accept any text as email', () => {
    for (const name of withParameter('email')) {
      expect(takes(calls[name].params as never, { email: 'x' })).toBe(true);
    }
  });
});
