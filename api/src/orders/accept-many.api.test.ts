import { beforeEach, describe, expect, test } from 'vitest';
import { aDueOrder, controlSandbox, readCode } from '#test/paying.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');
beforeEach(() => controlSandbox(shop, { webhooks: 'drop', faults: [] }));

const acceptMany = (body: object, { key }: { key?: string } = {}) =>
  shop.request('/order/bulk', {
    method: 'POST',
    token: admin.token,
    body: { act: 'accept', ...body },
    ...(key && { headers: { 'idempotency-key': key } }),
  });

async function aPendingOrder() {
  const due = await aDueOrder(shop);
  return { ...due, payment: await due.customer.pays(due.order) };
}

describe('POST /order/bulk', () => {
  test('accepts each pending order, and says which were not', async () => {
    const [one, two] = [await aPendingOrder(), await aPendingOrder()];
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
    const [part, disputed, gone] = [await aPendingOrder(), await aPendingOrder(), await aPendingOrder()];
    await admin.refunds(gone.order);
    await admin.refunds(part.order, { quantity: 1, returnStock: false });
    await controlSandbox(shop, { dispute: { intent: disputed.payment, status: 'needs_response' } });
    const { body } = await acceptMany({ ids: [part, disputed, gone].map(({ order }) => order._id) });
    expect(body.data).toMatchObject([
      { ok: false, error: { code: 'partly-refunded' } },
      { ok: false, error: { code: 'disputed' } },
      { ok: false, error: { code: 'payment-refunded' } },
    ]);
  });

  test('takes the pending orders that match a filter', async () => {
    const [one, other] = [await aPendingOrder(), await aPendingOrder()];
    await one.customer.orders(one.product);
    const { body } = await acceptMany({ filter: { product: one.product._id } });
    expect(body.data).toEqual([{ id: one.order._id, ok: true }]);
    expect(await other.customer.reads(other.order)).toMatchObject({ status: 'pending' });
    const ofNone = await acceptMany({ filter: { product: one.product._id } });
    expect(ofNone.body.data).toEqual([]);
  });

  test('answers a repeated request as the first', async () => {
    const { order } = await aPendingOrder();
    const first = await acceptMany({ ids: [order._id] }, { key: 'twice' });
    const again = await acceptMany({ ids: [order._id] }, { key: 'twice' });
    expect(again.body).toEqual(first.body);
    expect(first.body.data).toEqual([{ id: order._id, ok: true }]);
    const other = await acceptMany({ ids: [(await aPendingOrder()).order._id] }, { key: 'twice' });
    expect([other.status, readCode(other)]).toEqual([422, 'key-reused']);
  });

  test('leaves an order alone that came after the first request', async () => {
    const { customer, product, order } = await aPendingOrder();
    const filter = { email: customer.email };
    await acceptMany({ filter }, { key: 'a-filter' });
    const later = await customer.orders(product);
    await customer.pays(later);
    const again = await acceptMany({ filter }, { key: 'a-filter' });
    expect(again.body.data).toEqual([{ id: order._id, ok: true }]);
    expect(await customer.reads(later)).toMatchObject({ status: 'pending' });
  });

  test('still refuses in a repetition what another person had accepted before', async () => {
    const { order } = await aPendingOrder();
    await admin.accepts(order);
    const { body } = await acceptMany({ ids: [order._id] }, { key: 'late' });
    expect(body.data).toMatchObject([{ ok: false, error: { code: 'not-pending' } }]);
    expect((await acceptMany({ ids: [order._id] }, { key: 'late' })).body).toEqual(body);
  });

  test('goes on after a closed connection, and a repetition has its results', async () => {
    const orders = [await aPendingOrder(), await aPendingOrder(), await aPendingOrder()];
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
