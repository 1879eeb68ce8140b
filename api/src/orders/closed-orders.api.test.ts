import type { Order } from '@parts-forge/contract/orders/orders';
import { describe, expect, test } from 'vitest';
import { aProduct, type Person, signedInAs } from '#test/builders.ts';
import { aPendingOrder } from '#test/paid-orders.ts';
import { aDueOrder } from '#test/paying.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
const admin = usePerson(shop, 'admin');

describe('the lists of closed orders', () => {
  test('closed= filters by how orders ended, for administrators and owners', async () => {
    const { customer, order } = await aDueOrder(shop);
    await customer.cancels(order);
    const pending = await aPendingOrder(shop);
    await admin.refunds(pending.order);
    const list = async (person: Person, query: string): Promise<Order[]> =>
      (await person.get(`/order?${query}`)).body.data;
    const own = `email=${encodeURIComponent(customer.email)}`;
    expect(await list(customer, own)).toEqual([]);
    expect((await list(customer, `${own}&closed=true`)).map(({ closed }) => closed)).toEqual(['cancelled']);
    expect(await list(customer, `${own}&closed=refunded`)).toEqual([]);
    const open = await customer.orders(await aProduct(shop));
    const { pool } = shop.services.database;
    await pool.query(`update orders set reference = 'PO 7' where id = $1`, [open._id]);
    const any = await list(customer, `${own}&closed=any`);
    expect(any.map(({ _id }) => _id)).toEqual([open._id, order._id]);
    expect((await list(customer, `${own}&closed=any&reference=PO%207`)).map(({ _id }) => _id)).toEqual([
      open._id,
    ]);
    expect(await list(customer, `${own}&closed=any&reference=PO`)).toEqual([]);
    expect((await admin.get('/order?closed=any')).status).toBe(422);
    const ids = async (query: string) => (await list(admin, query)).map(({ _id }) => _id);
    expect(await ids('closed=refunded')).toContain(pending.order._id);
    expect(await ids('closed=cancelled')).toContain(order._id);
    expect(await ids('closed=cancelled')).not.toContain(pending.order._id);
    expect(await ids('limit=100')).not.toContain(order._id);
    expect((await admin.get('/order?closed=yes')).status).toBe(422);
    const other = await shop.request(`/order/${order._id}?closed=true`, {
      token: (await signedInAs(shop, 'user')).token,
    });
    expect(other.status).toBe(404);
    expect((await admin.get(`/order/${order._id}?closed=expired`)).status).toBe(404);
  });
});
