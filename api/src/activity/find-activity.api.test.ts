import { describe, expect, test } from 'vitest';
import type { Clock } from '#src/platform/core/clock.ts';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, readCode } from '#test/paying.ts';
import { readActivity } from '#test/trail.ts';
import { useShop } from '#test/use-shop.ts';

let nowMs = Date.parse('2026-11-21T09:00:00Z');
/** Gives each act its own time, so that a test can ask for a range. */
const clock: Clock = {
  now() {
    nowMs += 1;
    return new Date(nowMs);
  },
};

const shop = useShop({ clock });

const restock = (actor: Person, productId: string, quantity: number) =>
  actor.put(`/product/${productId}`, { quantity });

/** An administrator with this many stock corrections. */
async function aBusyAdministrator(corrections: number) {
  const admin = await signedInAs(shop, 'admin', { name: 'Jonas Feld' });
  const product = await aProduct(shop);
  for (let count = 1; count <= corrections; count += 1) await restock(admin, product._id, 1000 + count);
  return { admin, product };
}

describe('the activity', () => {
  test('lists each entry once, newest first, page by page', async () => {
    const { admin } = await aBusyAdministrator(5);
    const pages: number[][] = [];
    let next: string | null = `/activity?who=${admin.userId}&limit=2`;
    while (next !== null) {
      const { status, body, headers } = await admin.get(next);
      expect([status, headers.get('x-total-count'), headers.get('cache-control')]).toEqual([
        200,
        '5',
        'no-store',
      ]);
      pages.push(body.data.map(({ after }: { after: { quantity: number } }) => after.quantity));
      next = /<(.+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(pages).toEqual([[1005, 1004], [1003, 1002], [1001]]);
  });

  test('filters by person, topic, event and time', async () => {
    const { admin, product } = await aBusyAdministrator(1);
    const pending = await aDueOrder(shop);
    await pending.customer.pays(pending.order);
    const from = clock.now().toISOString();
    await admin.accepts(pending.order);
    const to = clock.now().toISOString();
    await admin.delete(`/product/${product._id}`);

    const events = async (query: string) =>
      (await readActivity(shop, `?who=${admin.userId}${query}`)).map(({ event }) => event);
    expect(await events('')).toEqual(['product-deleted', 'accepted', 'stock-corrected']);
    expect(await events('&what=stock')).toEqual(['stock-corrected']);
    expect(await events('&what=payments')).toEqual(['accepted']);
    expect(await events('&what=product-deleted')).toEqual(['product-deleted']);
    expect(await events('&what=people')).toEqual([]);
    expect(await events(`&from=${from}`)).toEqual(['product-deleted', 'accepted']);
    expect(await events(`&to=${to}`)).toEqual(['accepted', 'stock-corrected']);
    expect(await events(`&from=${from}&to=${to}`)).toEqual(['accepted']);
    expect(await events('&from=2026-11-21')).toHaveLength(3);
    expect(await events('&from=2026-11-22')).toEqual([]);
  });

  test('includes `from` and excludes `to`', async () => {
    const { admin } = await aBusyAdministrator(1);
    const [entry] = await readActivity(shop, `?who=${admin.userId}`);
    const count = async (query: string) => (await readActivity(shop, `?who=${admin.userId}&${query}`)).length;
    expect([await count(`from=${entry?.at}`), await count(`to=${entry?.at}`)]).toEqual([1, 0]);
  });

  test('finds order, payment, part and person by literal characters', async () => {
    const name = `Coil 100%_${clock.now().getTime()}`;
    const product = await aProduct(shop, { name });
    const admin = await signedInAs(shop, 'admin', { name: 'Ines O%Carvalho' });
    await restock(admin, product._id, 5);
    const { customer, order } = await aDueOrder(shop);
    const transactionId = await customer.pays(order);
    await admin.accepts(order);

    const events = async (q: string) =>
      (await readActivity(shop, `?q=${encodeURIComponent(q)}`)).map(({ event }) => event);
    expect(await events(order._id)).toEqual(['accepted', 'paid']);
    for (const number of [`${order.number}`, `#${order.number}`, `order ${order.number}`]) {
      expect(await events(number)).toEqual(['accepted', 'paid']);
    }
    expect(await events(transactionId)).toEqual(['accepted', 'paid']);
    expect(await events('100%_')).toEqual(['stock-corrected', 'product-added']);
    expect(await events(name.toUpperCase())).toEqual(['stock-corrected', 'product-added']);
    expect(await events(product._id)).toEqual(['stock-corrected', 'product-added']);
    expect(await events('o%carvalho')).toEqual(['accepted', 'stock-corrected']);
    expect(await events('ines%carvalho')).toEqual([]);
    expect(await events(customer.email)).toEqual(['paid']);
    expect(await events('nobody and nothing')).toEqual([]);
    expect(await events(order._id.slice(0, 20))).toEqual([]);
  });

  test('finds affected people even after their deletion', async () => {
    const admin = await signedInAs(shop, 'admin');
    const gone = await signedInAs(shop, 'user', { name: 'Tomás Gone' });
    await admin.delete(`/user/${encodeURIComponent(gone.email)}`);
    expect(await readActivity(shop, '?q=Tom%C3%A1s+Gone')).toMatchObject([
      { event: 'user-deleted', user: { _id: gone.userId, name: 'Tomás Gone', email: gone.email } },
    ]);
  });

  test('includes acts of the job, the provider and customers', async () => {
    const { customer, order } = await aDueOrder(shop);
    await customer.cancels(order);
    expect(await readActivity(shop, `?q=${order._id}`)).toMatchObject([
      { event: 'cancelled', by: { kind: 'user', _id: customer.userId, name: customer.name }, change: 57 },
    ]);
  });

  test.each([
    ['?who=Ada', 'who'],
    ['?what=everything', 'what'],
    ['?from=yesterday', 'from'],
    ['?to=0000-01-01', 'to'],
    ['?after=xyz', 'after'],
    ['?limit=101', 'limit'],
  ])('refuses %s', async (query, field) => {
    const admin = await signedInAs(shop, 'admin');
    const answer = await admin.get(`/activity${query}`);
    expect([answer.status, readCode(answer), answer.body.errors[0].path]).toEqual([422, 'invalid', field]);
  });
});

test('the trail contains no name, address, phone or email', async () => {
  const { customer, order } = await aPendingOrder(shop);
  const admin = await signedInAs(shop, 'admin', { name: 'Ada Reyes' });
  await admin.post(`/order/${order._id}/refund`, { reason: 'Amara asked for it', returnStock: true });
  await admin.delete(`/user/${encodeURIComponent(customer.email)}`);
  const { rows } = await shop.pool.query('select trail::text as entry from trail');
  const everything = rows.map(({ entry }) => entry).join('\n');
  expect(everything).toContain(order._id);
  for (const personal of [customer.name, customer.email, order.address, order.phone, 'Ada', 'asked']) {
    expect(everything).not.toContain(personal);
  }
});
