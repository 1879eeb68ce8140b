import type { Activity, StockMove } from '@parts-forge/contract/events/trail';
import { unitPriceFor } from '@parts-forge/contract/money/pricing';
import type { Order } from '@parts-forge/contract/orders/orders';
import type { Quote } from '@parts-forge/contract/prices/quotes';
import type { Product } from '@parts-forge/contract/products/products';
import { beforeAll, expect, test } from 'vitest';
import { checkConsistency } from '#src/consistency/check-consistency.ts';
import { ensureFirstAdmin } from '#src/identity/administrators.ts';
import { signedInAs } from '#test/builders.ts';
import { fetchAccessToken, readCookie, signIn as signInByPassword } from '#test/identity.ts';
import { readCode } from '#test/paying.ts';
import { useShop } from '#test/use-shop.ts';
import { readCatalogue } from './assets.ts';
import { isSeedingDue } from './beginning.ts';
import { type DemoSignIn, seedDemo } from './seed-demo.ts';

let signIn: DemoSignIn | undefined;
let token: string;
const shop = useShop({ env: { SEED: 'demo' } });
beforeAll(async () => {
  const { services } = shop;
  await ensureFirstAdmin(
    { adminEmail: 'chief@shop.example', adminPassword: 'a long enough password' },
    services,
  );
  await seedDemo(services, (customer) => {
    signIn = customer;
  });
  ({ token } = await signedInAs(shop, 'admin'));
});

const list = async <Row>(path: string): Promise<Row[]> => {
  const { body } = await shop.request(path, { token });
  return body.data ?? body;
};
const listOrders = (filter = '') => list<Order>(`/order?limit=100${filter}`);
const find = (orders: readonly Order[], wanted: Partial<Order>): Order => {
  const found = orders.find((order) =>
    Object.entries(wanted).every(([name, value]) => order[name as keyof Order] === value),
  );
  if (!found) throw new Error(`There is no order with ${JSON.stringify(wanted)}.`);
  return found;
};

test('orders of the last sixty days are in every state', async () => {
  const [standing, closed] = [await listOrders(), await listOrders('&closed=true')];
  expect(new Set(standing.map(({ status }) => status))).toEqual(new Set(['due', 'pending', 'paid']));
  expect(new Set(closed.map((order) => order.closed))).toEqual(new Set(['cancelled', 'expired', 'refunded']));
  expect(standing.filter(({ disputed }) => disputed)).toHaveLength(1);
  const refunded = standing.filter(({ refund }) => refund);
  expect(
    refunded.map(({ status, refund, totalPrice }) => [status, Number(refund?.amount) < totalPrice]),
  ).toEqual([
    ['pending', true],
    ['paid', false],
  ]);
  const days = [...standing, ...closed].map(
    ({ createdAt }) => (Date.now() - Date.parse(createdAt)) / 86_400_000,
  );
  expect(Math.max(...days)).toBeLessThan(60);
  expect(Math.max(...days)).toBeGreaterThan(50);
  expect(Math.min(...days)).toBeGreaterThanOrEqual(0);
});

test("every order obeys the shop's rules", async () => {
  const parts = new Map((await list<Product>('/product?limit=100')).map((part) => [part._id, part]));
  const orders = [...(await listOrders()), ...(await listOrders('&closed=true'))];
  expect(orders.length).toBeGreaterThan(60);
  for (const { productId, productName, quantity, price, totalPrice, image } of orders) {
    const part = parts.get(productId);
    if (!part) throw new Error(`${productName} is not on sale.`);
    expect(part).toMatchObject({ name: productName, image });
    expect(quantity, productName).toBeGreaterThanOrEqual(part.minimumOrder);
    expect(Math.round(price * 100), productName).toBe(unitPriceFor(quantity, part));
    expect(Math.round(totalPrice * 100), productName).toBe(quantity * Math.round(price * 100));
  }
  const numbers = orders.map(({ number }) => number).sort((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, index) => 10_001 + index));
});

test("each ledger sums up to the catalogue's stock and stays positive", async () => {
  const catalogue = new Map((await readCatalogue()).map((part) => [part.number, part]));
  for (const part of await list<Product>('/product?limit=100')) {
    const moves = await list<StockMove>(`/product/${part._id}/stock?limit=100`);
    expect(moves.at(-1), part.name).toMatchObject({ kind: 'initial' });
    expect(moves.at(-1)?.balance, part.name).toBe(moves.at(-1)?.change);
    expect(moves[0]?.balance, part.name).toBe(catalogue.get(part.number)?.quantity);
    expect(Math.min(...moves.map(({ balance }) => balance)), part.name).toBeGreaterThan(0);
  }
});

test('a correction has the stock before and after from its ledger', async () => {
  const corrections = await list<Activity>('/activity?what=stock-corrected&limit=100');
  expect(corrections.length).toBeGreaterThan(0);
  for (const { product, at, before, after } of corrections) {
    const moves = await list<StockMove>(`/product/${product?._id}/stock?limit=100`);
    const move = moves.find((each) => each.at === at);
    if (!move) throw new Error(`The ledger has no move of ${at}.`);
    expect([before, after]).toEqual([{ quantity: move.balance - move.change }, { quantity: move.balance }]);
  }
});

test('shop and provider agree on every payment', async () => {
  // Each run checks fifty payments without recent changes.
  for (const _ of [1, 2, 3]) {
    expect(await checkConsistency(shop.services)).toEqual({ stock: 0, payments: 0, provider: 0 });
  }
});

test('the history sends no mail and is created once', async () => {
  expect((await shop.pool.query('select * from mail_outbox')).rows).toEqual([]);
  expect(await isSeedingDue(shop.config, shop.db)).toBe(false);
  await seedDemo(shop.services, (customer) => expect.unreachable(customer.email));
});

test('the customer with the printed sign-in has orders', async () => {
  if (!signIn) throw new Error('No sign-in was printed.');
  const cookie = readCookie(await signInByPassword(shop, signIn));
  const { email } = signIn;
  const own = await fetchAccessToken(shop, { ...signIn, name: 'Greta Solberg', cookie });
  const mine = await shop.request(`/order?email=${encodeURIComponent(email)}`, { token: own });
  expect(mine.body.data.length).toBeGreaterThan(5);
});

test('the payments can be accepted, refunded and refused as usual', async () => {
  const orders = await listOrders();
  const act = (order: Order, what: 'accept' | 'refund') =>
    what === 'accept'
      ? shop.request(`/order/accept/${order._id}`, { method: 'PUT', token, body: { status: 'paid' } })
      : shop.request(`/order/${order._id}/refund`, { method: 'POST', token, body: { returnStock: true } });
  const isPlain = ({ refund, disputed }: Order) => !refund && !disputed;
  const pending = find(orders.filter(isPlain), { status: 'pending' });
  expect((await act(pending, 'accept')).status).toBe(200);
  expect(readCode(await act(find(orders, { disputed: true }), 'accept'))).toBe('disputed');
  const partly = orders.find(({ status, refund }) => status === 'pending' && refund);
  if (!partly) throw new Error('No order was refunded in part.');
  expect(readCode(await act(partly, 'accept'))).toBe('partly-refunded');
  const refund = await act(find(orders.filter(isPlain), { status: 'paid' }), 'refund');
  expect(refund.body.refund.state).toBe('succeeded');
  expect(await checkConsistency(shop.services)).toEqual({ stock: 0, payments: 0, provider: 0 });
});

test('a paid order has an invoice on request', async () => {
  const paid = find(await listOrders(), { status: 'paid' });
  const body = { what: 'invoice', order: paid._id };
  const asked = await shop.request('/downloads', { method: 'POST', token, body });
  expect(asked.status).toBe(200);
  const file = await fetch(new URL(asked.body.url, shop.url));
  expect(file.status).toBe(200);
  expect(file.headers.get('content-type')).toBe('application/pdf');
});

test('a customer waits for prices, and another has them', async () => {
  const found = await list<Quote>('/quote');
  expect(found.map(({ state, lines }) => [state, lines.length])).toEqual(
    expect.arrayContaining([
      ['asked', 3],
      ['answered', 3],
    ]),
  );
  expect(await list('/agreed-price')).toHaveLength(3);
});
