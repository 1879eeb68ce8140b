import { createDownload } from '@parts-forge/contract/downloads';
import { acceptPayment, cancelOrder, listOrders, readOrder } from '@parts-forge/contract/orders';
import { refundOrder } from '@parts-forge/contract/payments';
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anOrder } from '#app/dev/builders.ts';
import { createRefusal, startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();

const openManageOrders = async (query = '') => {
  shop.signIn('admin');
  return openPage(`/dashboard/manage-orders${query}`);
};
const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) });
const accept = () => screen.findByRole('button', { name: /^accept payment for/ });

test('each order offers the actions of its status', async () => {
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

test('search and status are in the address and in the request', async () => {
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

test('an unknown status is ignored', async () => {
  shop.answer(listOrders, { data: [anOrder()] });
  await openManageOrders('?status=lost');
  await row('OLED');
  expect(shop.getRequests(listOrders)[0]?.query.has('status')).toBe(false);
});

test('the previous rows stay, marked busy, until new rows arrive', async () => {
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

test('an empty result offers all orders; an empty shop says so', async () => {
  const page = await openManageOrders('?q=nobody');
  expect(await screen.findByText('No order matches')).toBeVisible();
  await page.user.click(screen.getByRole('button', { name: 'Show all orders' }));
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/manage-orders'));
  expect(await screen.findByText('No orders yet')).toBeVisible();
});

test('closed orders appear by status, and in searches without open matches', async () => {
  const refunded = anOrder({ productName: 'Display', status: 'pending', closed: 'refunded' });
  shop.respond(listOrders, ({ query }) =>
    Response.json({ data: query.get('closed') === null ? [] : [refunded] }),
  );
  const { user } = await openManageOrders('?q=10100');
  expect(within(await row('Display')).getByText('refunded')).toBeVisible();
  expect(within(await row('Display')).queryAllByRole('button', { name: /accept|refund|cancel/i })).toEqual(
    [],
  );
  expect(screen.getByText(/^No open order matches “10100”\./)).toBeVisible();
  expect(shop.getRequests(listOrders).at(-1)?.query.get('closed')).toBe('true');
  // The export has the rows that the page shows.
  shop.refuse(createDownload, 'unavailable');
  await user.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() =>
    expect(shop.getSentBody(createDownload)).toEqual({
      what: 'orders',
      filters: { q: '10100', closed: 'true' },
    }),
  );
  await user.selectOptions(screen.getByLabelText('Status'), 'refunded');
  await waitFor(() => expect(shop.getRequests(listOrders).at(-1)?.query.get('closed')).toBe('refunded'));
  await waitFor(() => expect(screen.queryByText(/^No open order matches/)).not.toBeInTheDocument());
});

test("accepting shows 'Order Payment Accepted', and the row reads Shipped", async () => {
  const order = anOrder({ status: 'pending' });
  shop.answer(listOrders, { data: [order] });
  const { user } = await openManageOrders();
  shop.answer(acceptPayment, { acknowledged: true });
  // Reloads of the list before the press must still show it pending.
  const release = shop.hold(acceptPayment);
  await user.click(await accept());
  shop.answer(listOrders, { data: [{ ...order, status: 'paid' }] });
  release();
  expect(await screen.findByText('Order Payment Accepted')).toBeVisible();
  expect(within(await row('OLED')).getByText('Shipped')).toBeVisible();
  expect(shop.getSentBody(acceptPayment)).toEqual({ status: 'paid' });
  expect(shop.getRequests(acceptPayment)[0]?.params.id).toBe(order._id);
});

test('an accepted order keeps its row and focus after the list reloads', async () => {
  const [newer, older] = [
    anOrder({ productName: 'Battery', status: 'pending' }),
    anOrder({ productName: 'Display', status: 'pending' }),
  ];
  shop.answer(listOrders, { data: [older, newer] });
  const page = await openManageOrders('?status=pending');
  await row('Battery');
  shop.answer(acceptPayment, { acknowledged: true });
  const release = shop.hold(acceptPayment);
  screen.getByRole('button', { name: /^accept payment for Display/ }).focus();
  await page.user.keyboard('{Enter}');
  shop.answer(listOrders, { data: [newer] });
  release();
  expect(await screen.findByText('Order Payment Accepted')).toBeVisible();
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
  expect(rows.map((each) => /Battery|Display/.exec(each.textContent)?.[0])).toEqual(['Display', 'Battery']);
  const accepted = within(await row('Display'));
  expect(accepted.getByText('Shipped')).toBeVisible();
  expect(accepted.queryByRole('button')).toBeNull();
  await waitFor(() => expect(accepted.getByText('Accepted')).toHaveFocus());
  // Another filter drops the accepted rows.
  await page.user.selectOptions(screen.getByLabelText('Status'), '');
  await waitFor(() => expect(screen.queryByText('Accepted')).toBeNull());
});

test('a second press at the same place accepts nothing', async () => {
  const orders = ['Battery', 'Display'].map((productName) => anOrder({ productName, status: 'pending' }));
  shop.answer(listOrders, { data: orders });
  await openManageOrders();
  const press = async (name: RegExp, { y, atMs }: { y: number; atMs: number }) => {
    const button = await screen.findByRole('button', { name });
    await waitFor(() => expect(button).toBeEnabled());
    const click = createEvent.click(button, { detail: 1, clientX: 900, clientY: y });
    // The page's clock, so a slow machine cannot change the result.
    Object.defineProperty(click, 'timeStamp', { value: atMs });
    fireEvent(button, click);
  };
  shop.answer(acceptPayment, { acknowledged: true });
  await press(/^accept payment for Battery/, { y: 300, atMs: 5000 });
  expect(await screen.findByText('Order Payment Accepted')).toBeVisible();
  await press(/^accept payment for Display/, { y: 305, atMs: 5900 });
  expect(shop.getRequests(acceptPayment)).toHaveLength(1);
  await press(/^accept payment for Display/, { y: 400, atMs: 5900 });
  await waitFor(() => expect(shop.getRequests(acceptPayment)).toHaveLength(2));
});

test('the second press of a double click accepts nothing', async () => {
  shop.answer(listOrders, { data: [anOrder({ status: 'pending' })] });
  await openManageOrders();
  fireEvent.click(await accept(), { detail: 2 });
  expect(shop.getRequests(acceptPayment)).toEqual([]);
});

test('a payment accepted elsewhere shows a notice in its row', async () => {
  shop.answer(listOrders, { data: [anOrder({ status: 'pending' })] });
  const { user } = await openManageOrders();
  shop.refuse(acceptPayment, 'not-pending');
  await user.click(await accept());
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'OLED display assembly, Amara Okafor: This payment has already been accepted.',
  );
});

test('the cancel dialog names the customer, the stock and the mail', async () => {
  shop.answer(listOrders, { data: [anOrder()] });
  const { user } = await openManageOrders();
  await user.click(await screen.findByRole('button', { name: /^Cancel order of/ }));
  const question = screen.getByRole('dialog', { name: 'Cancel this order?' });
  expect(question).toHaveTextContent('Amara Okafor');
  expect(question).toHaveTextContent('pieces go back into stock, and the customer gets a mail.');
  shop.answer(cancelOrder, { deletedCount: 1 });
  await user.click(within(question).getByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByText('Order Cancel successfully..!')).toBeVisible();
});

test('a row has number, payment and a link to the order', async () => {
  const order = anOrder({ number: 10415, status: 'pending', transactionId: 'pi_3QhV1xKw0Lc2' });
  shop.answer(listOrders, { data: [order] });
  await openManageOrders();
  const cells = within(await row('OLED'));
  expect(cells.getByText(/^10415,/)).toBeVisible();
  expect(cells.getByText('pi_3QhV1xKw0Lc2')).toBeVisible();
  expect(cells.getByRole('link', { name: 'OLED display assembly' })).toHaveAttribute(
    'href',
    `/dashboard/order/${order._id}`,
  );
});

test('accepting several payments asks once, each with its own result', async () => {
  const [good, gone, disputed, due] = [
    anOrder({ productName: 'Battery', status: 'pending', totalPrice: 100.5 }),
    anOrder({ productName: 'Display', status: 'pending', totalPrice: 200 }),
    anOrder({ productName: 'Camera', status: 'pending', disputed: true }),
    anOrder({ productName: 'Coil' }),
  ];
  shop.answer(listOrders, { data: [good, gone, disputed, due] });
  const { user } = await openManageOrders();
  // Unpaid, disputed and partly refunded orders cannot be chosen together.
  expect(await screen.findAllByRole('checkbox', { name: /^Choose order/ })).toHaveLength(2);
  await user.click(screen.getByRole('checkbox', { name: 'Choose all 2 listed to accept' }));
  await user.click(screen.getByRole('button', { name: 'Accept 2 payments' }));
  const question = screen.getByRole('dialog', { name: 'Accept 2 payments?' });
  expect(question).toHaveTextContent('$300.50 in all.');
  shop.respond(acceptPayment, ({ params: { id } }) =>
    id === good._id ? Response.json({ acknowledged: true }) : createRefusal('payment-refunded'),
  );
  await user.click(within(question).getByRole('button', { name: 'Accept 2 payments' }));
  expect(await screen.findByText('1 accepted, 1 not: see the lines')).toBeVisible();
  expect(within(await row('Battery')).getByText('Shipped')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent(
    'Display, Amara Okafor: The payment of this order was refunded, so it cannot be accepted.',
  );
  expect(shop.getRequests(acceptPayment).map(({ params, body }) => [params.id, body])).toEqual([
    [good._id, { status: 'paid' }],
    [gone._id, { status: 'paid' }],
  ]);
});

test('papers of the chosen orders are downloaded', async () => {
  const orders = Array.from({ length: 3 }, () => anOrder({ status: 'pending' }));
  shop.answer(listOrders, { data: orders });
  shop.refuse(createDownload, 'too-many');
  const { user } = await openManageOrders();
  const box = await screen.findByRole('checkbox', { name: 'Choose all 3 listed to accept' });
  expect(screen.queryByRole('button', { name: 'Papers' })).not.toBeInTheDocument();
  await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Papers' }));
  await screen.findByText('Those were too many attempts in a short time.');
  expect(shop.getRequests(createDownload).map(({ body }) => body)).toEqual([
    { what: 'invoices', orders: orders.map(({ _id }) => _id), as: 'zip' },
  ]);
});

test('at most three payments are accepted at once', async () => {
  const orders = Array.from({ length: 7 }, () => anOrder({ status: 'pending' }));
  shop.answer(listOrders, { data: orders });
  const { user } = await openManageOrders();
  await user.click(await screen.findByRole('checkbox', { name: 'Choose all 7 listed to accept' }));
  await user.click(screen.getByRole('button', { name: 'Accept 7 payments' }));
  const waiting: (() => void)[] = [];
  shop.respond(acceptPayment, async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return Response.json({ acknowledged: true });
  });
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Accept 7 payments' }));
  for (let done = 0; done < 7; done += 1) {
    await waitFor(() => expect(waiting.length).toBe(Math.min(7, done + 3)));
    expect(waiting.length - done).toBeLessThanOrEqual(3);
    waiting[done]?.();
  }
  expect(await screen.findByText('7 accepted')).toBeVisible();
});

test.each([
  [{ status: 'pending', disputed: true }, 'disputed', []],
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
  'refund or dispute stands beside the status, with its actions: %j',
  async (order, text, buttons) => {
    shop.answer(listOrders, { data: [anOrder(order)] });
    await openManageOrders();
    const cells = within(await row('OLED'));
    expect(cells.getByText(text)).toBeVisible();
    expect(cells.queryAllByRole('button').map((button) => button.textContent)).toEqual(buttons);
  },
);

test("accepting a partly refunded payment asks first and sends 'despite'", async () => {
  const refund = { amount: 40, state: 'succeeded' } as const;
  shop.answer(listOrders, { data: [anOrder({ status: 'pending', refund })] });
  const { user } = await openManageOrders();
  shop.answer(acceptPayment, { acknowledged: true });
  await user.click(await accept());
  const question = within(await screen.findByRole('dialog', { name: 'Accept this payment?' }));
  expect(question.getByText('$40.00 of it were refunded.')).toBeVisible();
  expect(shop.getRequests(acceptPayment)).toEqual([]);
  await user.click(question.getByRole('button', { name: 'accept payment' }));
  expect(await screen.findByText('Order Payment Accepted')).toBeVisible();
  expect(shop.getSentBody(acceptPayment)).toEqual({ status: 'paid', despite: 'partly-refunded' });
});

const askForRefund = () => screen.findByRole('button', { name: /^Refund order of/ });

test.each([
  ['pending', true, 'The order is closed and cannot be brought back.'],
  ['paid', false, ''],
] as const)(
  'the refund dialog of a %s order names amount, pieces and reason',
  async (status, returnStock, text) => {
    const order = anOrder({ status, refund: { amount: 740, state: 'succeeded' } });
    shop.answer(listOrders, { data: [order] });
    const { user } = await openManageOrders();
    await user.click(await askForRefund());
    const question = screen.getByRole('dialog', { name: `Refund of order ${order.number}` });
    expect(question).toHaveTextContent(
      `Paid$7,740.00Given back before−$740.00Stays paid after this$0.00${text}Reason`,
    );
    const checkbox = within(question).getByRole('checkbox', { name: 'Put 120 pieces back in stock' });
    expect([(checkbox as HTMLInputElement).checked, shop.getRequests(refundOrder)]).toEqual([
      returnStock,
      [],
    ]);
    shop.answer(refundOrder, { acknowledged: true, refund: { amount: 7740, state: 'pending' } });
    await user.click(checkbox);
    await user.type(within(question).getByLabelText('Reason (optional)'), ' Wrong model ');
    await user.click(within(question).getByRole('button', { name: 'Refund $7,000.00' }));
    expect(await screen.findByText('Order refunded')).toBeVisible();
    expect(shop.getSentBody(refundOrder)).toEqual({ returnStock: !returnStock, reason: 'Wrong model' });
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

test('an order that can no longer be refunded shows a notice', async () => {
  shop.answer(listOrders, { data: [anOrder({ status: 'pending' })] });
  const { user } = await openManageOrders();
  await user.click(await askForRefund());
  shop.refuse(refundOrder, 'disputed');
  await user.click(screen.getByRole('button', { name: 'Refund $7,740.00' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    "OLED display assembly, Amara Okafor: The customer's bank disputes this payment.",
  );
});

test('accepting an order refunded elsewhere says how it closed', async () => {
  const order = anOrder({ number: 10096, status: 'pending' });
  shop.answer(listOrders, { data: [order] });
  const { user } = await openManageOrders();
  shop.refuse(acceptPayment, 'not-found');
  shop.answer(readOrder, { ...order, closed: 'refunded' });
  await user.click(await accept());
  expect(
    await screen.findByText(/Order 10096 has ended \(refunded\) and cannot be accepted\./),
  ).toBeVisible();
  expect(shop.getRequests(readOrder).at(-1)?.query.get('closed')).toBe('true');
});
