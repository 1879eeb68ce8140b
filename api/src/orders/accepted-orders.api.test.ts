import { countToSend } from '@parts-forge/contract/orders/box';
import type { Order } from '@parts-forge/contract/orders/orders';
import { describe, expect, test } from 'vitest';
import { aPaidOrder, aPendingOrder } from '#test/paid-orders.ts';
import { usePerson, useShop } from '#test/use-shop.ts';

const shop = useShop();
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
    await shop.services.database.pool.query(`update orders set ${change} where id = $1`, [order._id]);
    const [shown] = (await get(`/order?email=${customer.email}`)).body.data;
    expect(countToSend(shown) > 0).toBe(isListed);
    expect(await list(`toSend=true&email=${customer.email}`)).toEqual(isListed ? [order._id] : []);
    const { toSend } = (await get(`/order/counts?email=${customer.email}`)).body;
    expect(toSend).toBe(isListed ? 1 : 0);
  });
});
