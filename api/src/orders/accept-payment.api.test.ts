import { sandboxObjects } from '@parts-forge/card-sandbox/schema';
import { countToSend } from '@parts-forge/contract/orders/box';
import { acceptPayment as acceptPaymentCall, type Order } from '@parts-forge/contract/orders/orders';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { actorOf, signedInAs } from '#test/builders.ts';
import { aPaidOrder, aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, askProvider, controlSandbox, expectRefusal, readCode } from '#test/paying.ts';
import { readTrail } from '#test/trail.ts';
import { usePerson, useShop } from '#test/use-shop.ts';
import { acceptPayment as acceptWithProvider } from './accept-payment.ts';
import { markAccepted, markClosed } from './move-order.ts';
import { findOrderEvenClosed } from './store.ts';

const shop = useShop();
beforeEach(() => controlSandbox(shop, { webhooks: 'drop', faults: [] }));

test('accepting a pending order makes it paid', async () => {
  const { customer, order } = await aPendingOrder(shop);
  const answer = await (await signedInAs(shop, 'admin')).accepts(order);
  expect([answer.status, answer.body]).toEqual([200, { acknowledged: true }]);
  expect(await customer.reads(order)).toMatchObject({ status: 'paid' });
});

test('a due and a paid order cannot be accepted', async () => {
  const { customer, order } = await aDueOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  expectRefusal(await admin.accepts(order), 409, 'not-pending');
  await customer.pays(order);
  await admin.accepts(order);
  expect(readCode(await admin.accepts(order))).toBe('not-pending');
});

test('exactly one of several concurrent acceptances succeeds', async () => {
  const { order } = await aPendingOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  const answers = await Promise.all(Array.from({ length: 5 }, () => admin.accepts(order)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
});

test('unknown and cancelled orders are not found', async () => {
  const { customer, order } = await aDueOrder(shop);
  const admin = await signedInAs(shop, 'admin');
  const unknown = { ...order, _id: '019a0000-0000-7000-8000-000000000000' };
  expect((await admin.accepts(unknown)).status).toBe(404);
  await customer.cancels(order);
  expect((await admin.accepts(order)).status).toBe(404);
});

test('an order refunded at the provider is not accepted', async () => {
  const { customer, order } = await aDueOrder(shop);
  const id = await customer.pays(order);
  await askProvider(shop, '/v1/refunds', { payment_intent: id, amount: '100' });
  expectRefusal(await (await signedInAs(shop, 'admin')).accepts(order), 409, 'partly-refunded');
  expect(await customer.reads(order)).toMatchObject({ status: 'pending' });
});

test('an order with an unknown payment is not accepted', async () => {
  const { customer, order } = await aDueOrder(shop);
  const id = await customer.pays(order);
  const { db } = shop.services.database;
  await db.delete(sandboxObjects).where(eq(sandboxObjects.id, id));
  expectRefusal(await (await signedInAs(shop, 'admin')).accepts(order), 422, 'unknown-payment');
  expect(await customer.reads(order)).toMatchObject({ status: 'pending' });
});

test('an unanswered provider request accepts nothing', async () => {
  const { customer, order } = await aPendingOrder(shop);
  await controlSandbox(shop, { faults: [{ fault: '429' }] });
  expectRefusal(await (await signedInAs(shop, 'admin')).accepts(order), 503, 'unavailable');
  await controlSandbox(shop, { faults: [{ fault: '500', times: 9 }] });
  const broken = await (await signedInAs(shop, 'admin')).accepts(order);
  expectRefusal(broken, 503, 'provider-broken');
  expect(await customer.reads(order)).toMatchObject({ status: 'pending' });
  shop.expectErrors([{ code: 'unavailable' }, { code: 'provider-broken' }]);
});

const admin = usePerson(shop, 'admin');

const get = (path: string) => admin.get(path);
const list = async (query: string): Promise<string[]> =>
  (await get(`/order?${query}`)).body.data.map(({ _id }: Order) => _id);
const readAcceptance = async ({ _id }: Order): Promise<string> =>
  (await get(`/order/${_id}/trail`)).body.data.find(({ event }: { event: string }) => event === 'accepted')
    .at;

describe('the filter acceptedSince', () => {
  test('includes orders accepted at that moment, however old they are', async () => {
    const { order: late } = await aPendingOrder(shop);
    const { order: early } = await aPaidOrder(shop, admin);
    await admin.put(`/order/accept/${late._id}`, { status: 'paid' });
    const { order: waiting } = await aPendingOrder(shop);
    const [first, last] = [await readAcceptance(early), await readAcceptance(late)];
    expect(await list(`acceptedSince=${first}`)).toEqual([early._id, late._id]);
    expect(await list(`acceptedSince=${last}`)).toEqual([late._id]);
    expect(await list('acceptedSince=2999-01-01')).toEqual([]);
    expect(await list(`status=pending&acceptedSince=${first}`)).toEqual([]);
    expect(await list(`closed=true&acceptedSince=${first}`)).toEqual([]);
    expect(await list(`status=paid&acceptedSince=${last}`)).toEqual([late._id]);
    expect(await list(`q=${late.number}&acceptedSince=${first}`)).toEqual([late._id]);
    expect(await list('status=pending')).toContain(waiting._id);
  });

  test('paginates and counts the matches', async () => {
    const { order: first } = await aPaidOrder(shop, admin);
    const { order: second } = await aPaidOrder(shop, admin);
    const since = await readAcceptance(first);
    const { body, headers } = await get(`/order?acceptedSince=${since}&limit=1`);
    expect(body.data.map(({ _id }: Order) => _id)).toEqual([second._id]);
    expect(headers.get('x-total-count')).toBe('2');
    expect(headers.get('link')).toContain(`acceptedSince=${encodeURIComponent(since)}`);
  });

  test('accepts only a date or a moment', async () => {
    for (const wrong of ['yesterday', '2026-13-01', '0000-01-01', '2026-11-21T09:30:00']) {
      expect((await get(`/order?acceptedSince=${wrong}`)).status, wrong).toBe(422);
    }
  });
});

describe('the filter toSend', () => {
  const part = 'refund_state = $$succeeded$$, refund_cents = 3998, refunded_pieces = 2';
  const whole = 'refund_cents = total_cents';
  test.each([
    ['sent_pieces = 0', true],
    ['sent_pieces = 56', true],
    ['sent_pieces = 57', false],
    [`${part}, back_pieces = 2, sent_pieces = 54`, true],
    [`${part}, back_pieces = 2, sent_pieces = 55`, false],
    [`${part}, unsure_pieces = 2, sent_pieces = 55`, true],
    ['disputed = true', false],
    ['disputed = true, inquiry = true', false],
    [`refund_state = $$pending$$, ${whole}`, false],
    [`refund_state = $$failed$$, failed_cents = total_cents, ${whole}`, false],
    ['refund_state = $$succeeded$$, unassigned_cents = total_cents', true],
    ['refund_state = $$succeeded$$, refund_cents = 1, settled_cents = total_cents, lost_cents = 5', false],
    ['refund_state = $$succeeded$$, unassigned_cents = 100, settled_cents = total_cents', true],
  ])('counts as the rule of the box: %s', async (change, isListed) => {
    const { order, customer } = await aPaidOrder(shop, admin);
    await shop.pool.query(`update orders set ${change} where id = $1`, [order._id]);
    const [shown] = (await get(`/order?email=${customer.email}`)).body.data;
    expect(countToSend(shown) > 0).toBe(isListed);
    expect(await list(`toSend=true&email=${customer.email}`)).toEqual(isListed ? [order._id] : []);
    const { toSend } = (await get(`/order/counts?email=${customer.email}`)).body;
    expect(toSend).toBe(isListed ? 1 : 0);
  });
});

const acceptMany = (body: object, { key }: { key?: string } = {}) =>
  shop.request('/order/bulk', {
    method: 'POST',
    token: admin.token,
    body: { act: 'accept', ...body },
    ...(key && { headers: { 'idempotency-key': key } }),
  });

describe('POST /order/bulk', () => {
  test('accepts each pending order, and says which were not', async () => {
    const [one, two] = [await aPendingOrder(shop), await aPendingOrder(shop)];
    const due = await aDueOrder(shop);
    const unknown = '019a0000-0000-7000-8000-000000000000';
    const ids = [two.order._id, due.order._id, unknown, one.order._id];
    const { status, body } = await acceptMany({ ids });
    expect(status).toBe(200);
    expect(body.data).toEqual([
      { id: two.order._id, ok: true },
      { id: due.order._id, ok: false, error: { code: 'not-pending', detail: expect.any(String) } },
      { id: unknown, ok: false, error: { code: 'not-found', detail: expect.any(String) } },
      { id: one.order._id, ok: true },
    ]);
    for (const { customer, order } of [one, two]) {
      expect(await customer.reads(order)).toMatchObject({ status: 'paid' });
    }
  });

  test('refuses refunded, partly refunded and disputed orders', async () => {
    const [part, disputed, gone] = [
      await aPendingOrder(shop),
      await aPendingOrder(shop),
      await aPendingOrder(shop),
    ];
    await admin.refunds(gone.order);
    await admin.refunds(part.order, { quantity: 1, returnStock: false });
    await controlSandbox(shop, { dispute: { intent: disputed.id, status: 'needs_response' } });
    const { body } = await acceptMany({ ids: [part, disputed, gone].map(({ order }) => order._id) });
    expect(body.data).toMatchObject([
      { ok: false, error: { code: 'partly-refunded' } },
      { ok: false, error: { code: 'disputed' } },
      { ok: false, error: { code: 'payment-refunded' } },
    ]);
  });

  test('takes the pending orders that match a filter', async () => {
    const [one, other] = [await aPendingOrder(shop), await aPendingOrder(shop)];
    await one.customer.orders(one.product);
    const { body } = await acceptMany({ filter: { product: one.product._id } });
    expect(body.data).toEqual([{ id: one.order._id, ok: true }]);
    expect(await other.customer.reads(other.order)).toMatchObject({ status: 'pending' });
    const ofNone = await acceptMany({ filter: { product: one.product._id } });
    expect(ofNone.body.data).toEqual([]);
  });

  test('answers a repeated request as the first', async () => {
    const { order } = await aPendingOrder(shop);
    const first = await acceptMany({ ids: [order._id] }, { key: 'twice' });
    const again = await acceptMany({ ids: [order._id] }, { key: 'twice' });
    expect(again.body).toEqual(first.body);
    expect(first.body.data).toEqual([{ id: order._id, ok: true }]);
    expectRefusal(
      await acceptMany({ ids: [(await aPendingOrder(shop)).order._id] }, { key: 'twice' }),
      422,
      'key-reused',
    );
  });

  test('leaves an order alone that came after the first request', async () => {
    const { customer, product, order } = await aPendingOrder(shop);
    const filter = { email: customer.email };
    await acceptMany({ filter }, { key: 'a-filter' });
    const later = await customer.orders(product);
    await customer.pays(later);
    const again = await acceptMany({ filter }, { key: 'a-filter' });
    expect(again.body.data).toEqual([{ id: order._id, ok: true }]);
    expect(await customer.reads(later)).toMatchObject({ status: 'pending' });
  });

  test('still refuses in a repetition what another person had accepted before', async () => {
    const { order } = await aPendingOrder(shop);
    await admin.accepts(order);
    const { body } = await acceptMany({ ids: [order._id] }, { key: 'late' });
    expect(body.data).toMatchObject([{ ok: false, error: { code: 'not-pending' } }]);
    expect((await acceptMany({ ids: [order._id] }, { key: 'late' })).body).toEqual(body);
  });

  test('goes on after a closed connection, and a repetition has its results', async () => {
    const orders = [await aPendingOrder(shop), await aPendingOrder(shop), await aPendingOrder(shop)];
    const ids = orders.map(({ order }) => order._id);
    const cut = new AbortController();
    const request = fetch(`${shop.url}/order/bulk`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'cut-off',
      },
      body: JSON.stringify({ act: 'accept', ids }),
      signal: cut.signal,
    });
    cut.abort();
    await expect(request).rejects.toThrow();
    const { body } = await acceptMany({ ids }, { key: 'cut-off' });
    expect(body.data).toEqual(ids.map((id) => ({ id, ok: true })));
  });

  test.each([
    [{}, 'ids'],
    [{ ids: [], filter: { q: 'x' } }, 'ids'],
    [{ ids: [] }, 'ids'],
    [{ ids: ['nonsense'] }, 'ids.0'],
    [{ filter: {} }, 'filter'],
    [{ filter: { q: '' } }, 'filter'],
    [{ filter: { q: "'" } }, 'filter'],
    [{ filter: { stauts: 'pending' } }, 'filter.stauts'],
    [{ filter: { closed: 'true', q: 'x' } }, 'filter.closed'],
    [{ ids: ['019a0000-0000-7000-8000-000000000000'], act: 'refund' }, 'act'],
    [{ ids: ['019a0000-0000-7000-8000-000000000000'], all: true }, 'all'],
  ])('refuses %j at %s', async (body, path) => {
    const answer = await acceptMany(body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });
});

const acceptDirectly = async (id: string, refreshMoney: () => Promise<void>, by = admin) =>
  acceptWithProvider(shop.services, { refreshMoney }, await actorOf(shop, by, acceptPaymentCall), id, {});

describe('acceptance of an order in the wrong status', () => {
  test.each([
    ['due', () => aDueOrder(shop)],
    ['paid', () => aPaidOrder(shop, admin)],
  ])('a %s order is refused without asking the provider', async (_, anOrder) => {
    const { order } = await anOrder();
    const refreshMoney = vi.fn(async () => {});
    await expect(acceptDirectly(order._id, refreshMoney)).rejects.toMatchObject({ code: 'not-pending' });
    expect(refreshMoney).not.toHaveBeenCalled();
  });
});

test('an order closed during acceptance is refused with payment-refunded', async () => {
  const { order } = await aPendingOrder(shop);
  const { database, clock } = shop.services;
  const refreshMoney = async () => void (await markClosed(database.db, order._id, 'refund', clock.now()));
  await expect(acceptDirectly(order._id, refreshMoney)).rejects.toMatchObject({ code: 'payment-refunded' });
});

test('an order accepted concurrently is accepted once', async () => {
  const { customer, order } = await aPendingOrder(shop);
  const { database, changes, clock } = shop.services;
  const write: typeof changes.write = async (work) => {
    const row = await findOrderEvenClosed(database.db, order._id);
    if (row) {
      await markAccepted(database.db, { ...row, transactionId: String(row.transactionId) }, clock.now());
    }
    return changes.write(work);
  };
  const services = { ...shop.services, changes: { ...changes, write } };
  const actor = await actorOf(shop, admin, acceptPaymentCall);
  const accepted = acceptWithProvider(services, { refreshMoney: async () => {} }, actor, order._id, {});
  await expect(accepted).rejects.toMatchObject({ code: 'not-pending' });
  const events = (await readTrail(customer, order._id)).map(({ event }) => event);
  expect(events).not.toContain('accepted');
});
