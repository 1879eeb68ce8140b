import { describe, expect, test } from 'vitest';
import type { Policy, Role } from './policies.ts';
import {
  canBeManaged,
  needsAccessToken,
  policies,
  ROLES,
  refuseByOwner,
  refuseByRole,
  scopesOf,
} from './policies.ts';

type CallName = keyof typeof policies;

/** `ok`, or the code of the refusal. */
function decide(policy: Policy, role: Role | null, isOwner: boolean, namesOwner: boolean): string {
  return (
    refuseByRole(policy, role, namesOwner) ??
    (role === null ? null : refuseByOwner(policy, role, isOwner)) ??
    'ok'
  );
}

const [signIn, admin, customer] = ['sign-in-needed', 'admin-needed', 'customers-only'];
const [notYours, notFound] = ['not-yours', 'not-found'];

// Typed by hand. Calls without an owner have the same in both columns. docs/reference/calls.md has every call's.
describe('the policies of calls (specification §6)', () => {
  const rules: [CallName, visitor: string, user: [own: string, anothers: string], admin: [string, string]][] =
    [
      ['listProducts', 'ok', ['ok', 'ok'], ['ok', 'ok']],
      ['readProduct', 'ok', ['ok', 'ok'], ['ok', 'ok']],
      ['listReviews', 'ok', ['ok', 'ok'], ['ok', 'ok']],

      // Customers: profile, own orders, pay, cancel, reviews, place orders.
      ['readUser', signIn, ['ok', notYours], ['ok', 'ok']],
      ['updateProfile', signIn, ['ok', notYours], ['ok', notYours]],
      ['listOrders', signIn, ['ok', notYours], ['ok', 'ok']],
      ['readOrder', signIn, ['ok', notFound], ['ok', 'ok']],
      ['openPayment', signIn, ['ok', notFound], ['ok', notFound]],
      ['recordPayment', signIn, ['ok', notFound], ['ok', notFound]],
      ['cancelOrder', signIn, ['ok', notFound], ['ok', 'ok']],
      ['restockProduct', signIn, ['ok', notYours], ['ok', 'ok']],
      ['addReview', signIn, ['ok', notYours], [customer, customer]],
      ['placeOrder', signIn, ['ok', notYours], [customer, customer]],

      // Administrators: manage orders, users and products.
      ['acceptPayment', signIn, [admin, admin], ['ok', 'ok']],
      ['listUsers', signIn, [admin, admin], ['ok', 'ok']],
      ['changeRole', signIn, [admin, admin], ['ok', 'ok']],
      // That an administrator is never deleted is a conflict of state.
      ['deleteUser', signIn, ['ok', notYours], ['ok', 'ok']],
      ['addProduct', signIn, [admin, admin], ['ok', 'ok']],
      ['deleteProduct', signIn, [admin, admin], ['ok', 'ok']],

      // Callers with proofs other than an access token.
      ['exchangeIdentity', 'ok', ['ok', notYours], ['ok', notYours]],
      ['receivePaymentEvent', 'ok', ['ok', 'ok'], ['ok', 'ok']],
      ['uploadImage', 'ok', ['ok', 'ok'], ['ok', 'ok']],
    ];

  describe.each(rules)('%s', (name, ofVisitor, ofUser, ofAdmin) => {
    const policy: Policy = policies[name];
    const rows = [
      ['a visitor', null, true, ofVisitor],
      ['a visitor, about somebody', null, false, ofVisitor],
      ['a user, about their own', 'user', true, ofUser[0]],
      ["a user, about another's", 'user', false, ofUser[1]],
      ['an administrator, about their own', 'admin', true, ofAdmin[0]],
      ["an administrator, about another's", 'admin', false, ofAdmin[1]],
    ] as const;
    test.each(rows)('%s', (_who, role, isOwner, expected) => {
      expect(decide(policy, role, isOwner, true)).toBe(expected);
    });
  });

  test("listing everybody's orders is for administrators only", () => {
    expect(refuseByRole(policies.listOrders, null, false)).toBe('sign-in-needed');
    expect(refuseByRole(policies.listOrders, 'user', false)).toBe('admin-needed');
    expect(refuseByRole(policies.listOrders, 'admin', false)).toBeNull();
  });

  test('lists and counts of orders alone may leave out the owner', () => {
    const others = Object.entries(policies).filter(
      ([name]) => name !== 'listOrders' && name !== 'countOrders',
    );
    for (const [name, policy] of others) {
      for (const role of [null, ...ROLES]) {
        expect(refuseByRole(policy, role, false), `${name}, ${role}`).toBe(refuseByRole(policy, role, true));
      }
    }
  });

  test('a call names its owner by default', () => {
    expect(refuseByRole(policies.listOrders, 'user')).toBeNull();
  });

  test('an owner is identified by email, order, ordered product, key or quote', () => {
    const keys = Object.values(policies).map(({ by }: Policy) => by);
    expect(new Set(keys)).toEqual(new Set([undefined, 'email', 'order', 'ordered-product', 'key', 'quote']));
  });

  test('an owner is identified by email by default', () => {
    expect(refuseByOwner({ who: 'signed-in', whose: 'own' }, 'user', false)).toBe('not-yours');
  });

  test('things without an owner are open to everybody', () => {
    expect(refuseByOwner({ who: 'signed-in' }, 'user', false)).toBeNull();
  });
});

describe('an administrator without the required second factor', () => {
  const missing = 'second-factor-required';
  const asAdmin = (name: CallName, namesOwner = true) =>
    refuseByRole(policies[name], 'admin', namesOwner, true);

  test('is refused the calls of administrators', () => {
    const forAdmins = Object.entries(policies).filter(([, { who }]: [string, Policy]) => who === 'admin');
    expect(forAdmins.length).toBeGreaterThan(5);
    for (const [name, policy] of forAdmins)
      expect(refuseByRole(policy, 'admin', true, true), name).toBe(missing);
    expect([asAdmin('listOrders', false), asAdmin('listOrders')]).toEqual([missing, null]);
  });

  test("is refused others' things but not their own", () => {
    for (const name of ['readUser', 'readOrder', 'cancelOrder', 'createDownload'] as const) {
      expect(asAdmin(name)).toBeNull();
      expect(refuseByOwner(policies[name], 'admin', false, true), name).toBe(missing);
      expect(refuseByOwner(policies[name], 'admin', true, true), name).toBeNull();
    }
    expect(asAdmin('logout')).toBeNull();
  });

  test('is refused calls that administrators make for nobody but the shop', () => {
    for (const name of ['deleteUser', 'restockProduct', 'createKey', 'listKeys', 'deleteKey'] as const)
      expect(asAdmin(name), name).toBe(missing);
    expect(refuseByRole(policies.createKey, 'user', true, false)).toBeNull();
  });

  test('learns of the role before the second factor', () => {
    expect(refuseByRole(policies.listUsers, 'user', true, true)).toBe('admin-needed');
    expect(refuseByOwner(policies.readUser, 'user', false, true)).toBe('not-yours');
    expect(refuseByOwner(policies.updateProfile, 'admin', false, true)).toBe('not-yours');
  });
});

test('only these callers use other proofs than an access token', () => {
  const ofCaller = (who: string) =>
    Object.entries(policies)
      .filter(([, policy]) => policy.who === who)
      .map(([name]) => name);
  expect(['identity', 'payment-provider', 'upload-key'].map(ofCaller)).toEqual([
    ['exchangeIdentity'],
    ['receivePaymentEvent'],
    ['uploadImage'],
  ]);
});

test('no key makes a call of money, people or other keys', () => {
  const never = [
    'refundOrder',
    'cancelOrder',
    'openPayment',
    'recordPayment',
    'deleteUser',
    'changeRole',
    'createKey',
    'createWebhook',
  ] as const;
  for (const name of never) expect((policies[name] as Policy).scopes, name).toBeUndefined();
});

test('customers give the scopes of their own orders and batch', () => {
  expect(scopesOf('user')).toEqual(['orders:read', 'orders:place']);
  expect(scopesOf('admin')).toEqual([
    'catalogue:write',
    'stock:write',
    'orders:read',
    'orders:accept',
    'orders:ship',
    'events:read',
  ]);
});

test('the owner is the caller, or also an administrator', () => {
  const owners = Object.values(policies).map(({ whose }: Policy) => whose);
  expect(new Set(owners)).toEqual(new Set([undefined, 'own', 'own-or-admin']));
});

test.each([
  ['everyone', false],
  ['identity', false],
  ['payment-provider', false],
  ['upload-key', false],
  ['signed-in', true],
  ['user', true],
  ['admin', true],
] as const)('a call of %s needs an access token: %s', (who, isNeeded) => {
  expect(needsAccessToken(who)).toBe(isNeeded);
});

test('the roles are user and admin', () => {
  expect(ROLES).toEqual(['user', 'admin']);
});

test('users can be promoted and removed, administrators cannot', () => {
  expect([canBeManaged('user'), canBeManaged('admin')]).toEqual([true, false]);
});
