import { acceptPayment, cancelOrder, listOrders } from '@parts-forge/contract/orders';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anOrder } from '#app/dev/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const openManageOrders = async (query = '') => {
  shop.signIn('admin');
  return openPage(`/dashboard/manage-orders${query}`);
};
const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
const accept = () => screen.findByRole('button', { name: /^accept payment for/ });

test("everybody's orders are listed: unpaid ones can be cancelled, pending ones accepted, paid ones are Shipped", async () => {
  shop.answer(listOrders, {
    data: [
      anOrder({ productName: 'Display' }),
      anOrder({ productName: 'Battery', status: 'pending' }),
      anOrder({ productName: 'Camera', status: 'paid' }),
    ],
  });
  await openManageOrders();
  expect(await screen.findByRole('heading', { level: 1, name: 'All Orders' })).toBeVisible();
  expect(document.title).toBe('Manage All Orders · Parts Forge');
  const due = within(await row('Display'));
  expect(due.getByText('unpaid')).toBeVisible();
  expect(due.getAllByRole('button').map((button) => button.textContent)).toEqual(['Cancel']);
  const pending = within(await row('Battery'));
  expect(pending.getByText('pending')).toBeVisible();
  expect(pending.getAllByRole('button').map((button) => button.textContent)).toEqual(['accept payment']);
  const paid = within(await row('Camera'));
  expect(paid.getByText('Shipped')).toBeVisible();
  expect(paid.queryByRole('button')).toBeNull();
});

test('search and status are in the address and in the call', async () => {
  shop.answer(listOrders, { data: [anOrder()] });
  const page = await openManageOrders('?q=amara&status=due');
  await row('OLED');
  expect(Object.fromEntries(shop.getRequests(listOrders)[0]?.query ?? [])).toEqual({
    limit: '24',
    q: 'amara',
    status: 'due',
  });
  expect(screen.getByLabelText('Search orders')).toHaveValue('amara');
  expect(screen.getByLabelText('Status')).toHaveDisplayValue('unpaid');
  await page.user.selectOptions(screen.getByLabelText('Status'), 'paid');
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/manage-orders?q=amara&status=paid'));
  await page.user.clear(screen.getByLabelText('Search orders'));
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/manage-orders?status=paid'));
  await waitFor(() => expect(shop.getRequests(listOrders).at(-1)?.query.has('q')).toBe(false));
});

test('a status that is none is left out', async () => {
  shop.answer(listOrders, { data: [anOrder()] });
  await openManageOrders('?status=lost');
  await row('OLED');
  expect(shop.getRequests(listOrders)[0]?.query.has('status')).toBe(false);
});

test('the rows before stay, marked as busy, until the new ones are there', async () => {
  shop.answer(listOrders, { data: [anOrder({ productName: 'Display' })] });
  const { user } = await openManageOrders();
  await row('Display');
  shop.answer(listOrders, { data: [anOrder({ productName: 'Battery' })] });
  const release = shop.hold(listOrders);
  await user.selectOptions(screen.getByLabelText('Status'), 'unpaid');
  await waitFor(() => expect(screen.getByRole('table').parentElement).toHaveAttribute('aria-busy', 'true'));
  expect(await row('Display')).toBeVisible();
  release();
  expect(await row('Battery')).toBeVisible();
});

test('when nothing matches, all orders can be shown; when there are none, the page says so', async () => {
  shop.answer(listOrders, { data: [] });
  const page = await openManageOrders('?q=nobody');
  expect(await screen.findByText('No order matches')).toBeVisible();
  await page.user.click(screen.getByRole('button', { name: 'Show all orders' }));
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/manage-orders'));
  expect(await screen.findByText('No orders yet')).toBeVisible();
});

test("a payment is accepted with 'Order Payment Accepted', and the row reads Shipped", async () => {
  const order = anOrder({ status: 'pending' });
  shop.answer(listOrders, { data: [order] });
  const { user } = await openManageOrders();
  shop.answer(acceptPayment, { acknowledged: true });
  const button = await accept();
  shop.answer(listOrders, { data: [{ ...order, status: 'paid' }] });
  await user.click(button);
  expect(await screen.findByText('Order Payment Accepted')).toBeVisible();
  expect(within(await row('OLED')).getByText('Shipped')).toBeVisible();
  expect(shop.getSentBody(acceptPayment)).toEqual({ status: 'paid' });
  expect(shop.getRequests(acceptPayment)[0]?.params.id).toBe(order._id);
});

test('the second press of a double click accepts nothing', async () => {
  shop.answer(listOrders, { data: [anOrder({ status: 'pending' })] });
  await openManageOrders();
  fireEvent.click(await accept(), { detail: 2 });
  expect(shop.getRequests(acceptPayment)).toEqual([]);
});

test('a payment that was accepted elsewhere has a notice in the place of its row', async () => {
  shop.answer(listOrders, { data: [anOrder({ status: 'pending' })] });
  const { user } = await openManageOrders();
  shop.refuse(acceptPayment, 'not-pending');
  await user.click(await accept());
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'OLED display assembly, Amara Okafor: This payment was accepted meanwhile.',
  );
});

test('the question before a cancellation names the customer', async () => {
  shop.answer(listOrders, { data: [anOrder()] });
  const { user } = await openManageOrders();
  await user.click(await screen.findByRole('button', { name: /^Cancel order of/ }));
  const question = screen.getByRole('dialog', { name: 'Cancel this order?' });
  expect(question).toHaveTextContent('The order of Amara Okafor is deleted and cannot be brought back.');
  shop.answer(cancelOrder, { deletedCount: 1 });
  await user.click(within(question).getByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByText('Order Cancel successfully..!')).toBeVisible();
});
