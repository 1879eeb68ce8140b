import { acceptPayment, cancelOrder, listOrders } from '@parts-forge/contract/orders';
import { refundOrder } from '@parts-forge/contract/payments';
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

test("everybody's orders are listed: unpaid ones can be cancelled, pending ones accepted, paid ones are Shipped, money can be given back", async () => {
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
  expect(pending.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'Refund',
    'accept payment',
  ]);
  const paid = within(await row('Camera'));
  expect(paid.getByText('Shipped')).toBeVisible();
  expect(paid.getAllByRole('button').map((button) => button.textContent)).toEqual(['Refund']);
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
  // Any reload of the list before the press must show it as it still is.
  const release = shop.hold(acceptPayment);
  await user.click(await accept());
  shop.answer(listOrders, { data: [{ ...order, status: 'paid' }] });
  release();
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

test.each([
  [{ status: 'pending', disputed: true }, 'disputed', ['accept payment']],
  [
    { status: 'pending', refund: { amount: 40, state: 'succeeded' } },
    'partly refunded, $40.00',
    ['Refund', 'accept payment'],
  ],
  [{ status: 'paid', refund: { amount: 7740, state: 'succeeded' } }, 'refunded', []],
  [{ status: 'paid', refund: { amount: 7740, state: 'pending' } }, 'refund pending', []],
  [{ status: 'paid', refund: { amount: 40, state: 'failed' } }, 'refund failed', ['Refund']],
  [{ status: 'due', heldUntil: '2026-11-24T12:30:00.000Z' }, /^Held until/, ['Cancel']],
] as const)(
  'what became of the money stands beside the status, with what can be done: %j',
  async (order, text, buttons) => {
    shop.answer(listOrders, { data: [anOrder(order)] });
    await openManageOrders();
    const cells = within(await row('OLED'));
    expect(cells.getByText(text)).toBeVisible();
    expect(cells.queryAllByRole('button').map((button) => button.textContent)).toEqual(buttons);
  },
);

test('a payment of which a part was given back is accepted with these words', async () => {
  const refund = { amount: 40, state: 'succeeded' } as const;
  shop.answer(listOrders, { data: [anOrder({ status: 'pending', refund })] });
  const { user } = await openManageOrders();
  shop.answer(acceptPayment, { acknowledged: true });
  await user.click(await accept());
  expect(await screen.findByText('Order Payment Accepted')).toBeVisible();
  expect(shop.getSentBody(acceptPayment)).toEqual({ status: 'paid', despite: 'partly-refunded' });
});

const askForRefund = () => screen.findByRole('button', { name: /^Refund order of/ });

test.each([
  ['pending', true, 'The order is closed and cannot be brought back.'],
  ['paid', false, ''],
] as const)(
  'the question before a refund of a %s order says what follows and what becomes of its pieces',
  async (status, returnStock, text) => {
    const order = anOrder({ status, refund: { amount: 740, state: 'succeeded' } });
    shop.answer(listOrders, { data: [order] });
    const { user } = await openManageOrders();
    await user.click(await askForRefund());
    const question = screen.getByRole('dialog', { name: 'Refund this order?' });
    expect(question).toHaveTextContent(`$7,000.00 go back to the card of Amara Okafor. ${text}`.trim());
    const checkbox = within(question).getByRole('checkbox', { name: 'Return 120 pieces to the stock' });
    expect([(checkbox as HTMLInputElement).checked, shop.getRequests(refundOrder)]).toEqual([
      returnStock,
      [],
    ]);
    shop.answer(refundOrder, { acknowledged: true, refund: { amount: 7740, state: 'pending' } });
    await user.click(checkbox);
    await user.click(within(question).getByRole('button', { name: 'Refund order' }));
    expect(await screen.findByText('Order refunded')).toBeVisible();
    expect(shop.getSentBody(refundOrder)).toEqual({ returnStock: !returnStock });
    expect(shop.getRequests(refundOrder)[0]?.params.id).toBe(order._id);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  },
);

test('the second press of a double click asks for no refund', async () => {
  shop.answer(listOrders, { data: [anOrder({ status: 'paid' })] });
  await openManageOrders();
  fireEvent.click(await askForRefund(), { detail: 2 });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an order that cannot be refunded any more has a notice in the place of its row', async () => {
  shop.answer(listOrders, { data: [anOrder({ status: 'pending' })] });
  const { user } = await openManageOrders();
  await user.click(await askForRefund());
  shop.refuse(refundOrder, 'disputed');
  await user.click(screen.getByRole('button', { name: 'Refund order' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    "OLED display assembly, Amara Okafor: The customer's bank has called this payment into question.",
  );
});
