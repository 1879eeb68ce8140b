import { describe, expect, test } from 'vitest';
import type { Call } from './call.ts';
import { calls } from './calls.ts';
import { policies } from './policies.ts';

type CallName = keyof typeof calls;

const of = (name: CallName): Call => calls[name];
const provider = ['payment-refused', 'unavailable', 'provider-broken'];

// Typed by hand from specification §7 and the contract. Refusals exclude those that every call can give
// (not signed in, no JSON, invalid field …).
describe.each<[CallName, method: string, path: string, tag: string, refusals: string[]]>([
  ['readConfig', 'GET', '/config', 'Shop', []],

  ['listProducts', 'GET', '/product', 'Products', []],
  ['readProductFacets', 'GET', '/product/facets', 'Products', []],
  ['readProduct', 'GET', '/product/:id', 'Products', ['not-found']],
  ['watchProducts', 'GET', '/live', 'Products', []],
  ['readPriceList', 'GET', '/price-list.json', 'Products', []],
  ['addProduct', 'POST', '/product', 'Products', ['number-taken']],
  ['restockProduct', 'PUT', '/product/:id', 'Products', ['not-found', 'not-yours']],
  ['changeProduct', 'PATCH', '/product/:id', 'Products', ['not-found', 'version-changed', 'number-taken']],
  [
    'changeStock',
    'POST',
    '/product/:id/stock',
    'Products',
    ['not-found', 'above-stock', 'stock-changed', 'stock-limit', 'key-reused'],
  ],
  ['importProducts', 'POST', '/product/import', 'Products', ['too-large', 'wrong-kind', 'invalid']],
  ['readImport', 'GET', '/product/import/:id', 'Products', ['not-found']],
  ['listImports', 'GET', '/product/import', 'Products', []],
  ['applyImport', 'POST', '/product/import/:id/apply', 'Products', ['not-found', 'not-for-keys']],
  ['deleteProduct', 'DELETE', '/product/:id', 'Products', ['not-found']],
  ['readWish', 'GET', '/product/:id/wish', 'Products', []],
  [
    'addWish',
    'POST',
    '/product/:id/wish',
    'Products',
    ['not-found', 'email-not-verified', 'can-be-ordered', 'too-many-wishes'],
  ],
  ['removeWish', 'DELETE', '/product/:id/wish', 'Products', []],
  ['countWishes', 'GET', '/wish', 'Products', []],
  ['stopWishes', 'POST', '/wish/stop', 'Products', ['dead-link']],

  [
    'placeOrder',
    'POST',
    '/order',
    'Orders',
    [
      'not-yours',
      'email-not-verified',
      'not-found',
      'price-changed',
      'below-minimum',
      'wrong-step',
      'above-stock',
      'amount-too-large',
      'too-many-unpaid',
      'key-reused',
    ],
  ],
  [
    'placeBatch',
    'POST',
    '/order/batch',
    'Orders',
    [
      'not-yours',
      'email-not-verified',
      'not-found',
      'price-changed',
      'below-minimum',
      'wrong-step',
      'above-stock',
      'amount-too-large',
      'too-many-unpaid',
      'key-reused',
    ],
  ],
  ['readBatch', 'GET', '/batch', 'Orders', []],
  ['writeBatchLine', 'PUT', '/batch/:productId', 'Orders', ['not-found', 'batch-full']],
  ['removeBatchLine', 'DELETE', '/batch/:productId', 'Orders', []],
  ['clearBatch', 'DELETE', '/batch', 'Orders', []],
  ['addBatchLines', 'POST', '/batch/lines', 'Orders', []],
  ['joinBatch', 'POST', '/batch/join', 'Orders', []],
  ['listOrders', 'GET', '/order', 'Orders', ['admin-needed', 'not-yours']],
  ['countOrders', 'GET', '/order/counts', 'Orders', ['admin-needed', 'not-yours']],
  ['readOrder', 'GET', '/order/:id', 'Orders', ['not-found']],
  [
    'cancelOrder',
    'DELETE',
    '/order/:id',
    'Orders',
    ['not-found', 'not-due', 'payment-processing', 'already-paid', ...provider],
  ],
  [
    'acceptPayment',
    'PUT',
    '/order/accept/:id',
    'Orders',
    [
      'not-found',
      'not-pending',
      'payment-refunded',
      'partly-refunded',
      'disputed',
      'unknown-payment',
      ...provider,
    ],
  ],
  ['correctAddress', 'PUT', '/order/:id/address', 'Orders', ['not-found', 'already-accepted']],
  ['actOnOrders', 'POST', '/order/bulk', 'Orders', ['key-reused']],
  [
    'addShipment',
    'POST',
    '/order/:id/shipment',
    'Orders',
    ['not-found', 'not-accepted', 'disputed', 'payment-refunded', 'more-than-left'],
  ],
  ['addShipments', 'POST', '/shipment/bulk', 'Orders', []],
  ['readParcelFile', 'POST', '/shipment/file', 'Orders', ['too-large', 'wrong-kind', 'invalid']],
  ['removeShipment', 'DELETE', '/order/:id/shipment/:shipment', 'Orders', ['not-found']],
  [
    'refundOrder',
    'POST',
    '/order/:id/refund',
    'Orders',
    ['not-found', 'not-refundable', 'already-refunded', 'key-reused', 'disputed', ...provider],
  ],
  ['readOrderPayment', 'GET', '/order/:id/payment', 'Orders', ['not-found', 'unknown-payment', ...provider]],

  [
    'openPayment',
    'POST',
    '/create-payment-intent',
    'Payments',
    [
      'not-found',
      'price-mismatch',
      'already-paid',
      'payment-processing',
      'expired',
      'order-ambiguous',
      'amount-too-large',
      'cards-declined',
      ...provider,
    ],
  ],
  [
    'recordPayment',
    'PUT',
    '/order/:id',
    'Orders',
    [
      'not-found',
      'payment-not-completed',
      'payment-of-other-order',
      'already-paid',
      'order-cancelled',
      'expired',
      'payment-refunded',
      'unknown-payment',
      ...provider,
    ],
  ],
  [
    'receivePaymentEvent',
    'POST',
    '/webhooks/stripe',
    'Payments',
    ['bad-signature', 'bad-request', 'too-large', 'wrong-kind', ...provider],
  ],

  [
    'createDownload',
    'POST',
    '/downloads',
    'Shop',
    ['not-for-keys', 'admin-needed', 'not-yours', 'not-found', 'no-invoice', 'no-credit-note'],
  ],

  ['listReviews', 'GET', '/review', 'Reviews', []],
  ['addReview', 'POST', '/review', 'Reviews', ['not-yours']],
  ['deleteReview', 'DELETE', '/review/:id', 'Reviews', ['not-found']],
  ['readUserSummary', 'GET', '/user/:email/summary', 'Users', ['not-found']],
  ['readOverview', 'GET', '/overview', 'Administration', []],
  ['readMonth', 'GET', '/overview/month', 'Administration', []],
  ['readProof', 'GET', '/overview/month/proof', 'Administration', ['unavailable', 'provider-broken']],

  [
    'exchangeIdentity',
    'PUT',
    '/user/:email',
    'Users',
    ['identity-token-required', 'identity-invalid', 'identity-revoked', 'not-yours', 'email-in-use'],
  ],
  ['logout', 'POST', '/logout', 'Users', []],
  ['listUsers', 'GET', '/user', 'Users', []],
  ['readUser', 'GET', '/user/:email', 'Users', ['not-yours', 'not-found']],
  ['updateProfile', 'PUT', '/user/update/:email', 'Users', ['not-yours']],
  ['changeRole', 'PUT', '/user/admin/:email', 'Users', ['not-found', 'last-admin']],
  ['changeTax', 'PUT', '/user/tax/:email', 'Users', ['not-found']],
  [
    'deleteUser',
    'DELETE',
    '/user/:email',
    'Users',
    ['not-yours', 'sign-in-again', 'not-found', 'user-is-admin', 'unpaid-orders'],
  ],
  ['readUserData', 'GET', '/user/:email/data', 'Users', ['not-yours']],
  ['createResetLink', 'POST', '/user/:email/reset-link', 'Users', ['not-found', 'no-link-for-admin']],
  ['createKey', 'POST', '/key', 'Users', ['sign-in-again', 'second-factor-required', 'too-many-keys']],
  ['listKeys', 'GET', '/key', 'Users', ['second-factor-required']],
  ['deleteKey', 'DELETE', '/key/:id', 'Users', ['second-factor-required', 'not-found']],
  ['sendVerificationMail', 'POST', '/user/:email/verification', 'Users', ['not-yours', 'not-found']],
  ['confirmEmail', 'PUT', '/user/:email/verification', 'Users', ['not-yours', 'not-found', 'dead-link']],

  ['listEvents', 'GET', '/events', 'Administration', ['events-gone']],
  ['createWebhook', 'POST', '/webhook', 'Administration', ['sign-in-again']],
  ['listWebhooks', 'GET', '/webhook', 'Administration', []],
  ['changeWebhook', 'PATCH', '/webhook/:id', 'Administration', ['sign-in-again', 'not-found']],
  ['deleteWebhook', 'DELETE', '/webhook/:id', 'Administration', ['not-found']],
  ['sendDelivery', 'POST', '/webhook/:id/deliveries', 'Administration', ['not-found', 'restored-copy']],
  ['listActivity', 'GET', '/activity', 'Administration', []],
  ['readStockLedger', 'GET', '/product/:id/stock', 'Administration', ['not-found']],
  ['readOrderTrail', 'GET', '/order/:id/trail', 'Orders', ['not-found']],

  ['listMail', 'GET', '/mail', 'Administration', []],
  ['readMail', 'GET', '/mail/:id', 'Administration', ['not-found']],

  ['openUpload', 'POST', '/images/key', 'Pictures', []],
  [
    'uploadImage',
    'POST',
    '/images/upload',
    'Pictures',
    ['bad-request', 'too-large', 'wrong-kind', 'invalid'],
  ],
])('%s', (name, method, path, tag, problems) => {
  test(`is ${method} ${path}`, () => {
    expect([of(name).method, of(name).path, of(name).tag]).toEqual([method, path, tag]);
  });
  test('has the refusals of the contract', () => {
    expect([...(of(name).problems ?? [])].sort()).toEqual(problems.sort());
  });
  test('has the policy of its name', () => {
    expect(of(name).policy).toBe(policies[name]);
  });
  test('parses the parameters of its path', () => {
    const parameters = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter);
    expect(Object.keys(of(name).params?.shape ?? {})).toEqual(parameters);
  });
});
