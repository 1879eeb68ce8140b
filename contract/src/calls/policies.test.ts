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

// Typed by hand from specification §6 and the contract. Calls without an owner have the same in both columns.
describe('the policies of calls (specification §6)', () => {
  const rules: [CallName, visitor: string, user: [own: string, anothers: string], admin: [string, string]][] =
    [
      ['readConfig', 'ok', ['ok', 'ok'], ['ok', 'ok']],
      ['listProducts', 'ok', ['ok', 'ok'], ['ok', 'ok']],
      ['readProductFacets', 'ok', ['ok', 'ok'], ['ok', 'ok']],
      ['readProduct', 'ok', ['ok', 'ok'], ['ok', 'ok']],
      ['watchProducts', 'ok', ['ok', 'ok'], ['ok', 'ok']],
      ['readPriceList', 'ok', ['ok', 'ok'], ['ok', 'ok']],
      ['listReviews', 'ok', ['ok', 'ok'], ['ok', 'ok']],
      ['stopWishes', 'ok', ['ok', 'ok'], ['ok', 'ok']],

      // Customers: profile, own orders, pay, cancel, reviews, place orders.
      ['placeOrder', signIn, ['ok', notYours], [customer, customer]],
      ['placeBatch', signIn, ['ok', notYours], [customer, customer]],
      ['readBatch', signIn, ['ok', 'ok'], [customer, customer]],
      ['writeBatchLine', signIn, ['ok', 'ok'], [customer, customer]],
      ['removeBatchLine', signIn, ['ok', 'ok'], [customer, customer]],
      ['clearBatch', signIn, ['ok', 'ok'], [customer, customer]],
      ['addBatchLines', signIn, ['ok', 'ok'], [customer, customer]],
      ['joinBatch', signIn, ['ok', 'ok'], [customer, customer]],
      ['readWish', signIn, ['ok', 'ok'], [customer, customer]],
      ['addWish', signIn, ['ok', 'ok'], [customer, customer]],
      ['removeWish', signIn, ['ok', 'ok'], [customer, customer]],
      ['addReview', signIn, ['ok', notYours], [customer, customer]],
      ['listOrders', signIn, ['ok', notYours], ['ok', 'ok']],
      ['countOrders', signIn, ['ok', notYours], ['ok', 'ok']],
      ['readOrder', signIn, ['ok', notFound], ['ok', 'ok']],
      ['cancelOrder', signIn, ['ok', notFound], ['ok', 'ok']],
      ['readOrderTrail', signIn, ['ok', notFound], ['ok', 'ok']],
      ['createDownload', signIn, ['ok', notFound], ['ok', 'ok']],
      ['openPayment', signIn, ['ok', notFound], ['ok', notFound]],
      ['recordPayment', signIn, ['ok', notFound], ['ok', notFound]],
      ['readUser', signIn, ['ok', notYours], ['ok', 'ok']],
      ['updateProfile', signIn, ['ok', notYours], ['ok', notYours]],
      ['sendVerificationMail', signIn, ['ok', notYours], ['ok', notYours]],
      ['confirmEmail', signIn, ['ok', notYours], ['ok', notYours]],
      ['restockProduct', signIn, ['ok', notYours], ['ok', 'ok']],
      ['logout', signIn, ['ok', 'ok'], ['ok', 'ok']],
      ['readUserData', signIn, ['ok', notYours], ['ok', notYours]],
      ['createKey', signIn, ['ok', 'ok'], ['ok', 'ok']],
      ['listKeys', signIn, ['ok', 'ok'], ['ok', 'ok']],
      ['deleteKey', signIn, ['ok', notFound], ['ok', notFound]],
      // That an administrator is never deleted is a conflict of state.
      ['deleteUser', signIn, ['ok', notYours], ['ok', 'ok']],

      ['acceptPayment', signIn, [admin, admin], ['ok', 'ok']],
      ['correctAddress', signIn, [admin, admin], ['ok', 'ok']],
      ['actOnOrders', signIn, [admin, admin], ['ok', 'ok']],
      ['countWishes', signIn, [admin, admin], ['ok', 'ok']],
      ['addShipment', signIn, [admin, admin], ['ok', 'ok']],
      ['addShipments', signIn, [admin, admin], ['ok', 'ok']],
      ['readParcelFile', signIn, [admin, admin], ['ok', 'ok']],
      ['removeShipment', signIn, [admin, admin], ['ok', 'ok']],
      ['refundOrder', signIn, [admin, admin], ['ok', 'ok']],
      ['readOrderPayment', signIn, [admin, admin], ['ok', 'ok']],
      ['listUsers', signIn, [admin, admin], ['ok', 'ok']],
      ['changeRole', signIn, [admin, admin], ['ok', 'ok']],
      ['changeTax', signIn, [admin, admin], ['ok', 'ok']],
      ['createResetLink', signIn, [admin, admin], ['ok', 'ok']],
      ['addProduct', signIn, [admin, admin], ['ok', 'ok']],
      ['changeProduct', signIn, [admin, admin], ['ok', 'ok']],
      ['changeStock', signIn, [admin, admin], ['ok', 'ok']],
      ['deleteProduct', signIn, [admin, admin], ['ok', 'ok']],
      ['importProducts', signIn, [admin, admin], ['ok', 'ok']],
      ['readImport', signIn, [admin, admin], ['ok', 'ok']],
      ['listImports', signIn, [admin, admin], ['ok', 'ok']],
      ['applyImport', signIn, [admin, admin], ['ok', 'ok']],
      ['openUpload', signIn, [admin, admin], ['ok', 'ok']],
      ['listEvents', signIn, [admin, admin], ['ok', 'ok']],
      ['createWebhook', signIn, [admin, admin], ['ok', 'ok']],
      ['listWebhooks', signIn, [admin, admin], ['ok', 'ok']],
      ['changeWebhook', signIn, [admin, admin], ['ok', 'ok']],
      ['deleteWebhook', signIn, [admin, admin], ['ok', 'ok']],
      ['sendDelivery', signIn, [admin, admin], ['ok', 'ok']],
      ['listActivity', signIn, [admin, admin], ['ok', 'ok']],
      ['readStockLedger', signIn, [admin, admin], ['ok', 'ok']],
      ['readUserSummary', signIn, [admin, admin], ['ok', 'ok']],
      ['deleteReview', signIn, [admin, admin], ['ok', 'ok']],
      ['readOverview', signIn, [admin, admin], ['ok', 'ok']],
      ['readMonth', signIn, [admin, admin], ['ok', 'ok']],
      ['readProof', signIn, [admin, admin], ['ok', 'ok']],
      ['listMail', signIn, [admin, admin], ['ok', 'ok']],
      ['readMail', signIn, [admin, admin], ['ok', 'ok']],

      // Callers with proofs other than an access token.
      ['exchangeIdentity', 'ok', ['ok', notYours], ['ok', notYours]],
      ['receivePaymentEvent', 'ok', ['ok', 'ok'], ['ok', 'ok']],
      ['uploadImage', 'ok', ['ok', 'ok'], ['ok', 'ok']],
    ];

  test('cover every call', () => {
    expect(rules.map(([name]) => name).sort()).toEqual(Object.keys(policies).sort());
  });

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

  test('an owner is identified by email, order, ordered product or key', () => {
    const keys = Object.values(policies).map(({ by }: Policy) => by);
    expect(new Set(keys)).toEqual(new Set([undefined, 'email', 'order', 'ordered-product', 'key']));
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
  const callers = Object.entries(policies).map(([name, { who }]) => [name, who]);
  expect(callers.filter(([, who]) => !['signed-in', 'user', 'admin'].includes(who ?? ''))).toEqual([
    ['readConfig', 'everyone'],
    ['listProducts', 'everyone'],
    ['readProductFacets', 'everyone'],
    ['readProduct', 'everyone'],
    ['watchProducts', 'everyone'],
    ['readPriceList', 'everyone'],
    ['stopWishes', 'everyone'],
    ['receivePaymentEvent', 'payment-provider'],
    ['listReviews', 'everyone'],
    ['exchangeIdentity', 'identity'],
    ['uploadImage', 'upload-key'],
  ]);
});

test('keys make only these calls, by scope', () => {
  const scopes = Object.entries(policies).map(([name, policy]: [string, Policy]) => [name, policy.scopes]);
  expect(Object.fromEntries(scopes.filter(([, of]) => of !== undefined))).toEqual({
    addProduct: ['catalogue:write'],
    changeProduct: ['catalogue:write'],
    importProducts: ['catalogue:write'],
    readImport: ['catalogue:write'],
    listImports: ['catalogue:write'],
    applyImport: ['catalogue:write'],
    openUpload: ['catalogue:write'],
    changeStock: ['stock:write'],
    readStockLedger: ['stock:write'],
    listOrders: ['orders:read'],
    countOrders: ['orders:read'],
    readOrder: ['orders:read'],
    readOrderTrail: ['orders:read'],
    createDownload: ['orders:read', 'stock:write', 'catalogue:write'],
    placeOrder: ['orders:place'],
    placeBatch: ['orders:place'],
    readBatch: ['orders:place'],
    writeBatchLine: ['orders:place'],
    removeBatchLine: ['orders:place'],
    clearBatch: ['orders:place'],
    addBatchLines: ['orders:place'],
    joinBatch: ['orders:place'],
    acceptPayment: ['orders:accept'],
    actOnOrders: ['orders:accept'],
    addShipment: ['orders:ship'],
    addShipments: ['orders:ship'],
    listEvents: ['events:read'],
  });
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
