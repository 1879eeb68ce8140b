import { createDownload } from '@parts-forge/contract/files/downloads';
import { refundOrder } from '@parts-forge/contract/money/payments';
import { actOnOrders, addShipments } from '@parts-forge/contract/orders/order-bulk';
import { acceptPayment, cancelOrder, listOrders, type Order } from '@parts-forge/contract/orders/orders';
import { readConfig } from '@parts-forge/contract/people/identity';
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aConfig, anOrder, aPaper } from '#test/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';
import { row, tab } from '#test/orders-table.ts';
import { openRowMenu } from '#test/row-menu.ts';

const shop = startFakeShop();

/** @param orders of the list; without them the test answers it */
const openManageOrders = async (query = '', orders?: Order[]) => {
  shop.signIn('admin');
  if (orders) shop.answer(listOrders, { data: orders });
  return openPage(`/dashboard/manage-orders${query}`);
};
const accept = () => screen.findByRole('button', { name: /^accept payment for/ });

test('each order offers the actions of its status', async () => {
  const { user } = await openManageOrders('', [
    anOrder({ productName: 'Display', company: 'Zephyrline' }),
    anOrder({ productName: 'Battery', status: 'pending' }),
    anOrder({ productName: 'Camera', status: 'paid' }),
  ]);
  expect(await screen.findByRole('heading', { level: 1, name: 'All Orders' })).toBeVisible();
  expect(document.title).toBe('Manage All Orders · Parts Forge');
  const listActions = async (part: string) => {
    const cells = within(await row(part));
    await user.click(cells.getByRole('button', { name: /^More for order/ }));
    const names = cells.getAllByRole('button').map(({ textContent }) => textContent);
    return [...new Set(names.filter((name) => name !== ''))];
  };
  expect(within(await row('Display')).getByText('Zephyrline')).toBeVisible();
  expect(within(await row('Display')).getByText('unpaid')).toBeVisible();
  expect(await listActions('Display')).toEqual(['Cancel', 'Details']);
  expect(within(await row('Battery')).getByText('pending')).toBeVisible();
  expect(await listActions('Battery')).toEqual(['accept payment', 'Details', 'Refund']);
  expect(within(await row('Camera')).getByText('Shipped')).toBeVisible();
  expect(await listActions('Camera')).toEqual(['Details', 'Refund']);
});

test('search and status are in the address and in the request', async () => {
  const page = await openManageOrders('?q=amara&status=due', [anOrder()]);
  await row('OLED');
  expect(Object.fromEntries(shop.getRequests(listOrders)[0]?.query ?? [])).toEqual({
    limit: '50',
    rows: 'purchases',
    q: 'amara',
    status: 'due',
  });
  expect(screen.getByLabelText('Search orders')).toHaveValue('amara');
  expect(tab('unpaid')).toHaveAttribute('aria-current', 'true');
  await page.user.click(tab('Shipped'));
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/manage-orders?q=amara&status=paid'));
  await page.user.click(tab('To send'));
  await waitFor(() => expect(shop.getRequests(listOrders).at(-1)?.query.get('toSend')).toBe('true'));
  await page.user.click(tab('Shipped'));
  await page.user.clear(screen.getByLabelText('Search orders'));
  await waitFor(() => expect(page.getAddress()).toBe('/dashboard/manage-orders?status=paid'));
  await waitFor(() => expect(shop.getRequests(listOrders).at(-1)?.query.has('q')).toBe(false));
});

test('an unknown status and days of no month are ignored', async () => {
  await openManageOrders('?status=lost&from=2026-02-31&before=2026-04-31', [anOrder()]);
  await row('OLED');
  expect([...(shop.getRequests(listOrders)[0]?.query.keys() ?? [])]).toEqual(['limit', 'rows']);
});

test('the previous rows stay, marked busy, until new rows arrive', async () => {
  const { user } = await openManageOrders('', [anOrder({ productName: 'Display' })]);
  await row('Display');
  shop.answer(listOrders, { data: [anOrder({ productName: 'Battery' })] });
  const release = shop.hold(listOrders);
  await user.click(tab('unpaid'));
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
  await user.click(tab('ended'));
  await waitFor(() => expect(tab('ended')).toHaveAttribute('aria-current', 'true'));
  await waitFor(() => expect(screen.queryByText(/^No open order matches/)).not.toBeInTheDocument());
});

test("accepting shows 'Order Payment Accepted', and the row reads Shipped", async () => {
  const order = anOrder({ status: 'pending' });
  const { user } = await openManageOrders('', [order]);
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
  const page = await openManageOrders('?status=pending', [older, newer]);
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
  expect(accepted.queryByRole('button', { name: /^accept/ })).toBeNull();
  await waitFor(() => expect(accepted.getByText('Accepted')).toHaveFocus());
  // Another filter drops the accepted rows.
  await page.user.click(tab('All'));
  await waitFor(() => expect(screen.queryByText('Accepted')).toBeNull());
});

test('accepting the oldest order moves no other row', async () => {
  const orders = ['Battery', 'Display', 'Flex'].map((productName) =>
    anOrder({ productName, status: 'pending' }),
  );
  const { user } = await openManageOrders('?status=pending&sort=oldest', orders);
  await row('Battery');
  shop.answer(acceptPayment, { acknowledged: true });
  const release = shop.hold(acceptPayment);
  await user.click(screen.getByRole('button', { name: /^accept payment for Battery/ }));
  shop.answer(listOrders, { data: orders.slice(1) });
  release();
  expect(await screen.findByText('Order Payment Accepted')).toBeVisible();
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
  expect(rows.map((each) => /Battery|Display|Flex/.exec(each.textContent)?.[0])).toEqual([
    'Battery',
    'Display',
    'Flex',
  ]);
});

test('a second press at the same place accepts nothing', async () => {
  const orders = ['Battery', 'Display'].map((productName) => anOrder({ productName, status: 'pending' }));
  await openManageOrders('', orders);
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
  await openManageOrders('', [anOrder({ status: 'pending' })]);
  fireEvent.click(await accept(), { detail: 2 });
  expect(shop.getRequests(acceptPayment)).toEqual([]);
});

test('a payment accepted elsewhere shows a notice in its row', async () => {
  const { user } = await openManageOrders('', [anOrder({ status: 'pending' })]);
  shop.refuse(acceptPayment, 'not-pending');
  await user.click(await accept());
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'OLED display assembly, Amara Okafor: This payment has already been accepted.',
  );
});

test('the cancel dialog names the customer, the stock and the mail', async () => {
  const { user } = await openManageOrders('', [anOrder()]);
  await user.click(await screen.findByRole('button', { name: /^Cancel order of/ }));
  const question = screen.getByRole('dialog', { name: 'Cancel this order?' });
  expect(question).toHaveTextContent('Amara Okafor');
  expect(question).toHaveTextContent('pieces go back into stock, and the customer gets a mail.');
  shop.answer(cancelOrder, { deletedCount: 1 });
  await user.click(within(question).getByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByText('Order Cancel successfully..!')).toBeVisible();
});

test('a row opens in place, and links to its order', async () => {
  const order = anOrder({ number: 10415, status: 'pending', transactionId: 'pi_3QhV1xKw0Lc2' });
  const { user } = await openManageOrders('', [order]);
  expect(within(await row('OLED')).getByRole('link', { name: '10415' })).toHaveAttribute(
    'href',
    `/dashboard/order/${order._id}`,
  );
  expect(screen.queryByText('pi_3QhV1xKw0Lc2')).toBeNull();
  screen.getByRole('checkbox', { name: 'Choose order 10415' }).focus();
  await user.keyboard('{Enter}');
  expect(screen.getByText('pi_3QhV1xKw0Lc2')).toBeVisible();
  expect(screen.getByText(order.phone)).toBeVisible();
  await openRowMenu(user);
  expect(screen.getByRole('button', { name: 'Details' })).toHaveAttribute('aria-expanded', 'true');
  await user.click(screen.getByRole('button', { name: 'Details' }));
  expect(screen.queryByText('pi_3QhV1xKw0Lc2')).toBeNull();
});

test('days, part and sort are in the address and in the request', async () => {
  const order = anOrder();
  const { user, getAddress } = await openManageOrders('?from=2026-11-01&before=2026-12-01', [order]);
  expect(await screen.findByRole('button', { name: 'November 2026' })).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Order' }));
  await user.click(screen.getByRole('button', { name: 'Total price' }));
  await waitFor(() =>
    expect(Object.fromEntries(shop.getRequests(listOrders).at(-1)?.query ?? [])).toEqual({
      limit: '50',
      rows: 'purchases',
      from: '2026-11-01T00:00:00.000Z',
      before: '2026-12-01T00:00:00.000Z',
      sort: '-total',
    }),
  );
  await waitFor(() =>
    expect(screen.getByRole('columnheader', { name: 'Total price' })).toHaveAttribute(
      'aria-sort',
      'descending',
    ),
  );
  await openRowMenu(user);
  await user.click(screen.getByRole('link', { name: 'Orders of this part' }));
  await waitFor(() => expect(getAddress()).toBe(`/dashboard/manage-orders?part=${order.productId}`));
  expect(shop.getRequests(listOrders).at(-1)?.query.get('product')).toBe(order.productId);
  expect(await screen.findByText('Only orders of OLED display assembly.')).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Show the others, too' }));
  await waitFor(() => expect(getAddress()).toBe('/dashboard/manage-orders'));
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
});

test('accepting several payments asks once; refused ones stay chosen with their reason', async () => {
  const [good, gone, disputed, due] = [
    anOrder({ productName: 'Battery', status: 'pending', totalPrice: 100.5 }),
    anOrder({ productName: 'Display', status: 'pending', totalPrice: 200 }),
    anOrder({ productName: 'Camera', status: 'pending', disputed: true }),
    anOrder({ productName: 'Coil' }),
  ];
  const { user } = await openManageOrders('', [good, gone, disputed, due]);
  await user.click(await screen.findByRole('checkbox', { name: 'Choose all 4 listed' }));
  expect(screen.getByText('4 chosen')).toBeVisible();
  // Unpaid, disputed and partly refunded orders are not accepted together.
  await user.click(screen.getByRole('button', { name: 'Accept 2' }));
  const question = screen.getByRole('dialog', { name: 'Accept 2 payments?' });
  expect(question).toHaveTextContent('$300.50 in all.');
  expect(question).toHaveTextContent(`2 orders: ${good.number}, ${gone.number}`);
  expect(question).toHaveTextContent(`Left out: ${disputed.number} (disputed)`);
  shop.answer(actOnOrders, {
    data: [
      { id: good._id, ok: true },
      { id: gone._id, ok: false, error: { code: 'payment-refunded', detail: 'Refunded.' } },
    ],
  });
  await user.click(within(question).getByRole('button', { name: 'Accept 2 payments' }));
  expect(await screen.findByText('1 accepted, 1 not: see their lines')).toBeVisible();
  expect(within(await row('Battery')).getByText('Shipped')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent(
    'Display, Amara Okafor: The payment of this order was refunded, so it cannot be accepted.',
  );
  expect(shop.getSentBody(actOnOrders)).toEqual({ act: 'accept', ids: [good._id, gone._id] });
  expect(shop.getRequests(actOnOrders)[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
  const chosen = screen.getAllByRole('checkbox', { name: /^Choose order/, checked: true });
  expect(chosen.map((box) => box.getAttribute('aria-label'))).toEqual([
    `Choose order ${gone.number}`,
    `Choose order ${disputed.number}`,
    `Choose order ${due.number}`,
  ]);
});

test('one parcel is added to the chosen orders of one box', async () => {
  const [good, gone] = [anOrder({ status: 'paid' }), anOrder({ status: 'paid', productName: 'Display' })];
  const sent = anOrder({ status: 'paid', sent: 120 });
  const elsewhere = anOrder({ status: 'paid', address: 'Elsewhere', productName: 'Tray' });
  const { user } = await openManageOrders('', [good, gone, sent, elsewhere]);
  await user.click(await screen.findByRole('checkbox', { name: 'Choose all 4 listed' }));
  await user.click(screen.getByRole('button', { name: 'Add parcel' }));
  expect(await screen.findByText(/These orders go to 2 addresses/)).toBeVisible();
  await user.click(screen.getByRole('checkbox', { name: `Choose order ${elsewhere.number}` }));
  await user.click(screen.getByRole('button', { name: 'Add parcel' }));
  const dialog = within(screen.getByRole('dialog', { name: 'One parcel for 2 orders' }));
  const invalid = { ok: false, error: { code: 'invalid', detail: 'number is Required' } } as const;
  shop.answer(addShipments, { data: [good, gone].map(({ _id: id }) => ({ id, ...invalid })) });
  await user.type(dialog.getByLabelText('Carrier'), 'DHL');
  await user.click(dialog.getByRole('button', { name: 'Add parcel' }));
  expect(await dialog.findByText('number is Required')).toBeVisible();
  await user.type(dialog.getByLabelText('Parcel number'), '17');
  const error = { code: 'more-than-left', detail: '0 of 120 pieces are to be sent' } as const;
  shop.answer(addShipments, {
    data: [
      { id: good._id, ok: true },
      { id: gone._id, ok: false, error },
    ],
  });
  await user.click(dialog.getByRole('button', { name: 'Add parcel' }));
  expect(await screen.findByText('Parcel added to 1 of 2 orders')).toBeVisible();
  expect(await screen.findByText(/0 of 120 pieces are to be sent/)).toBeVisible();
  const lines = [good, gone].map(({ _id }) => ({
    order: _id,
    carrier: 'DHL',
    number: '17',
    sentAt: expect.any(String),
  }));
  expect(shop.getRequests(addShipments).at(-1)?.body).toEqual({ parcels: lines });
  expect(screen.getByText('2 chosen')).toBeVisible();
});

test('a parcel that was added to no order is no success', async () => {
  const order = anOrder({ status: 'paid' });
  const { user } = await openManageOrders('', [order]);
  await user.click(await screen.findByRole('checkbox', { name: `Choose order ${order.number}` }));
  await user.click(screen.getByRole('button', { name: 'Add parcel' }));
  const dialog = within(screen.getByRole('dialog', { name: 'One parcel for 1 order' }));
  shop.refuse(addShipments, 'unavailable');
  await user.click(dialog.getByRole('button', { name: 'Add parcel' }));
  await dialog.findByText(/A part of the shop is not available/);
  expect(screen.getAllByText(/A part of the shop is not available/)).toHaveLength(1);
  const error = { code: 'more-than-left', detail: '0 of 120 pieces are to be sent' } as const;
  shop.answer(addShipments, { data: [{ id: order._id, ok: false, error }] });
  await user.click(dialog.getByRole('button', { name: 'Add parcel' }));
  expect(await screen.findByText(/0 of 120 pieces are to be sent/)).toBeVisible();
  expect(screen.queryByText(/^Parcel added to/)).toBeNull();
});

test('all orders that match are chosen, and another tab drops the choice', async () => {
  const [first, second] = [anOrder({ status: 'pending' }), anOrder({ status: 'pending' })];
  shop.respond(listOrders, ({ query }) => {
    const [data, link] = query.has('after') ? [[second], ''] : [[first], '</order?after=next>; rel="next"'];
    return Response.json({ data }, { headers: { 'x-total-count': '2', ...(link && { link }) } });
  });
  const { user } = await openManageOrders('?status=pending');
  await user.click(await screen.findByRole('checkbox', { name: 'Choose all 1 listed' }));
  await user.click(screen.getByRole('button', { name: 'Choose all 2 that match' }));
  expect(await screen.findByText('2 chosen')).toBeVisible();
  expect(shop.getRequests(listOrders).at(-1)?.query.get('limit')).toBe('100');
  await user.click(tab('Shipped'));
  await waitFor(() => expect(tab('Shipped')).toHaveAttribute('aria-current', 'true'));
  expect(await screen.findByText('2 no longer shown, choice dropped')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Accept \d/ })).toBeNull();
  await user.click(tab('pending'));
  await waitFor(() => expect(tab('pending')).toHaveAttribute('aria-current', 'true'));
  expect(screen.queryAllByRole('checkbox', { checked: true })).toEqual([]);
  await user.click(screen.getByRole('checkbox', { name: 'Choose all 1 listed' }));
  expect(screen.getByText('1 chosen')).toBeVisible();
  expect(screen.queryByText(/choice dropped/)).toBeNull();
});

test('a search drops the choice and says so, a sort keeps it', async () => {
  const { user } = await openManageOrders('', [anOrder()]);
  await user.click(await screen.findByRole('checkbox', { name: 'Choose all 1 listed' }));
  await user.click(screen.getByRole('button', { name: 'Total price' }));
  await waitFor(() => expect(shop.getRequests(listOrders).at(-1)?.query.get('sort')).toBe('-total'));
  expect(screen.getByText('1 chosen')).toBeVisible();
  await user.type(screen.getByLabelText('Search orders'), 'amara');
  expect(await screen.findByText('1 no longer shown, choice dropped')).toBeVisible();
  expect(screen.queryAllByRole('checkbox', { checked: true })).toEqual([]);
});

test('Shift chooses a range, and the arrows move between rows', async () => {
  const orders = Array.from({ length: 4 }, () => anOrder());
  const { user } = await openManageOrders('', orders);
  const box = (index: number) =>
    screen.getByRole('checkbox', { name: `Choose order ${orders[index]?.number}` });
  await user.click(await screen.findByRole('checkbox', { name: `Choose order ${orders[0]?.number}` }));
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(box(2)).toHaveFocus();
  await user.keyboard('{Shift>}');
  await user.click(box(2));
  await user.keyboard('{/Shift}');
  expect(orders.map((_, index) => (box(index) as HTMLInputElement).checked)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('papers of the chosen orders are downloaded', async () => {
  const orders = ['2026-00318', '2026-00318', '2026-00319'].map((number) =>
    anOrder({ status: 'pending', papers: [aPaper(number)] }),
  );
  shop.answer(listOrders, { data: orders });
  shop.refuse(createDownload, 'too-many');
  const { user } = await openManageOrders();
  const box = await screen.findByRole('checkbox', { name: 'Choose all 3 listed' });
  expect(screen.queryByRole('button', { name: /paper/ })).not.toBeInTheDocument();
  await user.click(box);
  await user.click(screen.getByRole('button', { name: '2 papers' }));
  await screen.findByText('Those were too many attempts in a short time.');
  expect(shop.getRequests(createDownload).map(({ body }) => body)).toEqual([
    { what: 'invoices', orders: orders.map(({ _id }) => _id), as: 'zip' },
  ]);
});

test.each([
  [{ status: 'pending', disputed: true }, 'disputed', []],
  [
    { status: 'pending', refund: { amount: 40, state: 'succeeded' } },
    'partly refunded, $40.00',
    ['accept payment', 'Refund'],
  ],
  [{ status: 'paid', refund: { amount: 7740, state: 'succeeded' } }, 'refunded', []],
  [{ status: 'paid', refund: { amount: 7740, state: 'pending' } }, 'refund pending', []],
  [{ status: 'paid', refund: { amount: 40, state: 'failed' } }, 'refund failed', ['Refund']],
  [{ status: 'due', heldUntil: '2026-11-24T12:30:00.000Z' }, 'held until 24 Nov', ['Cancel']],
] as const)(
  'refund or dispute stands beside the status, with its actions: %j',
  async (order, text, buttons) => {
    const { user } = await openManageOrders('', [anOrder(order)]);
    const cells = within(await row('OLED'));
    expect(cells.getByText(text)).toBeVisible();
    await openRowMenu(user);
    const names = cells.queryAllByRole('button').map((button) => button.textContent);
    expect([...new Set(names.filter((name) => name !== '' && name !== 'Details'))]).toEqual(buttons);
  },
);

test("accepting a partly refunded payment asks first and sends 'despite'", async () => {
  const refund = { amount: 40, state: 'succeeded' } as const;
  const { user } = await openManageOrders('', [anOrder({ status: 'pending', refund })]);
  shop.answer(acceptPayment, { acknowledged: true });
  await user.click(await accept());
  const question = within(await screen.findByRole('dialog', { name: 'Accept this payment?' }));
  expect(question.getByText('$40.00 of it were refunded.')).toBeVisible();
  expect(shop.getRequests(acceptPayment)).toEqual([]);
  await user.click(question.getByRole('button', { name: 'accept payment' }));
  expect(await screen.findByText('Order Payment Accepted')).toBeVisible();
  expect(shop.getSentBody(acceptPayment)).toEqual({
    status: 'paid',
    despite: 'partly-refunded',
    refunded: 40,
  });
});

async function askForRefund(user: UserEvent) {
  await openRowMenu(user);
  await user.click(screen.getByRole('button', { name: /^Refund order of/ }));
}

test.each([
  ['pending', true, 'The order is closed and cannot be brought back.'],
  ['paid', false, ''],
] as const)(
  'the refund dialog of a %s order names amount, pieces and reason',
  async (status, returnStock, text) => {
    const order = anOrder({ status, refund: { amount: 740, state: 'succeeded' } });
    const { user } = await openManageOrders('', [order]);
    await askForRefund(user);
    const question = screen.getByRole('dialog', { name: `Refund of order ${order.number}` });
    expect(question).toHaveTextContent(
      `Paid$7,740.00Refunded before−$740.00Stays paid after this$0.00${text}Reason`,
    );
    const checkbox = within(question).getByRole('checkbox', { name: 'Put 120 pieces back in stock' });
    expect([(checkbox as HTMLInputElement).checked, shop.getRequests(refundOrder)]).toEqual([
      returnStock,
      [],
    ]);
    shop.answer(refundOrder, { acknowledged: true, refund: { amount: 7000, state: 'pending' } });
    await user.click(checkbox);
    await user.type(within(question).getByLabelText('Reason (optional)'), ' Wrong model ');
    await user.click(within(question).getByRole('button', { name: 'Refund $7,000.00' }));
    expect(await screen.findByText('Order refunded')).toBeVisible();
    expect(shop.getSentBody(refundOrder)).toEqual({ returnStock: !returnStock, reason: 'Wrong model' });
    expect(shop.getRequests(refundOrder)[0]?.params.id).toBe(order._id);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  },
);

test('an order that can no longer be refunded shows a notice', async () => {
  const { user } = await openManageOrders('', [anOrder({ status: 'pending' })]);
  await askForRefund(user);
  shop.refuse(refundOrder, 'disputed');
  await user.click(screen.getByRole('button', { name: 'Refund $7,740.00' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    "OLED display assembly, Amara Okafor: The customer's bank disputes this payment.",
  );
});

test("a row has the filter's day, in the shop's time zone", async () => {
  shop.answer(readConfig, { ...aConfig(), timeZone: 'Pacific/Auckland' });
  await openManageOrders('', [anOrder({ createdAt: '2026-10-31T12:30:00.000Z' })]);
  expect(within(await row('OLED')).getByText('1 Nov 26')).toBeVisible();
});

test('both ends of a range of days are chosen in one opening', async () => {
  const { user, getAddress } = await openManageOrders('', [anOrder()]);
  await user.click(await screen.findByRole('button', { name: 'All days' }));
  fireEvent.change(screen.getByLabelText('First day'), { target: { value: '2026-11-01' } });
  expect(await screen.findByRole('button', { name: /^Since/ })).toBeVisible();
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '2026-11-07' } });
  await waitFor(() =>
    expect(getAddress()).toBe('/dashboard/manage-orders?from=2026-11-01&before=2026-11-08'),
  );
  await user.keyboard('{Escape}');
  expect(screen.queryByLabelText('First day')).toBeNull();
});

test('above 1,000 orders the page offers newest first instead of totals', async () => {
  shop.refuse(listOrders, 'invalid');
  const { user, getAddress } = await openManageOrders('?status=pending&sort=-total');
  expect(await screen.findByText(/^Only 1,000 orders can be sorted by total\./)).toBeVisible();
  shop.answerPage(listOrders, { data: [anOrder()] }, '1000+');
  await user.click(screen.getByRole('link', { name: 'Newest first' }));
  await row('OLED');
  expect(getAddress()).toBe('/dashboard/manage-orders?status=pending');
  expect(screen.queryByRole('button', { name: 'Total price' })).toBeNull();
});
