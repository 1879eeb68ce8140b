import { calls } from '@parts-forge/contract/calls/calls';
import type { Activity } from '@parts-forge/contract/events/trail';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { Quote } from '@parts-forge/contract/prices/quotes';
import { beforeAll, expect, test } from 'vitest';
import type { Answer, RequestOptions } from '#test/answer.ts';
import { aPicture, aProduct, type Person, readProduct, signedInAs } from '#test/builders.ts';
import { anAccount, fetchAccessToken } from '#test/identity.ts';
import { aPaidOrder, aPendingOrder, aShipment } from '#test/paid-orders.ts';
import { aDueOrder } from '#test/paying.ts';
import { readActivity } from '#test/trail.ts';
import { useShop } from '#test/use-shop.ts';

const image = `/images/${'e'.repeat(64)}-1280.webp`;

const shop = useShop();
beforeAll(async () => {
  await aPicture(shop, 'e'.repeat(64));
});

/** An administrator's request and the expected entry, without actor and time. */
interface Act extends RequestOptions {
  path: string;
  entry(answer: Answer): Partial<Activity>;
}

const emailPath = ({ email }: Person) => encodeURIComponent(email);

const aWebhook = { url: 'https://erp.example/events?key=1', types: ['order.paid'] };
const webhookFacts = { host: 'erp.example', types: 'order.paid', state: 'on' };
async function makeWebhook(): Promise<string> {
  const { token } = await signedInAs(shop, 'admin');
  return (await shop.request('/webhook', { method: 'POST', token, body: aWebhook })).body.data._id;
}

const ofOrder =
  ({ _id: order, number: orderNumber }: Order, entry: Partial<Activity>) =>
  () => ({ order, orderNumber, ...entry });

const ofPerson =
  ({ userId: _id, name, email }: Person, entry: Partial<Activity>) =>
  () => ({ user: { _id, name, email }, ...entry });

async function aCancellation() {
  const { order, product } = await aDueOrder(shop);
  const entry = ofOrder(order, {
    event: 'cancelled',
    product: { _id: product._id, name: product.name },
    change: 57,
    before: { status: 'due' },
    after: { closed: 'cancelled' },
  });
  return { order, entry };
}

async function anAcceptance() {
  const { order, id: transactionId } = await aPendingOrder(shop);
  const entry = ofOrder(order, {
    event: 'accepted',
    transactionId,
    before: { status: 'pending' },
    after: { status: 'paid', amount: order.totalPrice },
  });
  return { order, entry };
}

const parcel = { carrier: 'DHL', number: '0034', sentAt: '2025-11-21T09:30:00.000Z' };

async function aRemoval() {
  const clerk = await signedInAs(shop, 'admin');
  const { order } = await aPaidOrder(shop, clerk);
  const shipment = await aShipment(clerk, order);
  const { carrier, number, sentAt } = shipment;
  const entry = ofOrder(order, { event: 'parcel-removed', before: { carrier, number, sentAt } });
  return { order, shipment, entry };
}

async function aQuote(): Promise<{ quote: Quote; customer: Person }> {
  const customer = await signedInAs(shop, 'user');
  const lines = [{ productId: (await aProduct(shop))._id, quantity: 50 }];
  return { quote: (await customer.post('/quote', { lines })).body.data, customer };
}

async function anAgreement() {
  const [{ _id, name }, customer] = [await aProduct(shop), await signedInAs(shop, 'user')];
  const key = { fromQuantity: 50 };
  const body = { ...key, customer: customer.email, productId: _id, price: 15 };
  const made = await (await signedInAs(shop, 'admin')).put('/agreed-price', body);
  return { body, key, customer, product: { _id, name }, id: made.body.data._id };
}

const acts: Record<string, () => Promise<Act>> = {
  addProduct: async () => ({
    path: '/product',
    body: { name: 'Coil', description: 'New.', price: 1.5, quantity: 1200, minimumOrder: 50, image },
    entry: ({ body }) => ({
      event: 'product-added',
      product: { _id: body.insertedId, name: 'Coil' },
      change: 1200,
      after: { price: 1.5, quantity: 1200, minimumOrder: 50 },
    }),
  }),
  restockProduct: async () => {
    const { _id, name } = await aProduct(shop, { quantity: 1000 });
    return {
      path: `/product/${_id}`,
      body: { quantity: 940 },
      entry: () => ({
        event: 'stock-corrected',
        product: { _id, name },
        change: -60,
        before: { quantity: 1000 },
        after: { quantity: 940 },
      }),
    };
  },
  changeProduct: async () => {
    const { _id, name } = await aProduct(shop, { price: 10 });
    return {
      path: `/product/${_id}`,
      headers: { 'if-match': '"1"' },
      body: { price: 12, fits: ['Norda 12', 'Ovo 7'], priceBreaks: [{ quantity: 500, price: 11.5 }] },
      entry: () => ({
        event: 'product-changed',
        product: { _id, name },
        before: { price: 10, fits: '', priceBreaks: '', version: 1 },
        after: { price: 12, fits: 'Norda 12, Ovo 7', priceBreaks: '500: $11.50', version: 2 },
      }),
    };
  },
  changeStock: async () => {
    const { _id, name } = await aProduct(shop, { quantity: 1000 });
    return {
      path: `/product/${_id}/stock`,
      headers: { 'idempotency-key': 'a-delivery' },
      body: { add: 40, reason: 'restock' },
      entry: () => ({
        event: 'stock-restocked',
        product: { _id, name },
        change: 40,
        before: { quantity: 1000 },
        after: { quantity: 1040 },
      }),
    };
  },
  deleteProduct: async () => {
    const { _id, name } = await aProduct(shop);
    return { path: `/product/${_id}`, entry: () => ({ event: 'product-deleted', product: { _id, name } }) };
  },
  setAgreedPrice: async () => {
    const { body, key, customer, product } = await anAgreement();
    return {
      path: '/agreed-price',
      body: { ...body, price: 14, until: '2999-12-31' },
      entry: ofPerson(customer, {
        event: 'price-agreed',
        product,
        before: { ...key, price: 15 },
        after: { ...key, price: 14, until: '2999-12-31' },
      }),
    };
  },
  removeAgreedPrice: async () => {
    const { id, key, customer, product } = await anAgreement();
    const entry = ofPerson(customer, { event: 'price-removed', product, before: { ...key, price: 15 } });
    return { path: `/agreed-price/${id}`, entry };
  },
  answerQuote: async () => {
    const { quote, customer } = await aQuote();
    const lines = quote.lines.map(({ product }) => ({ productId: product._id, fromQuantity: 50, price: 15 }));
    const after = { quote: quote.number, until: '2999-12-31' };
    return {
      path: `/quote/${quote._id}/answer`,
      body: { lines, until: '2999-12-31' },
      entry: ofPerson(customer, { event: 'quote-answered', after }),
    };
  },
  declineQuote: async () => {
    const { quote, customer } = await aQuote();
    const entry = ofPerson(customer, { event: 'quote-declined', after: { quote: quote.number } });
    return { path: `/quote/${quote._id}/decline`, body: {}, entry };
  },
  cancelOrder: async () => {
    const { order, entry } = await aCancellation();
    return { path: `/order/${order._id}`, entry };
  },
  cancelOrders: async () => {
    const { order, entry } = await aCancellation();
    return { path: '/order/cancel', body: { ids: [order._id] }, entry };
  },
  acceptPayment: async () => {
    const { order, entry } = await anAcceptance();
    return { path: `/order/accept/${order._id}`, body: { status: 'paid' }, entry };
  },
  actOnOrders: async () => {
    const { order, entry } = await anAcceptance();
    return { path: '/order/bulk', body: { act: 'accept', ids: [order._id] }, entry };
  },
  correctAddress: async () => {
    const { order } = await aDueOrder(shop);
    return {
      path: `/order/${order._id}/address`,
      body: { address: '3 Quay Street', phone: '233302771299' },
      entry: ofOrder(order, {
        event: 'address-corrected',
        after: { address: 'changed', phone: 'changed' },
      }),
    };
  },
  addShipment: async () => {
    const { order } = await aPaidOrder(shop, await signedInAs(shop, 'admin'));
    const sent = { ...parcel, quantity: 7 };
    return {
      path: `/order/${order._id}/shipment`,
      body: sent,
      entry: ofOrder(order, { event: 'parcel-sent', after: sent }),
    };
  },
  addShipments: async () => {
    const { order } = await aPaidOrder(shop, await signedInAs(shop, 'admin'));
    return {
      path: '/shipment/bulk',
      body: { parcels: [{ order: String(order.number), ...parcel }] },
      entry: ofOrder(order, { event: 'parcel-sent', after: parcel }),
    };
  },
  removeShipment: async () => {
    const { order, shipment, entry } = await aRemoval();
    return { path: `/order/${order._id}/shipment/${shipment._id}`, entry };
  },
  removeShipments: async () => {
    const { order, shipment, entry } = await aRemoval();
    const { carrier, number } = shipment;
    return { path: '/shipment/remove', body: { ids: [order._id], carrier, number }, entry };
  },
  refundOrder: async () => {
    const { order, id: transactionId } = await aPendingOrder(shop);
    return {
      path: `/order/${order._id}/refund`,
      body: { returnStock: false },
      entry: ofOrder(order, {
        event: 'refunded',
        transactionId,
        before: { refund: 0, disputed: false },
        after: {
          refund: 1139.43,
          refundState: 'pending',
          disputed: false,
          amount: 1139.43,
          quantity: 57,
          closed: 'refunded',
        },
      }),
    };
  },
  deleteReview: async () => {
    const { userId, name, email, token } = await signedInAs(shop, 'user');
    const review = { email, rating: 2.5, description: 'Words that the trail does not have.' };
    const { insertedId } = (await shop.request('/review', { method: 'POST', token, body: review })).body;
    return {
      path: `/review/${insertedId}`,
      entry: () => ({
        event: 'review-deleted',
        user: { _id: userId, name, email },
        before: { rating: 2.5, writtenAt: expect.stringMatching(/Z$/) },
      }),
    };
  },
  changeRole: async () => {
    const person = await signedInAs(shop, 'user');
    return {
      path: `/user/admin/${emailPath(person)}`,
      body: { role: 'admin' },
      entry: ofPerson(person, {
        event: 'role-changed',
        before: { role: 'user' },
        after: { role: 'admin' },
      }),
    };
  },
  changeTax: async () => {
    const person = await signedInAs(shop, 'user');
    return {
      path: `/user/tax/${emailPath(person)}`,
      body: { tax: 'exempt', reason: 'A charity' },
      entry: ofPerson(person, {
        event: 'tax-changed',
        before: { tax: 'standard' },
        after: { tax: 'exempt' },
      }),
    };
  },
  createWebhook: async () => ({
    path: '/webhook',
    body: aWebhook,
    entry: ({ body }) => ({ event: 'webhook-made', after: { webhook: body.data._id, ...webhookFacts } }),
  }),
  changeWebhook: async () => {
    const webhook = await makeWebhook();
    return {
      path: `/webhook/${webhook}`,
      body: { state: 'off', secret: 'new' },
      entry: () => ({
        event: 'webhook-changed',
        before: webhookFacts,
        after: { webhook, ...webhookFacts, state: 'off', secret: 'new' },
      }),
    };
  },
  deleteWebhook: async () => {
    const webhook = await makeWebhook();
    return {
      path: `/webhook/${webhook}`,
      entry: () => ({ event: 'webhook-ended', before: { webhook, ...webhookFacts } }),
    };
  },
  createResetLink: async () => {
    const account = await anAccount(shop);
    const token = await fetchAccessToken(shop, account);
    const { body } = await shop.request(`/user/${account.email}`, { token });
    return {
      path: `/user/${account.email}/reset-link`,
      entry: () => ({
        event: 'reset-link-made',
        user: { _id: body._id, name: account.name, email: account.email },
      }),
    };
  },
  deleteUser: async () => {
    const person = await signedInAs(shop, 'user');
    return {
      path: `/user/${emailPath(person)}`,
      entry: ofPerson(person, {
        event: 'user-deleted',
        before: { role: 'user' },
      }),
    };
  },
};

/** Calls without an entry: links, tests of webhooks, uploads of pictures, and files, whose parts have entries. */
const withoutEntry = [
  'createDownload',
  'openUpload',
  'sendDelivery',
  'importProducts',
  'readParcelFile',
  'applyImport',
];

test.each(Object.keys(acts))(
  '%s by an administrator writes an entry with actor, object and request',
  async (name) => {
    const { path, entry, ...request } = (await acts[name]?.()) ?? {};
    if (path === undefined || entry === undefined) throw new Error('There is no such act.');
    const admin = await signedInAs(shop, 'admin', { name: 'Ada Reyes' });
    const call = calls[name as keyof typeof calls];
    const answer = await shop.request(path, { method: call.method, token: admin.token, ...request });
    expect(answer.status).toBe(200);

    const [act, ...others] = (await readActivity(shop, `?who=${admin.userId}`)).reverse();
    // The refund completes before the response.
    expect(others.map(({ event }) => event)).toEqual(name === 'refundOrder' ? ['refund-changed'] : []);
    expect(act).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      by: { kind: 'admin', _id: admin.userId, name: 'Ada Reyes' },
      requestId: answer.headers.get('x-request-id'),
      ...entry(answer),
    });
  },
);

test('no other call of administrators writes', () => {
  const writes = Object.entries(calls).filter(([, { method, policy }]) => {
    const isForAdministrators =
      policy.who === 'admin' || ('whose' in policy && policy.whose === 'own-or-admin');
    return method !== 'GET' && isForAdministrators;
  });
  expect(writes.map(([name]) => name).sort()).toEqual([...Object.keys(acts), ...withoutEntry].sort());
});

test('refusals and calls without a change write no entry', async () => {
  const admin = await signedInAs(shop, 'admin');
  const other = await signedInAs(shop, 'admin');
  const { order } = await aDueOrder(shop);
  const refused = [
    await admin.put(`/order/accept/${order._id}`, { status: 'paid' }),
    await admin.delete(`/user/${emailPath(other)}`),
    await admin.put('/product/00000000-0000-4000-8000-000000000000', { quantity: 5 }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 404]);
  const again = await admin.put(`/user/admin/${emailPath(other)}`, { role: 'admin' });
  expect(again.body.result).toEqual({ acknowledged: true, matchedCount: 1, modifiedCount: 0 });
  expect(await readActivity(shop, `?who=${admin.userId}`)).toEqual([]);
});

test('an act is rolled back when its entry cannot be written', async () => {
  const { product, order } = await aDueOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  await shop.pool.query(`
    create function refuse_entry() returns trigger language plpgsql as $$ begin raise 'no entry'; end $$;
    create trigger refuse_entry before insert on trail execute function refuse_entry()`);
  try {
    const answers = [
      await admin.put(`/product/${product._id}`, { quantity: 5 }),
      await admin.delete(`/order/${order._id}`),
      await admin.delete(`/product/${product._id}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
  } finally {
    await shop.pool.query('drop trigger refuse_entry on trail; drop function refuse_entry');
    shop.expectErrors(Array(3).fill({ err: { cause: { message: 'no entry' } } }));
  }
  expect((await readProduct(shop, product._id)).quantity).toBe(1000 - 57);
  expect(await admin.reads(order)).toMatchObject({ status: 'due' });
});
