import { describe, expect, test } from 'vitest';
import { refusals, takes } from '../test/schema.ts';
import { type Call, defineCall, tags } from './call.ts';
import { calls } from './calls.ts';
import { policies } from './policies.ts';

type CallName = keyof typeof calls;

const of = (name: CallName): Call => calls[name];
const names = Object.keys(calls) as CallName[];
const provider = ['payment-refused', 'unavailable', 'provider-broken'];

// By hand from specification §7 and the contract, "Calls". The refusals are those beyond the ones that every call can
// give (not signed in, no JSON, a field that is not valid …).
describe.each<[CallName, method: string, path: string, tag: string, refusals: string[]]>([
  ['readConfig', 'GET', '/config', 'Shop', []],

  ['listProducts', 'GET', '/product', 'Products', []],
  ['readProductFacets', 'GET', '/product/facets', 'Products', []],
  ['readProduct', 'GET', '/product/:id', 'Products', ['not-found']],
  ['watchProducts', 'GET', '/live', 'Products', []],
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
  ['changeProducts', 'POST', '/product/bulk', 'Products', ['header-required', 'key-reused']],
  ['deleteProduct', 'DELETE', '/product/:id', 'Products', ['not-found']],

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
  [
    'refundOrder',
    'POST',
    '/order/:id/refund',
    'Orders',
    ['not-found', 'not-refundable', 'already-refunded', 'disputed', ...provider],
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
    ['admin-needed', 'not-yours', 'not-found', 'no-invoice', 'no-credit-note'],
  ],

  ['listReviews', 'GET', '/review', 'Reviews', []],
  ['addReview', 'POST', '/review', 'Reviews', ['not-yours']],
  ['deleteReview', 'DELETE', '/review/:id', 'Reviews', ['not-found']],
  ['readUserSummary', 'GET', '/user/:email/summary', 'Users', ['not-found']],
  ['readOverview', 'GET', '/overview', 'Administration', []],

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
  [
    'deleteUser',
    'DELETE',
    '/user/:email',
    'Users',
    ['not-yours', 'sign-in-again', 'not-found', 'user-is-admin', 'unpaid-orders'],
  ],
  ['readUserData', 'GET', '/user/:email/data', 'Users', ['not-yours']],
  ['createResetLink', 'POST', '/user/:email/reset-link', 'Users', ['not-found', 'no-link-for-admin']],
  ['sendVerificationMail', 'POST', '/user/:email/verification', 'Users', ['not-yours', 'not-found']],
  ['confirmEmail', 'PUT', '/user/:email/verification', 'Users', ['not-yours', 'not-found', 'dead-link']],

  ['listActivity', 'GET', '/activity', 'Administration', []],
  ['readStockLedger', 'GET', '/product/:id/stock', 'Administration', ['not-found']],
  ['readOrderTrail', 'GET', '/order/:id/trail', 'Orders', ['not-found']],

  ['listMail', 'GET', '/mail', 'Administration', []],
  ['readMail', 'GET', '/mail/:id', 'Administration', ['not-found']],

  ['openUpload', 'POST', '/images/key', 'Pictures', []],
  ['takeUpload', 'POST', '/images/sent', 'Pictures', ['invalid', 'too-large']],
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
  test('is refused as the contract says', () => {
    expect([...(of(name).problems ?? [])].sort()).toEqual(problems.sort());
  });
  test('stands under the policy of its name', () => {
    expect(of(name).policy).toBe(policies[name]);
  });
  test('parses the parameters of its path', () => {
    const parameters = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter);
    expect(Object.keys(of(name).params?.shape ?? {})).toEqual(parameters);
  });
});

const namesWith = (member: keyof Call) => names.filter((name) => of(name)[member] !== undefined);
const table = <Value>(member: keyof Call) =>
  Object.fromEntries(namesWith(member).map((name) => [name, of(name)[member] as Value]));

describe('the calls', () => {
  test('are in the chapters of /docs', () => {
    expect(Object.keys(tags)).toEqual([
      'Products',
      'Orders',
      'Payments',
      'Reviews',
      'Users',
      'Pictures',
      'Administration',
      'Shop',
    ]);
  });

  test('are said in a few words', () => {
    expect(names.filter((name) => of(name).summary.trim() === '')).toEqual([]);
    expect(namesWith('description').filter((name) => of(name).description === '')).toEqual([]);
  });

  test('with a body are those that write something', () => {
    expect(namesWith('body')).toEqual([
      'addProduct',
      'restockProduct',
      'changeProduct',
      'changeStock',
      'changeProducts',
      'placeOrder',
      'acceptPayment',
      'refundOrder',
      'placeBatch',
      'writeBatchLine',
      'addBatchLines',
      'joinBatch',
      'openPayment',
      'recordPayment',
      'receivePaymentEvent',
      'createDownload',
      'addReview',
      'exchangeIdentity',
      'updateProfile',
      'changeRole',
      'confirmEmail',
      'takeUpload',
    ]);
  });

  test('with a query are the lists, the counts beside one, the parts that are watched, an order that may be closed, and the upload by its key', () => {
    const fields = namesWith('query').map((name) => [name, Object.keys(of(name).query?.shape ?? {})]);
    expect(Object.fromEntries(fields)).toEqual({
      listProducts: ['limit', 'after', 'q', 'available', 'kind', 'fits', 'sort', 'similar'],
      readProductFacets: ['q', 'available', 'kind', 'fits'],
      watchProducts: ['products'],
      listOrders: ['limit', 'after', 'email', 'status', 'q', 'closed', 'batch'],
      readOrder: ['closed'],
      listReviews: ['limit', 'after'],
      listUsers: ['limit', 'after', 'q'],
      listActivity: ['limit', 'after', 'who', 'what', 'from', 'to', 'q'],
      readStockLedger: ['limit', 'after'],
      listMail: ['limit', 'after', 'state'],
      openUpload: ['bytes'],
      uploadImage: ['key'],
    });
  });

  test('that are lists are answered page by page', () => {
    expect(table('paged')).toEqual({
      listProducts: 'rows',
      listOrders: 'data',
      listReviews: 'rows',
      listUsers: 'rows',
      listActivity: 'data',
      readStockLedger: 'data',
      listMail: 'data',
    });
  });

  test('that are the same for everyone say what they depend on', () => {
    const listTags = (name: CallName) => of(name).dependsOn?.({ id: 'x' }, { available: 'true' });
    expect(Object.fromEntries(namesWith('dependsOn').map((name) => [name, listTags(name)]))).toEqual({
      readConfig: ['config'],
      listProducts: ['products'],
      readProductFacets: ['products'],
      readProduct: ['product:x'],
      listReviews: ['reviews'],
    });
  });

  test('with a limit on rates of their own are the costly ones, and the events of the provider', () => {
    expect(table('rateLimit')).toEqual({
      openPayment: { requests: 120, seconds: 60 },
      receivePaymentEvent: { requests: 12_000, seconds: 60 },
      createDownload: { requests: 60, seconds: 60 },
      addBatchLines: { requests: 60, seconds: 60 },
      joinBatch: { requests: 60, seconds: 60 },
      exchangeIdentity: { requests: 60, seconds: 60 },
      readUserData: { requests: 10, seconds: 60 },
      sendVerificationMail: { requests: 5, seconds: 300 },
      confirmEmail: { requests: 10, seconds: 60 },
    });
  });

  test('that answer nothing but success are the end of a session', () => {
    expect(table('empty')).toEqual({ logout: true });
  });

  test('that go on are the figures of parts as they change', () => {
    const events = namesWith('events').map((name) => [name, Object.keys(of(name).events ?? {})]);
    expect(Object.fromEntries(events)).toEqual({ watchProducts: ['product', 'gone'] });
  });

  test('with a header of their own are the orders, and what must not be done twice', () => {
    expect(namesWith('headers')).toEqual([
      'changeProduct',
      'changeStock',
      'changeProducts',
      'placeOrder',
      'placeBatch',
    ]);
    const required = namesWith('headers').filter((name) =>
      Object.values(of(name).headers ?? {}).some((header) => header.required),
    );
    expect(required).toEqual(['changeProduct', 'changeStock']);
    const header = calls.placeOrder.headers?.['Idempotency-Key'];
    expect(header?.description.trim()).not.toBe('');
  });

  test('that take a file are the upload of pictures', () => {
    expect(table('multipart')).toEqual({
      uploadImage: {
        field: 'image',
        types: ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'],
        maxBytes: 10_485_760,
      },
    });
  });
});

describe('the parameters of a path', () => {
  const withParameter = (parameter: string) =>
    names.filter((name) => parameter in (of(name).params?.shape ?? {}));

  test('called id are ids', () => {
    for (const name of withParameter('id'))
      expect(takes(calls[name].params as never, { id: 'x' })).toBe(false);
  });

  test('called email may be any text', () => {
    for (const name of withParameter('email')) {
      expect(takes(calls[name].params as never, { email: 'x' })).toBe(true);
    }
  });
});

const product = {
  _id: 'x',
  name: 'x',
  description: 'x',
  price: 1.5,
  quantity: 1,
  minimumOrder: 1,
  image: 'x',
  number: 'x',
  kind: 'Boards',
  fits: ['x'],
  attributes: [{ name: 'x', value: 'x' }],
  images: ['x'],
  orderStep: 1,
  priceBreaks: [{ quantity: 1, price: 1.5 }],
  version: 1,
  createdAt: 'x',
  updatedAt: 'x',
};
const order = {
  _id: 'x',
  productId: 'x',
  productName: 'x',
  image: 'x',
  name: 'x',
  email: 'x',
  address: 'x',
  phone: 'x',
  number: 1,
  quantity: 1,
  price: 1.5,
  totalPrice: 1.5,
  status: 'due',
  createdAt: 'x',
  updatedAt: 'x',
};
const payment = {
  transactionId: 'x',
  state: 'succeeded',
  orders: ['x'],
  share: 1.5,
  amount: 1.5,
  received: 1.5,
  refunded: 0,
  disputed: false,
  askedAt: 'x',
};

const bulkLine = {
  number: 'x',
  ok: false,
  before: { quantity: 1, price: 1.5, version: 1 },
  after: null,
  error: { code: 'invalid', detail: 'x' },
};

const by = { kind: 'provider' };
const entry = { _id: 'x', at: 'x', event: 'paid', by, requestId: 'x' };

describe('the answers', () => {
  test.each<[CallName, unknown, missing: string[]]>([
    ['listProducts', [product], []],
    [
      'readProductFacets',
      { kinds: [{ kind: 'Boards', count: 1 }], fits: [{ model: 'x', count: 1 }] },
      ['kinds', 'fits'],
    ],
    ['readProduct', { data: product }, ['data']],
    ['addProduct', { insertedId: 'x' }, ['insertedId']],
    ['restockProduct', { data: product }, ['data']],
    ['changeProduct', { data: product }, ['data']],
    ['changeStock', { data: product }, ['data']],
    ['changeProducts', { lines: [bulkLine], applied: true }, ['lines', 'applied']],
    ['deleteProduct', { deletedCount: 1 }, ['deletedCount']],
    ['placeOrder', { insertedId: 'x' }, ['insertedId']],
    ['listOrders', { data: [order] }, ['data']],
    ['readOrder', order, Object.keys(order)],
    ['cancelOrder', { deletedCount: 1 }, ['deletedCount']],
    ['acceptPayment', { acknowledged: true }, ['acknowledged']],
    [
      'refundOrder',
      { acknowledged: true, refund: { amount: 1.5, state: 'pending' } },
      ['acknowledged', 'refund'],
    ],
    ['readOrderPayment', payment, Object.keys(payment)],
    ['openPayment', { clientSecret: 'x' }, ['clientSecret']],
    [
      'recordPayment',
      { acknowledged: true, status: 'pending', transactionId: 'x' },
      ['acknowledged', 'status', 'transactionId'],
    ],
    ['receivePaymentEvent', { received: true }, ['received']],
    ['createDownload', { url: '/downloads/x', expiresIn: 60 }, ['url', 'expiresIn']],
    ['addReview', { insertedId: 'x' }, ['insertedId']],
    [
      'exchangeIdentity',
      { acknowledged: true, token: 'x', expiresIn: 900 },
      ['acknowledged', 'token', 'expiresIn'],
    ],
    ['logout', null, ['']],
    ['updateProfile', { acknowledged: true }, ['acknowledged']],
    ['changeRole', { result: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } }, ['result']],
    ['deleteUser', { deletedCount: 1 }, ['deletedCount']],
    ['listActivity', { data: [entry] }, ['data']],
    ['listActivity', { data: [{ ...entry, after: { amount: 1.5, status: 'due', disputed: true } }] }, []],
    [
      'readStockLedger',
      { data: [{ at: 'x', kind: 'order', change: -50, balance: 950, order: 'x', by }], held: 50 },
      ['data', 'held'],
    ],
    ['readOrderTrail', { data: [{ at: 'x', event: 'ordered', by }] }, ['data']],
    ['openUpload', { url: 'x', key: 'x', expiresIn: 600 }, ['url', 'key', 'expiresIn']],
    ['openUpload', { url: 'x', key: 'x', expiresIn: 600, direct: { url: 'x' } }, ['url', 'key', 'expiresIn']],
    ['takeUpload', { data: { url: 'x' } }, ['data']],
    ['uploadImage', { data: { url: 'x' } }, ['data']],
  ])('of %s', (name, answer, missing) => {
    const schema = of(name).answer;
    expect(schema.parse(answer)).toEqual(answer);
    if (missing.length > 0) expect(Object.keys(refusals(schema, {}))).toEqual(missing);
  });

  test('tell inside what the specification reads there', () => {
    expect(refusals(calls.changeRole.answer, { result: {} })).toHaveProperty(['result.acknowledged']);
    expect(refusals(calls.changeRole.answer, { result: {} })).toHaveProperty(['result.matchedCount']);
    expect(refusals(calls.uploadImage.answer, { data: {} })).toHaveProperty(['data.url']);
    expect(takes(calls.listReviews.answer, [{}])).toBe(false);
    expect(takes(calls.listUsers.answer, [{}])).toBe(false);
  });
});

test('describing a call gives back what was described', () => {
  const call = { ...calls.logout };
  expect(defineCall(call)).toBe(call);
});
