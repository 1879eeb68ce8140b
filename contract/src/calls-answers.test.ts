import { describe, expect, test } from 'vitest';
import { refusals, takes } from '../test/schema.ts';
import type { Call } from './call.ts';
import { calls } from './calls.ts';

type CallName = keyof typeof calls;

const of = (name: CallName): Call => calls[name];

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
  availableUntil: null,
  deliveryDays: null,
  version: 1,
  createdAt: 'x',
  updatedAt: 'x',
};
const order = {
  _id: 'x',
  productId: 'x',
  productName: 'x',
  partNumber: 'x',
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
const shipment = { _id: 'x', carrier: 'DHL', number: 'x', sentAt: 'x' };
const payment = {
  transactionId: 'x',
  state: 'succeeded',
  orders: ['x'],
  share: 1.5,
  amount: 1.5,
  received: 1.5,
  refunded: 0,
  disputed: false,
  inquiry: false,
  askedAt: 'x',
};

const key = { _id: 'x', name: 'x', hint: 'x', scopes: ['orders:read'], madeBy: 'x' };
const delivery = { _id: 'x', type: 'test', state: 'sent', attempts: 1, answer: '200', ms: 1, at: 'x' };
const webhook = {
  ...{ _id: 'x', url: 'x', types: ['order.paid'], state: 'on', waiting: 0 },
  deliveries: [delivery],
};

const anImport = {
  _id: 'x',
  name: 'x',
  state: 'applied',
  createdAt: 'x',
  appliedAt: 'x',
  columns: [{ name: 'x', column: null }],
  notes: ['x'],
  counts: { new: 1, changed: 0, unchanged: 0, refused: 1, warned: 1, done: 1, leftOut: 0 },
  problems: [{ line: 3, column: '', message: 'x' }],
  lines: [
    {
      line: 2,
      number: 'x',
      name: 'x',
      isNew: true,
      changes: [{ column: 'x', was: '', will: 'x' }],
      warning: 'x',
    },
  ],
};

const by = { kind: 'provider' };
const entry = { _id: 'x', at: 'x', event: 'paid', by, requestId: 'x' };

describe('the answers', () => {
  test.each<[CallName, unknown, missing: string[]]>([
    ['readPriceList', { currency: 'USD', parts: [] }, ['currency', 'parts']],
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
    ['importProducts', { data: anImport }, ['data']],
    ['readImport', { data: anImport }, ['data']],
    ['listImports', { data: [anImport] }, ['data']],
    ['applyImport', { data: anImport }, ['data']],
    ['deleteProduct', { deletedCount: 1 }, ['deletedCount']],
    ['readWish', { waiting: true }, ['waiting']],
    ['addWish', { waiting: true }, ['waiting']],
    ['removeWish', { deletedCount: 1 }, ['deletedCount']],
    ['countWishes', { data: [{ product: 'x', count: 1 }] }, ['data']],
    ['stopWishes', { deletedCount: 2 }, ['deletedCount']],
    ['placeOrder', { insertedId: 'x' }, ['insertedId']],
    ['listOrders', { data: [order] }, ['data']],
    [
      'countOrders',
      { due: 1, pending: 0, paid: 0, toSend: 0, cancelled: 0, expired: 0, refunded: 0 },
      ['due', 'pending', 'paid', 'toSend', 'cancelled', 'expired', 'refunded'],
    ],
    ['readOrder', order, Object.keys(order)],
    ['cancelOrder', { deletedCount: 1 }, ['deletedCount']],
    ['acceptPayment', { acknowledged: true }, ['acknowledged']],
    ['correctAddress', { acknowledged: true }, ['acknowledged']],
    ['addShipment', { data: shipment }, ['data']],
    ['addShipments', { data: [{ id: '10001', ok: true }] }, ['data']],
    ['readParcelFile', { data: { names: [], places: {}, lines: [], notes: [] } }, ['data']],
    ['removeShipment', { deletedCount: 1 }, ['deletedCount']],
    ['actOnOrders', { data: [{ id: 'a', ok: true }] }, ['data']],
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
    ['deleteReview', { deletedCount: 1 }, ['deletedCount']],
    [
      'readUserSummary',
      { orders: 1, paid: 1.5, waiting: 0, unpaid: 1.5, refunded: 0, reviews: [] },
      ['orders', 'paid', 'waiting', 'unpaid', 'refunded', 'reviews'],
    ],
    [
      'exchangeIdentity',
      { acknowledged: true, token: 'x', expiresIn: 900 },
      ['acknowledged', 'token', 'expiresIn'],
    ],
    ['logout', null, ['']],
    ['updateProfile', { acknowledged: true }, ['acknowledged']],
    ['changeRole', { result: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } }, ['result']],
    ['changeTax', { acknowledged: true }, ['acknowledged']],
    ['deleteUser', { deletedCount: 1 }, ['deletedCount']],
    [
      'listEvents',
      { data: [{ id: entry._id, number: 3, type: 'stock.low', at: 'x' }], last: 3 },
      ['data', 'last'],
    ],
    ['createWebhook', { secret: 'whsec_x', data: webhook }, ['secret', 'data']],
    ['listWebhooks', { data: [webhook] }, ['data']],
    ['changeWebhook', { data: { ...webhook, state: 'behind', failingSince: 'x' } }, ['data']],
    ['deleteWebhook', { deletedCount: 1 }, ['deletedCount']],
    ['sendDelivery', { data: { state: 'sent', answer: '200', ms: 1 } }, ['data']],
    ['listActivity', { data: [entry] }, ['data']],
    ['listActivity', { data: [{ ...entry, after: { amount: 1.5, status: 'due', disputed: true } }] }, []],
    [
      'readStockLedger',
      { data: [{ at: 'x', kind: 'order', change: -50, balance: 950, order: 'x', by }], held: 50 },
      ['data', 'held'],
    ],
    ['readOrderTrail', { data: [{ at: 'x', event: 'ordered', by }] }, ['data']],
    ['createKey', { key: 'pfk_x', data: key }, ['key', 'data']],
    ['listKeys', { data: [key] }, ['data']],
    ['deleteKey', { deletedCount: 1 }, ['deletedCount']],
    ['openUpload', { url: 'x', key: 'x', expiresIn: 600 }, ['url', 'key', 'expiresIn']],
    ['uploadImage', { data: { url: 'x' } }, ['data']],
  ])('require their fields: %s', (name, answer, missing) => {
    const schema = of(name).answer;
    expect(schema.parse(answer)).toEqual(answer);
    if (missing.length > 0) expect(Object.keys(refusals(schema, {}))).toEqual(missing);
  });

  test('refuse missing nested fields', () => {
    expect(refusals(calls.changeRole.answer, { result: {} })).toHaveProperty(['result.acknowledged']);
    expect(refusals(calls.changeRole.answer, { result: {} })).toHaveProperty(['result.matchedCount']);
    expect(refusals(calls.uploadImage.answer, { data: {} })).toHaveProperty(['data.url']);
    expect(takes(calls.listReviews.answer, [{}])).toBe(false);
    expect(takes(calls.listUsers.answer, [{}])).toBe(false);
  });
});
