import { readOrderTrail } from '@parts-forge/contract/events/trail';
import { createDownload } from '@parts-forge/contract/files/downloads';
import { readOrderPayment } from '@parts-forge/contract/money/payments';
import {
  actOnOrders,
  addShipments,
  cancelOrders,
  removeShipments,
} from '@parts-forge/contract/orders/order-bulk';
import { listOrders, type Order } from '@parts-forge/contract/orders/orders';
import { readProduct } from '@parts-forge/contract/products/products';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anOrder, aPaper, aPayment, aProduct } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';
import { listPurchaseStages } from './describe-purchase.ts';

const shop = startFakeShop();

const parcel = { _id: 'p1', carrier: 'DHL', number: '0034', sentAt: '2026-11-20T15:00:00.000Z' };
const paid = { status: 'paid', transactionId: 'pi_3QhV1xKw0Lc2' } as const;
const pending = { ...paid, status: 'pending' } as const;
const papers = [aPaper('2026-00318')];

const aPurchase = (lines: readonly Partial<Order>[]): Order[] =>
  lines.map((line, at) =>
    anOrder({
      number: 10_376 + at,
      totalPrice: 100,
      purchase: { number: 10_376, part: at + 1, orders: lines.length, total: 100 * lines.length },
      ...line,
    }),
  );

async function open(role: 'user' | 'admin', lines: readonly Partial<Order>[], query = '') {
  const orders = aPurchase(lines);
  shop.signIn(role);
  // Newest first, as the shop answers.
  shop.answer(listOrders, { data: orders.toReversed() });
  shop.answer(readOrderPayment, aPayment());
  shop.answer(readOrderTrail, {
    data: [
      { at: '2026-11-20T13:20:00.000Z', event: 'accepted', by: { kind: 'admin' }, orders: 2 },
      {
        at: '2026-11-20T10:09:00.000Z',
        event: 'paid',
        transactionId: paid.transactionId,
        by: { kind: 'user', _id: 'x', name: 'Amara Okafor' },
      },
    ],
  });
  const page = await openPage(`/dashboard/purchase/10376${query}`);
  await screen.findByRole('heading', { level: 1, name: /^Purchase 10376/ });
  return { orders, ...page };
}
const region = (name: string) => within(screen.getByRole('region', { name }));
const listLines = () =>
  region('Lines')
    .getAllByRole('rowheader')
    .map((cell) => cell.textContent.slice(0, 5));
const button = (name: string | RegExp) => screen.queryByRole('button', { name });

test('stages count the lines that are so far', () => {
  const [first, ...others] = aPurchase([
    { ...paid, shipments: [parcel], sent: 120 },
    paid,
    pending,
    { closed: 'cancelled' },
  ]);
  const stages = listPurchaseStages([first as Order, ...others], null);
  expect(stages.map(({ name, state }) => [name, state])).toEqual([
    ['Ordered', 'done'],
    ['Paid', 'done'],
    ['2 of 3 accepted', 'now'],
    ['1 of 3 sent', 'open'],
  ]);
  const [ended] = aPurchase([{ closed: 'expired' }]);
  expect(listPurchaseStages([ended as Order], null).map(({ name }) => name)).toEqual(['Ordered', 'Ended']);
});

test('an administrator accepts all and sees why one was refused', async () => {
  const { user, orders } = await open('admin', [pending, pending, { ...pending, disputed: true }]);
  await user.click(screen.getByRole('button', { name: 'Accept 2 payments' }));
  const question = within(screen.getByRole('dialog'));
  expect(question.getByText('Left out: 10378 (disputed)')).toBeVisible();
  const error = { code: 'payment-refunded', detail: 'The payment was refunded' } as const;
  shop.answer(actOnOrders, {
    data: [
      { id: String(orders[0]?._id), ok: true },
      { id: String(orders[1]?._id), ok: false, error },
    ],
  });
  await user.click(question.getByRole('button', { name: 'Accept 2 payments' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(/^Order 10377: .*refunded/);
  expect(shop.getSentBody(actOnOrders)).toEqual({
    act: 'accept',
    ids: orders.slice(0, 2).map(({ _id }) => _id),
  });
});

test('a parcel is added to the lines that have none', async () => {
  const { user, orders } = await open('admin', [{ ...paid, shipments: [parcel], sent: 120 }, paid, paid]);
  expect(region('Parcels').getByText(/^sent .*, 1 line$/)).toBeVisible();
  await user.click(region('Parcels').getByRole('link', { name: 'show them' }));
  await expect.poll(listLines).toEqual(['10377', '10378']);
  await user.click(screen.getByRole('button', { name: 'Add parcel' }));
  const dialog = within(screen.getByRole('dialog', { name: 'One parcel for 2 orders' }));
  await user.type(dialog.getByLabelText('Carrier'), 'UPS');
  await user.type(dialog.getByLabelText('Parcel number'), '1Z1');
  shop.answer(addShipments, { data: orders.slice(1).map(({ _id: id }) => ({ id, ok: true })) });
  await user.click(dialog.getByRole('button', { name: 'Add parcel' }));
  expect(await screen.findByText('Parcel added to 2 of 2 orders')).toBeVisible();
  expect(shop.getSentBody(addShipments)).toMatchObject({ parcels: [{ number: '1Z1' }, { number: '1Z1' }] });
});

test('lines say which parcel has them, and how many pieces none has', async () => {
  const other = { ...parcel, _id: 'p2', number: '0035' };
  const both = { ...paid, shipments: [other, parcel], sent: 100 };
  await open('admin', [{ ...paid, shipments: [parcel], sent: 120 }, both, pending, { closed: 'cancelled' }]);
  const rows = region('Lines').getAllByRole('row').slice(1);
  const texts = rows.map(({ textContent }) => /× 120(.*)120\$64/.exec(textContent)?.[1]);
  expect(texts).toEqual([', parcel 1', ', parcels 1, 2, 20 in none', ', in no parcel', '']);
  expect(region('Parcels').getByText(/^2 lines are in no parcel/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'in no parcel 2' })).toBeVisible();
  expect(region('Parcels').getByRole('button', { name: 'Add parcel' })).toBeVisible();
});

test('only administrators see the card of a payment', async () => {
  await open('admin', [{ ...paid, papers }, paid]);
  expect(await screen.findByText('Visa ending 1881')).toBeVisible();
  expect(screen.queryByText('Paid on')).toBeNull();
  await open('user', [
    { ...paid, papers },
    { ...pending, transactionId: 'pi_9QhV1xKw0Lc9' },
  ]);
  expect(await screen.findAllByText('Paid on')).toHaveLength(1);
  expect(screen.queryByText('Card')).toBeNull();
});

test('the number of an invoice is its download', async () => {
  const { user, orders } = await open('user', [
    { ...paid, papers },
    { ...paid, papers },
  ]);
  shop.answer(createDownload, { url: '/downloads/x', expiresIn: 60 });
  await user.click(screen.getByRole('button', { name: 'Invoice 2026-00318' }));
  await expect
    .poll(() => shop.getSentBody(createDownload))
    .toEqual({ what: 'invoice', order: orders[1]?._id });
});

test('a parcel is removed from all of its lines in one act', async () => {
  const sent = { ...paid, shipments: [parcel], sent: 120 };
  const { user, orders } = await open('admin', [sent, sent, paid]);
  await user.click(region('Parcels').getByRole('button', { name: 'Remove DHL 0034' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Remove this parcel?' }));
  expect(dialog.getByText(/leaves 2 orders/)).toBeVisible();
  const ids = orders.slice(0, 2).map(({ _id }) => _id);
  const [first = '', second = ''] = ids;
  const error = { code: 'not-found', detail: 'There is nothing here' } as const;
  const answers = [
    { id: second, ok: false, error },
    { id: second, ok: true },
  ];
  for (const answer of answers) {
    shop.answer(removeShipments, { data: [{ id: first, ok: true }, answer] });
    await user.click(dialog.getByRole('button', { name: 'Remove parcel' }));
    if (!answer.ok) await dialog.findByText('Order 10377: This no longer exists.');
  }
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  const sentBody = shop.getRequests(removeShipments).at(-1)?.body;
  expect(sentBody).toEqual({ ids, carrier: 'DHL', number: '0034' });
});

test('a customer pays or cancels what is unpaid', async () => {
  const { user, orders } = await open('user', [{}, {}, { closed: 'cancelled' }]);
  expect(screen.getByRole('link', { name: 'Pay 2 orders, $200.00' })).toHaveAttribute(
    'href',
    `/dashboard/payment?orders=${orders[0]?._id},${orders[1]?._id}`,
  );
  expect(region('Lines').getByText('2 lines, 240 pieces')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'More for purchase 10376' }));
  await user.click(screen.getByRole('button', { name: 'Cancel 2 unpaid' }));
  const error = { code: 'payment-processing', detail: 'The payment is under way' } as const;
  const ids = orders.map(({ _id }) => _id);
  shop.answer(cancelOrders, {
    data: [
      { id: String(ids[0]), ok: true },
      { id: String(ids[1]), ok: false, error },
    ],
  });
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel 2 orders' }));
  expect(await screen.findByText('1 of 2 orders cancelled')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent(/^Order 10377: /);
  expect(shop.getSentBody(cancelOrders)).toEqual({ ids: ids.slice(0, 2) });
});

test('a customer sees payments, and the shop in place of clerks', async () => {
  const other = { ...paid, transactionId: 'pi_9QhV1xKw0Lc9' };
  const { user } = await open('user', [{ ...paid, papers }, { ...paid, papers }, other]);
  expect(screen.getAllByText('2026-00318')).toHaveLength(1);
  expect(button('Invoice')).toBeVisible();
  expect(screen.getByText('pi_9QhV1xKw0Lc9')).toBeVisible();
  expect(await region('Trail').findByText('accepted the payment for 2 orders')).toBeVisible();
  expect(
    region('Trail')
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringMatching(/Parts Forge accepted/), expect.stringMatching(/You paid/)]);
  expect([button(/^Accept/), button('Add parcel')]).toEqual([null, null]);
  shop.answer(readProduct, { data: aProduct() });
  await user.click(screen.getByRole('button', { name: 'Order again' }));
  expect(await screen.findByRole('dialog', { name: 'Order these 3 again?' })).toBeVisible();
});

test('the file of a purchase has its ended lines, too', async () => {
  const { user } = await open('admin', [paid, { closed: 'cancelled' }]);
  shop.answer(createDownload, { url: '/downloads/x', expiresIn: 60 });
  await user.click(screen.getByRole('button', { name: 'More for purchase 10376' }));
  await user.click(screen.getByRole('button', { name: 'Export CSV' }));
  const filters = { purchase: '10376', closed: 'any' };
  await expect.poll(() => shop.getSentBody(createDownload)).toEqual({ what: 'orders', filters });
});

test('a number without a purchase says so', async () => {
  shop.signIn('user');
  await openPage('/dashboard/purchase/99999');
  expect(await screen.findByRole('alert')).toHaveTextContent('No purchase has this number.');
  expect(shop.getRequests(listOrders)[0]?.query.get('email')).toBe('amara@repair.example');
});
