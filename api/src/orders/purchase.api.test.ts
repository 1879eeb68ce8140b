import type { Activity } from '@parts-forge/contract/events/trail';
import type { Order } from '@parts-forge/contract/orders/orders';
import { beforeAll, expect, test } from 'vitest';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');
let customer: Person;
/** By number: $100, $200 and $300. */
let orders: Order[];
let number: number;

const list = async (query: string, person: Person = admin): Promise<Order[]> =>
  (await person.get(`/order?${query}`)).body.data;
const numbersOf = (some: readonly Order[]) => some.map((order) => order.number);

beforeAll(async () => {
  customer = await signedInAs(shop, 'user');
  const parts = [];
  for (const price of [2, 4, 6]) parts.push([await aProduct(shop, { price }), 50] as const);
  const { batch } = (await customer.placesBatch(parts)).body;
  orders = (await list(`batch=${batch}&sort=oldest`)).toSorted((a, b) => a.number - b.number);
  number = orders[0]?.number ?? 0;
});

test('every answer with an order says its purchase', async () => {
  const purchases = orders.map(({ purchase }) => purchase);
  expect(purchases).toEqual([1, 2, 3].map((part) => ({ number, part, orders: 3, total: 600 })));
  const { body } = await customer.get(`/order/${orders[1]?._id}`);
  expect(body.purchase).toEqual(purchases[1]);
  const data = (await customer.get(`/user/${customer.email}/data`)).body.orders;
  expect(data.map(({ purchase }: Order) => purchase)).toEqual(purchases.toReversed());
  const [alone] = await list(`q=${number + 2}&limit=1`);
  expect(alone?.purchase).toEqual(purchases[2]);
});

test('an order alone, or of a batch of one, has no purchase', async () => {
  const single = await customer.orders(await aProduct(shop));
  const { insertedIds } = (await customer.placesBatch([[await aProduct(shop), 50]])).body;
  const { body } = await customer.get(`/order/${insertedIds[0]}`);
  expect([single.purchase, body.purchase]).toEqual([undefined, undefined]);
  expect(await list(`purchase=${body.number}`)).toEqual([]);
  expect(numbersOf(await list(`q=${body.number}`))).toEqual([body.number]);
});

test('the number of a purchase alone lists all of its orders', async () => {
  const all = numbersOf(orders).toReversed();
  expect(numbersOf(await list(`purchase=${number}`))).toEqual(all);
  expect(numbersOf(await list(`purchase=${number}&email=${customer.email}`, customer))).toEqual(all);
  for (const other of [number + 1, number - 1, 999_999_999]) {
    expect(await list(`purchase=${other}`), `${other}`).toEqual([]);
  }
  const { errors } = (await admin.get('/order?purchase=x')).body;
  expect(errors).toEqual([{ path: 'purchase', message: 'Must be the number of an order, such as 10001' }]);
});

test("the purchase filter gives a customer nothing of another's", async () => {
  const other = await signedInAs(shop, 'user');
  expect(await list(`purchase=${number}&email=${other.email}`, other)).toEqual([]);
  expect(await list(`q=${number}&email=${other.email}`, other)).toEqual([]);
  const counts = (await other.get(`/order/counts?purchase=${number}&email=${other.email}`)).body;
  expect(counts.due).toBe(0);
});

test('a purchase is paged, counted and searched like other lists', async () => {
  const first = await admin.get(`/order?purchase=${number}&limit=2`);
  const next = /<(.+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const rest = (await admin.get(next)).body.data;
  expect(numbersOf([...first.body.data, ...rest])).toEqual(numbersOf(orders).toReversed());
  expect(first.headers.get('x-total-count')).toBe('3');
  expect((await admin.get(`/order/counts?purchase=${number}`)).body.due).toBe(3);
  for (const q of [`${number}`, `%23${number}`, `order%20no.%20${number}`]) {
    expect(numbersOf(await list(`q=${q}`)), q).toEqual(numbersOf(orders).toReversed());
  }
  expect(numbersOf(await list(`q=${number + 1}`))).toEqual([number + 1]);
});

test('a purchase keeps its number when its first order is cancelled', async () => {
  await customer.delete(`/order/${orders[0]?._id}`);
  const open = await list(`purchase=${number}`);
  expect(numbersOf(open)).toEqual([number + 2, number + 1]);
  expect(open[0]?.purchase).toEqual({ number, part: 3, orders: 3, total: 500 });
  expect(numbersOf(await list(`purchase=${number}&closed=any`))).toEqual(numbersOf(orders).toReversed());
  expect(numbersOf(await list(`q=${number}`))).toEqual([number + 2, number + 1]);
});

test('the trail of a purchase joins what one act did', async () => {
  const owner = await signedInAs(shop, 'user');
  const parts = [];
  for (const price of [2, 4, 6]) parts.push([await aProduct(shop, { price }), 50] as const);
  const { insertedIds: ids } = (await owner.placesBatch(parts)).body;
  await owner.post('/order/cancel', { ids: [ids[0], ids[1]] });
  await admin.post('/order/cancel', { ids: [ids[2]] });
  const read = async (person: Person, query = '?purchase=true') =>
    (await person.get(`/order/${ids[0]}/trail${query}`)).body.data;
  const at = expect.any(String);
  const by = { kind: 'user', _id: owner.userId, name: owner.name };
  expect(await read(owner)).toEqual([
    {
      at,
      event: 'cancelled',
      by: { kind: 'admin' },
      before: { status: 'due' },
      after: { closed: 'cancelled' },
    },
    { at, event: 'cancelled', by, orders: 2, after: { closed: 'cancelled' } },
    { at, event: 'ordered', by, orders: 3, after: { status: 'due', totalPrice: 600 } },
  ]);
  expect((await read(admin))[0].by.name).toBe(admin.name);
  expect((await read(owner, '')).map(({ orders }: { orders?: number }) => orders)).toEqual([
    undefined,
    undefined,
  ]);
  expect((await customer.get(`/order/${ids[0]}/trail?purchase=true`)).status).toBe(404);
  const { purchase } = (await owner.get(`/order/${ids[1]}?closed=true`)).body;
  const found: Activity[] = (await admin.get(`/activity?q=${purchase.number}`)).body.data;
  expect(found.map((entry) => entry.order).toSorted()).toEqual(ids.toSorted());
  expect(new Set(found.map((entry) => entry.purchase))).toEqual(new Set([purchase.number]));
  expect((await admin.get(`/activity?q=${purchase.number + 1}`)).body.data).toHaveLength(1);
});
