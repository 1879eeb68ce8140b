import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { aProduct, signedInAs } from '#test/builders.ts';
import { type EventReader, openEvents } from '#test/event-stream.ts';
import { startForTest, useShop } from '#test/use-shop.ts';

const shop = useShop();

let readers: EventReader[] = [];
afterEach(() => {
  for (const reader of readers) reader.leave();
  readers = [];
});

async function watch(
  ids: readonly string[],
  options?: Parameters<typeof openEvents>[2],
  at = shop,
): Promise<EventReader> {
  const reader = await openEvents(at, `/live?products=${ids.join(',')}`, options);
  readers.push(reader);
  return reader;
}

const listQuantities = ({ events }: EventReader) => events.map(({ data }) => data.quantity);

async function restock(id: string, quantity: number, at = shop): Promise<void> {
  const admin = await signedInAs(shop, 'admin');
  await at.request(`/product/${id}`, { method: 'PUT', token: admin.token, body: { quantity } });
}

describe('GET /live', () => {
  test('sends the present stock, price and price breaks first', async () => {
    const part = await aProduct(shop, { price: 18.4, quantity: 1234 });
    const other = await aProduct(shop);
    const reader = await watch([part._id, other._id, part._id]);
    expect(reader.status).toBe(200);
    expect(reader.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(reader.headers['cache-control']).toBe('no-store');
    expect(reader.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    await expect.poll(() => reader.events.length).toBe(2);
    const { _id, quantity, price, priceBreaks } = part;
    expect(reader.events[0]).toMatchObject({ name: 'product', data: { _id, quantity, price, priceBreaks } });
    expect(reader.events[1]?.data._id).toBe(other._id);
  });

  test('sends changes by orders and restocks of watched parts alone', async () => {
    const part = await aProduct(shop, { quantity: 1000, minimumOrder: 50 });
    const bystander = await aProduct(shop);
    const reader = await watch([part._id]);
    await expect.poll(() => listQuantities(reader)).toEqual([1000]);
    await (await signedInAs(shop, 'user')).orders(part, 60);
    await expect.poll(() => listQuantities(reader)).toEqual([1000, 940]);
    await restock(bystander._id, 7);
    await restock(part._id, 5000);
    await expect.poll(() => listQuantities(reader)).toEqual([1000, 940, 5000]);
  });

  test('sends at most one event per second, and always the last state', async () => {
    const part = await aProduct(shop);
    const reader = await watch([part._id]);
    await expect.poll(() => reader.events.length).toBe(1);
    const begunAtMs = performance.now();
    for (let quantity = 2001; quantity <= 2030; quantity += 1) await restock(part._id, quantity);
    await expect.poll(() => listQuantities(reader).at(-1)).toBe(2030);
    // The first comes before the changes, one may come at their begin.
    const seconds = (performance.now() - begunAtMs) / 1000;
    expect(reader.events.length).toBeLessThanOrEqual(2 + Math.floor(seconds));
  });

  test('sends `gone` for unknown, malformed and deleted ids', async () => {
    const unknown = randomUUID();
    const part = await aProduct(shop);
    const reader = await watch([unknown, 'no-id', part._id]);
    await expect.poll(() => reader.events.length).toBe(3);
    const names = new Map(reader.events.map(({ name, data }) => [data._id, name]));
    expect(names).toEqual(
      new Map([
        ['no-id', 'gone'],
        [unknown, 'gone'],
        [part._id, 'product'],
      ]),
    );
    const admin = await signedInAs(shop, 'admin');
    await admin.delete(`/product/${part._id}`);
    await expect.poll(() => reader.events.at(-1)).toMatchObject({ name: 'gone', data: { _id: part._id } });
  });

  test('sends the present state to a second watcher at once', async () => {
    const part = await aProduct(shop, { quantity: 1000 });
    const first = await watch([part._id]);
    await expect.poll(() => first.events.length).toBe(1);
    await restock(part._id, 1500);
    const second = await watch([part._id]);
    await expect.poll(() => listQuantities(second).at(-1)).toBe(1500);
    await expect.poll(() => listQuantities(first).at(-1)).toBe(1500);
  });

  test('sends changes made by another process', async () => {
    const other = await startForTest({ shareDatabaseWith: shop });
    const part = await aProduct(shop, { quantity: 1000 });
    const reader = await watch([part._id], {}, other);
    await expect.poll(() => listQuantities(reader)).toEqual([1000]);
    await restock(part._id, 1700);
    await expect.poll(() => listQuantities(reader)).toEqual([1000, 1700]);
  });

  test.each([
    ['', 'products is Required'],
    ['?products=', 'products is Required'],
    [`?products=${Array.from({ length: 51 }, randomUUID).join()}`, 'Must be no more than 50 ids'],
  ])('needs 1 to 50 ids', async (query, message) => {
    const { status, body } = await shop.request(`/live${query}`);
    expect([status, body.errors[0].message]).toEqual([422, message]);
  });

  test('answers HEAD with headers alone', async () => {
    const reader = await watch([randomUUID()], { method: 'HEAD' });
    await reader.ended;
    expect([reader.status, reader.headers['content-type'], reader.received()]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
  });
});
