import { listOrders, type Order, readOrder } from '@parts-forge/contract/orders/orders';
import { readConfig } from '@parts-forge/contract/people/identity';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { aConfig, anOrder } from '#test/builders.ts';
import { createRefusal, startFakeShop } from '#test/fake-shop.ts';
import { closePage, openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const [coil, battery] = ['01a20000-0000-7000-8000-000000000001', '01a20000-0000-7000-8000-000000000002'];
const [first, second] = ['01a20000-0000-7000-8000-00000000000a', '01a20000-0000-7000-8000-00000000000b'];
const paid = { status: 'pending' } as const;
const amaras = anOrder({
  ...paid,
  _id: first,
  number: 10391,
  productId: coil,
  partNumber: 'PF-W1501',
  productName: 'Coil',
  quantity: 1500,
  name: 'Amara',
});
const orders = [
  anOrder({
    ...paid,
    _id: second,
    number: 10402,
    productId: coil,
    productName: 'Coil',
    partNumber: 'PF-W1501',
    quantity: 60,
    name: 'Tomás',
  }),
  amaras,
  anOrder({
    ...paid,
    number: 10410,
    productId: battery,
    productName: 'Battery',
    quantity: 70,
    address: 'Accra\nGhana',
  }),
];

/** @param orders of the list; without them the test answers it */
const openPickList = async (query = '', orders?: Order[]) => {
  shop.signIn('admin');
  if (orders) shop.answer(listOrders, { data: orders });
  return openPage(`/dashboard/pick-list${query}`);
};
const readCells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

test("the list sums parts of paid orders and shows each order's address", async () => {
  await openPickList('', orders);
  const parts = await screen.findByRole('table', { name: 'Parts to pick, for all orders together' });
  expect(await within(parts).findByText('PF-W1501')).toBeVisible();
  const [, ...rows] = within(parts).getAllByRole('row');
  expect(rows.map(readCells)).toEqual([
    ['', '70', '10410\u00a0×\u00a070'],
    ['', '1,560', '10391\u00a0×\u00a01,500, 10402\u00a0×\u00a060'],
  ]);
  expect(screen.getByText('3 orders, 2 parts. Waiting for acceptance.')).toBeVisible();
  const headings = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(headings).toEqual(['Order 10391', 'Order 10402', 'Order 10410']);
  expect(screen.getByText(/Accra\s+Ghana/)).toBeVisible();
  expect(shop.getRequests(listOrders)[0]?.query.get('status')).toBe('pending');
});

describe('accepted orders', () => {
  const readQuery = (name: string) => shop.getRequests(listOrders).at(-1)?.query.get(name) ?? null;

  test('the list has all that is to be sent', async () => {
    const { user, getAddress } = await openPickList();
    expect(await screen.findByText('No order waits for acceptance now.')).toBeVisible();
    expect(readQuery('toSend')).toBeNull();
    shop.answer(listOrders, { data: orders });
    await user.click(screen.getByRole('link', { name: 'To send' }));
    expect(await screen.findByText('3 orders, 2 parts. All that is to be sent.')).toBeVisible();
    expect(getAddress()).toBe('/dashboard/pick-list?status=paid');
    expect(['status', 'toSend', 'sort', 'acceptedSince'].map(readQuery)).toEqual([
      'paid',
      'true',
      'oldest',
      null,
    ]);
    expect(screen.getByRole('link', { name: 'To send', current: 'page' })).toBeVisible();
  });

  test('the list can begin at a day, which the address keeps', async () => {
    shop.answer(readConfig, { ...aConfig(), timeZone: 'America/Los_Angeles' });
    const { getAddress } = await openPickList('?status=paid&since=2026-11-20');
    expect(await screen.findByText('Every accepted order of this time was sent.')).toBeVisible();
    expect(screen.getByLabelText('Accepted since')).toHaveValue('2026-11-20');
    expect(readQuery('acceptedSince')).toBe('2026-11-20T08:00:00.000Z');
    shop.answer(listOrders, { data: orders });
    fireEvent.change(screen.getByLabelText('Accepted since'), { target: { value: '2026-11-02' } });
    await waitFor(() => expect(readQuery('acceptedSince')).toBe('2026-11-02T08:00:00.000Z'));
    expect(getAddress()).toBe('/dashboard/pick-list?status=paid&since=2026-11-02');
    expect(await screen.findByText(/To be sent, accepted since 2 Nov 2026 \(/)).toBeVisible();
  });

  test.each(['2026-13-01', '2026-02-31', '0000-01-01', 'ever'])(
    'the invalid day %s counts as none',
    async (day) => {
      await openPickList(`?status=paid&since=${day}`);
      expect(await screen.findByText('Every accepted order of this time was sent.')).toBeVisible();
      expect(readQuery('acceptedSince')).toBeNull();
    },
  );
});

test('only the chosen orders are picked, without closed ones', async () => {
  shop.respond(readOrder, ({ params: { id } }) => {
    const order = orders.find(({ _id }) => _id === id);
    return order ? Response.json(order) : createRefusal('not-found');
  });
  await openPickList(`?orders=${first},${battery},nonsense`);
  expect(await screen.findByText('1 order, 1 part.')).toBeVisible();
  expect(shop.getRequests(readOrder)).toHaveLength(2);
});

test('a chosen order that was sent is not just left out', async () => {
  shop.answer(readOrder, anOrder({ status: 'paid', quantity: 120, sent: 120 }));
  await openPickList(`?orders=${first}`);
  expect(await screen.findByText('0 orders, 0 parts. 1 order sent before.')).toBeVisible();
});

test('chosen orders are packed in one print, one sheet for one box', async () => {
  const named = (productName: string, more: object = {}) => anOrder({ ...paid, productName, ...more });
  const [one, same] = [named('Coil', { company: 'Zephyrline' }), named('Camera', { sent: 20 })];
  const shipments = [{ _id: 'x', carrier: 'DHL', number: '17', sentAt: '2026-11-21T09:00:00.000Z' }];
  const sent = { status: 'paid', sent: 120, shipments };
  const gone = named('Tray', { ...sent, number: 10475 });
  const other = named('Battery', { ...sent, address: '1 Other Street' });
  const held = named('Screw', { status: 'due', number: 10476 });
  const alsoHeld = named('Screw', { status: 'due', number: 10477 });
  const all = [one, same, gone, held, alsoHeld, other];
  shop.respond(readOrder, ({ params: { id } }) => Response.json(all.find(({ _id }) => _id === id)));
  shop.signIn('admin');
  await openPage(`/dashboard/packing-slips?orders=${all.map(({ _id }) => _id)}`);
  const sheets = await screen.findAllByRole('article', { name: /^Packing slip of order/ });
  expect(sheets.map((sheet) => /Coil|Camera|Battery/g.exec(sheet.textContent)?.[0])).toEqual([
    'Coil',
    'Battery',
  ]);
  const [box, copy] = sheets.map((sheet) => within(sheet));
  expect(box?.getByText('Zephyrline')).toBeVisible();
  expect(box?.getByRole('row', { name: /Camera.* 100$/ })).toBeVisible();
  expect(box?.queryByText(/Tray|Screw/)).toBeNull();
  expect(box?.getByText('Order 10475: Do not send this again. It was sent: DHL 17.')).toBeVisible();
  expect(box?.getByText('Orders 10476, 10477: Do not send this. It is not paid for.')).toBeVisible();
  expect(copy?.getByRole('heading', { name: 'Packing slip: copy' })).toBeVisible();
  expect(copy?.getByText('Do not send this again. It was sent: DHL 17.')).toBeVisible();
  const codes = within(sheets[0] as HTMLElement).getAllByRole('img', { name: /^QR code of/ });
  expect(codes.map((code) => code.getAttribute('aria-label'))).toEqual(['QR code of your orders']);
});

test('pieces that a parcel has are picked no more', async () => {
  const partly = anOrder({ number: 10391, status: 'paid', quantity: 1500, sent: 1000 });
  await openPickList('?status=paid', [partly]);
  expect(await screen.findByText('10391 × 500')).toBeVisible();
});

test('ticks of a pick list stay until another order comes', async () => {
  const { user } = await openPickList('', orders);
  await user.click(await screen.findByRole('checkbox', { name: 'Picked: Coil' }));
  closePage();
  await openPickList();
  expect(await screen.findByRole('checkbox', { name: 'Picked: Coil' })).toBeChecked();
  closePage();
  const more = anOrder({ ...orders[0], _id: crypto.randomUUID(), number: 10999 });
  await openPickList('', [...orders, more]);
  expect(await screen.findByRole('checkbox', { name: 'Picked: Coil' })).not.toBeChecked();
});

test('a packing slip shows contents and recipient without prices', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  const { user } = await openPickList('', orders);
  const seller = { name: 'Meridian Mobile Parts GmbH', address: ['Hafenstrasse 3', '20457 Hamburg'] };
  shop.answer(readConfig, { ...aConfig(), seller });
  shop.answer(readOrder, amaras);
  await user.click(await screen.findByRole('link', { name: 'Packing slip of order 10391' }));
  const slip = within(await screen.findByRole('article', { name: 'Packing slip of order 10391' }));
  expect(slip.getByText('Coil')).toBeVisible();
  expect(slip.getByText('1,500')).toBeVisible();
  expect(await slip.findByRole('img', { name: 'QR code of order 10391' })).toBeVisible();
  expect(slip.queryByText(/\$/)).toBeNull();
  const sender = await slip.findByLabelText('Sender');
  expect(sender).toHaveTextContent('Meridian Mobile Parts GmbH Hafenstrasse 3 20457 Hamburg');
  await user.click(screen.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
});

test("papers have the order's day in the shop's time zone", async () => {
  const order = anOrder({ number: 10093, status: 'pending', createdAt: '2026-11-26T18:00:00.000Z' });
  shop.answer(readConfig, { ...aConfig(), timeZone: 'Pacific/Auckland' });
  const { user } = await openPickList('', [order]);
  expect(await screen.findByText('27 Nov 2026')).toBeVisible();
  shop.answer(readOrder, order);
  await user.click(screen.getByRole('link', { name: 'Packing slip of order 10093' }));
  const slip = within(await screen.findByRole('article', { name: 'Packing slip of order 10093' }));
  expect(slip.getByText('27 Nov 2026')).toBeVisible();
});

test.each([
  ['has no sender, when the shop cannot be asked', () => shop.refuse(readConfig, 'unavailable')],
  ['has its sender', () => shop.answer(readConfig, aConfig())],
])('a packing slip waits for the answer whether it %s', async (_which, answer) => {
  shop.answer(listOrders, { data: orders });
  answer();
  const release = shop.hold(readConfig);
  const { user } = await openPickList();
  shop.answer(readOrder, amaras);
  await user.click(await screen.findByRole('link', { name: 'Packing slip of order 10391' }));
  await screen.findByRole('article', { name: 'Packing slip of order 10391' });
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull();
  release();
  expect(await screen.findByRole('button', { name: 'Print' })).toBeVisible();
});

test('a list that failed to load shows its error and a retry', async () => {
  shop.refuse(listOrders, 'unavailable');
  const { user } = await openPickList();
  expect(await screen.findByRole('alert')).toHaveTextContent('The orders could not be loaded');
  shop.answer(listOrders, { data: orders });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('3 orders, 2 parts. Waiting for acceptance.')).toBeVisible();
});

describe('orders on hold', () => {
  const disputed = anOrder({ number: 10087, status: 'pending', disputed: true, quantity: 500 });
  const refund = { amount: 374.4, state: 'succeeded' } as const;
  const partly = anOrder({ number: 10089, status: 'pending', quantity: 60, refund });
  const ofOthers = anOrder({
    number: 10090,
    status: 'pending',
    refund: { amount: 40, state: 'succeeded', unassigned: 40 },
  });
  const place = async (number: number) =>
    (await screen.findByRole('heading', { name: `Order ${number}` })).closest('li') as HTMLElement;

  test('the list sets held orders apart and marks partial refunds', async () => {
    const gone = anOrder({
      number: 10096,
      status: 'paid',
      totalPrice: 90,
      reference: 'PO 18',
      refund: { amount: 90, state: 'succeeded' },
    });
    await openPickList('', [disputed, partly, gone]);
    expect(
      await screen.findByText('1 order, 1 part. 2 orders not to be sent. Waiting for acceptance.'),
    ).toBeVisible();
    const parts = await screen.findByRole('table', { name: 'Parts to pick, for all orders together' });
    expect(readCells(within(parts).getAllByRole('row')[1] as HTMLElement)).toEqual([
      '',
      '60',
      '10089\u00a0×\u00a060 (partly refunded)',
    ]);
    const apart = screen.getByRole('region', { name: 'Not to be sent' });
    expect(apart).toContainElement(await place(10087));
    expect(apart).toContainElement(await place(10096));
    expect(apart).not.toContainElement(await place(10089));
    expect(within(await place(10087)).getByText('disputed')).toBeVisible();
    expect(within(await place(10096)).getByText('It was refunded.')).toBeVisible();
    expect(within(await place(10089)).getByText('partly refunded, $374.40')).toBeVisible();
  });

  test.each([
    [disputed, "Do not send this. The customer's bank disputes the payment."],
    [partly, 'A part of this order was refunded: check what goes into the box.'],
    [ofOthers, 'Part of its payment was refunded, for this order or for those paid with it'],
  ])('the packing slip prints its warning: %#', async (order, words) => {
    const { user } = await openPickList('', [order]);
    shop.answer(readConfig, aConfig());
    shop.answer(readOrder, order);
    await user.click(await screen.findByRole('link', { name: `Packing slip of order ${order.number}` }));
    const slip = await screen.findByRole('article', { name: `Packing slip of order ${order.number}` });
    expect(within(slip).getByRole('note')).toHaveTextContent(words);
  });
});
