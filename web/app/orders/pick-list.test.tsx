import { listOrders, readOrder } from '@parts-forge/contract/orders';
import { readProduct } from '@parts-forge/contract/products';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { anOrder, aProduct } from '#app/dev/builders.ts';
import { createRefusal, startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const [coil, battery] = ['01a20000-0000-7000-8000-000000000001', '01a20000-0000-7000-8000-000000000002'];
const [first, second] = ['01a20000-0000-7000-8000-00000000000a', '01a20000-0000-7000-8000-00000000000b'];
const amaras = anOrder({
  _id: first,
  number: 10391,
  productId: coil,
  productName: 'Coil',
  quantity: 1500,
  name: 'Amara',
});
const orders = [
  anOrder({ _id: second, number: 10402, productId: coil, productName: 'Coil', quantity: 60, name: 'Tomás' }),
  amaras,
  anOrder({
    number: 10410,
    productId: battery,
    productName: 'Battery',
    quantity: 70,
    address: 'Accra\nGhana',
  }),
];

const openPickList = async (query = '') => {
  shop.signIn('admin');
  shop.respond(readProduct, ({ params: { id = '' } }) =>
    Response.json({ data: aProduct({ _id: id, number: id === coil ? 'PF-W1501' : 'PF-B4501' }) }),
  );
  return openPage(`/dashboard/pick-list${query}`);
};
const readCells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

test('parts of all orders that are paid for are summed up, each with its orders, and every order with its address', async () => {
  shop.answer(listOrders, { data: orders });
  await openPickList();
  const parts = await screen.findByRole('table', { name: 'Parts to pick, for all orders together' });
  expect(await within(parts).findByText('PF-W1501')).toBeVisible();
  const [, ...rows] = within(parts).getAllByRole('row');
  expect(rows.map(readCells)).toEqual([
    ['70', '10410 × 70', ''],
    ['1,560', '10391 × 1,500, 10402 × 60', ''],
  ]);
  expect(screen.getByText('3 orders, 2 parts.')).toBeVisible();
  const headings = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
  expect(headings).toEqual(['Order 10391', 'Order 10402', 'Order 10410']);
  expect(screen.getByText(/Accra\s+Ghana/)).toBeVisible();
  expect(shop.getRequests(listOrders)[0]?.query.get('status')).toBe('pending');
});

test('the accepted ones can be picked instead', async () => {
  shop.answer(listOrders, { data: [] });
  const { user, getAddress } = await openPickList();
  expect(await screen.findByRole('heading', { name: 'Nothing to pick' })).toBeVisible();
  shop.answer(listOrders, { data: orders });
  await user.click(screen.getByRole('link', { name: 'Accepted' }));
  expect(await screen.findByText('3 orders, 2 parts.')).toBeVisible();
  expect(getAddress()).toBe('/dashboard/pick-list?status=paid');
  expect(shop.getRequests(listOrders).at(-1)?.query.get('status')).toBe('paid');
});

test('the chosen orders alone are picked, but for those that have ended', async () => {
  shop.respond(readOrder, ({ params: { id } }) => {
    const order = orders.find(({ _id }) => _id === id);
    return order ? Response.json(order) : createRefusal('not-found');
  });
  await openPickList(`?orders=${first},${battery},nonsense`);
  expect(await screen.findByText('1 order, 1 part.')).toBeVisible();
  expect(shop.getRequests(readOrder)).toHaveLength(2);
});

test('a packing slip says what is in the box and for whom, and no price', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  shop.answer(listOrders, { data: orders });
  const { user } = await openPickList();
  shop.answer(readOrder, amaras);
  await user.click(await screen.findByRole('link', { name: 'Packing slip of order 10391' }));
  const slip = within(await screen.findByRole('article', { name: 'Packing slip of order 10391' }));
  expect(slip.getByText('Coil')).toBeVisible();
  expect(slip.getByText('1,500')).toBeVisible();
  expect(await slip.findByRole('img', { name: "QR code of the part's page" })).toBeVisible();
  expect(slip.queryByText(/\$/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
});

test('orders that cannot be loaded are said and asked for again', async () => {
  shop.refuse(listOrders, 'unavailable');
  const { user } = await openPickList();
  expect(await screen.findByRole('alert')).toHaveTextContent('The orders could not be loaded');
  shop.answer(listOrders, { data: orders });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('3 orders, 2 parts.')).toBeVisible();
});

test('what the bank questions, and what was given back in part, is marked on the list', async () => {
  const [disputed, partly] = [
    anOrder({ number: 10087, status: 'pending', disputed: true }),
    anOrder({ number: 10089, status: 'pending', refund: { amount: 374.4, state: 'succeeded' } }),
  ];
  shop.answer(listOrders, { data: [disputed, partly] });
  await openPickList();
  const place = async (number: number) =>
    (await screen.findByRole('heading', { name: `Order ${number}` })).closest('li') as HTMLElement;
  expect(within(await place(10087)).getByText('disputed')).toBeVisible();
  expect(within(await place(10089)).getByText('partly refunded, $374.40')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Waiting for acceptance' })).toHaveClass('btn-neutral');
  expect(screen.getByRole('link', { name: 'Accepted' })).not.toHaveClass('btn-neutral');
});
