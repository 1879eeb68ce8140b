import { randomUUID } from 'node:crypto';
import type { Order } from '@parts-forge/contract/orders/orders';
import { expect, test } from 'vitest';
import { aPaidOrder, aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder, expectRefusal } from '#test/paying.ts';
import { readTrail } from '#test/trail.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');

const correct = ({ _id }: Pick<Order, '_id'>, body: object) => admin.put(`/order/${_id}/address`, body);

const address = '3 Quay Street\nTema';

const readCorrections = async ({ _id }: Order) =>
  (await readTrail(admin, _id)).filter(({ event }) => event === 'address-corrected');

const search = async (words: string): Promise<string[]> => {
  const { body } = await admin.get(`/order?q=${encodeURIComponent(words)}`);
  return body.data.map(({ _id }: Order) => _id);
};

test('an administrator corrects the address of unpaid and pending orders', async () => {
  for (const { order, customer } of [await aDueOrder(shop), await aPendingOrder(shop)]) {
    const { status, body } = await correct(order, { address: '  3 Quay Street\r\nTema ' });
    expect([status, body]).toEqual([200, { acknowledged: true }]);
    expect(await customer.reads(order)).toMatchObject({ address, phone: order.phone });
    await correct(order, { address, phone: '+233 302 771299' });
    expect(await customer.reads(order)).toMatchObject({ address, phone: '+233 302 771299' });
  }
});

test('the search finds the order by its new address alone', async () => {
  const { order } = await aDueOrder(shop);
  const [before, after] = ['Gannetstreet', 'Petrelstreet'];
  await correct(order, { address: `1 ${before}` });
  expect(await search(before)).toEqual([order._id]);
  await correct(order, { address: `1 ${after}`, phone: '4470000777' });
  expect(await search(before)).toEqual([]);
  expect(await search(after)).toEqual([order._id]);
  expect(await search('4470000777')).toEqual([order._id]);
});

test('the trail says what changed, without the address', async () => {
  const { order } = await aDueOrder(shop);
  await correct(order, { address, phone: order.phone });
  await correct(order, { address, phone: '233302771299' });
  await correct(order, { address, phone: '233302771299' });
  expect((await readCorrections(order)).map(({ before, after }) => ({ before, after }))).toEqual([
    { after: { phone: 'changed' } },
    { after: { address: 'changed' } },
  ]);
});

test('an accepted order keeps its address', async () => {
  const { order } = await aPaidOrder(shop, admin);
  expectRefusal(await correct(order, { address }), 409, 'already-accepted');
  expect((await admin.reads(order))?.address).toBe(order.address);
  expect(await readCorrections(order)).toEqual([]);
});

test('closed and unknown orders are not found', async () => {
  const { order } = await aDueOrder(shop);
  await admin.cancels(order);
  for (const gone of [order, { _id: randomUUID() }]) {
    expectRefusal(await correct(gone, { address }), 404, 'not-found');
  }
});

test.each<[field: string, body: object]>([
  ['address', {}],
  ['address', { address: ' \n ' }],
  ['address', { address: 'x'.repeat(501) }],
  ['phone', { address, phone: 'call me' }],
  ['name', { address, name: 'Somebody else' }],
])('refuses a wrong %s in %j', async (field, body) => {
  const { order } = await aDueOrder(shop);
  const answer = await correct(order, body);
  expect([answer.status, answer.body.errors[0].path]).toEqual([422, field]);
  expect((await admin.reads(order))?.address).toBe(order.address);
});
