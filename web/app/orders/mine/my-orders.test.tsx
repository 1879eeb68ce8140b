import { createDownload } from '@parts-forge/contract/files/downloads';
import { joinBatch } from '@parts-forge/contract/orders/batch';
import { cancelOrder, listOrders, type Order } from '@parts-forge/contract/orders/orders';
import { readConfig } from '@parts-forge/contract/people/identity';
import { readOwnPrices } from '@parts-forge/contract/prices/agreed-prices';
import { readInstead } from '@parts-forge/contract/products/instead';
import { readProduct } from '@parts-forge/contract/products/products';
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { aBatchLine, aConfig, anOrder, aPaper, aProduct } from '#test/builders.ts';
import { createRefusal, startFakeShop } from '#test/fake-shop.ts';
import { closePage, openPage } from '#test/open-page.tsx';
import { row, tab } from '#test/orders-table.ts';
import { openRowMenu } from '#test/row-menu.ts';
import { setOnline } from '#test/set-online.ts';

const shop = startFakeShop();

/** @param orders of the list; without them the test answers it */
const openMyOrders = async (orders?: Order[], query = '') => {
  shop.signIn();
  if (orders) shop.answer(listOrders, { data: orders });
  return openPage(`/dashboard/my-orders${query}`);
};
const readLastQuery = () => Object.fromEntries(shop.getRequests(listOrders).at(-1)?.query ?? []);
/** The customer's own rows. */
const folded = { email: 'amara@repair.example', rows: 'purchases' };

test('a loading list shows a skeleton and says so', async () => {
  shop.answer(listOrders, { data: [anOrder()] });
  const release = shop.hold(listOrders);
  await openMyOrders();
  expect(await screen.findByText('Loading…')).toBeInTheDocument();
  release();
  expect(await row('OLED display assembly')).toBeVisible();
});

test('an unpaid order has disabled buttons while offline', async () => {
  const { user } = await openMyOrders([anOrder({ productName: 'Display' })]);
  await row('Display');
  expect(screen.getByRole('link', { name: /^Pay for Display/ })).toBeVisible();
  await openRowMenu(user);
  setOnline(false);
  expect(screen.getByRole('button', { name: /^Pay for Display/ })).toBeDisabled();
  expect(screen.getByRole('button', { name: /^Cancel order of Display/ })).toBeDisabled();
  setOnline(true);
  expect(screen.getByRole('link', { name: /^Pay for Display/ })).toBeVisible();
});

test('an empty list says so and links to the parts', async () => {
  await openMyOrders();
  expect(await screen.findByText('No orders yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See All Parts' })).toHaveAttribute('href', '/all-products');
});

test('a search announces its matches, and resetting it focuses the heading', async () => {
  shop.answerPage(listOrders, { data: [] }, '0');
  const { user } = await openMyOrders(undefined, '?q=camera');
  await user.click(await screen.findByRole('button', { name: 'Show all orders' }));
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  shop.answerPage(listOrders, { data: [anOrder()] }, '1');
  await openMyOrders(undefined, '?q=display');
  expect(await screen.findByText('1 order matches')).toHaveRole('status');
});

test("the list requests the customer's own orders, 50 at a time", async () => {
  await openMyOrders();
  await screen.findByText('No orders yet');
  expect(readLastQuery()).toEqual({ ...folded, limit: '50' });
});

test('only an unpaid order shows how long its pieces are held', async () => {
  const heldUntil = '2026-11-24T12:30:00.000Z';
  await openMyOrders([
    anOrder({ productName: 'Display', heldUntil }),
    anOrder({ productName: 'Battery', status: 'pending', transactionId: 'pi_12345678' }),
  ]);
  expect(await row('Display')).toHaveTextContent('held until 24 Nov');
  expect(await row('Battery')).not.toHaveTextContent('held until');
});

test('an order held for an hour shows the time of its end', async () => {
  const heldUntil = new Date(Date.now() + 3_600_000).toISOString();
  await openMyOrders([anOrder({ productName: 'Display', heldUntil })]);
  expect(await row('Display')).toHaveTextContent(/held until \d\d:\d\d/);
});

test('each status has its label, actions and transaction id', async () => {
  const { user } = await openMyOrders([
    anOrder({ productName: 'Display' }),
    anOrder({ productName: 'Battery', status: 'pending', transactionId: 'pi_12345678' }),
    anOrder({ productName: 'Camera', status: 'paid', transactionId: 'pi_87654321' }),
  ]);
  const due = within(await row('Display'));
  expect(due.getByText('unpaid')).toBeVisible();
  expect(due.getByText('$7,740.00')).toBeVisible();
  expect(due.getByRole('link', { name: 'Pay for Display, 120 pieces' })).toBeVisible();
  await openRowMenu(user);
  expect(due.getByRole('button', { name: 'Cancel order of Display, 120 pieces' })).toBeEnabled();
  const pending = within(await row('Battery'));
  expect(pending.getByText('pending')).toBeVisible();
  expect(pending.getByText('…2345678')).toBeVisible();
  expect(pending.getByText('pi_12345678')).toBeVisible();
  const paid = within(await row('Camera'));
  expect(paid.getByText('paid')).toBeVisible();
  expect(paid.getByText('pi_87654321')).toBeVisible();
  for (const each of [pending, paid]) expect(each.queryByRole('button', { name: /^Cancel/ })).toBeNull();
});

test('an order closed without payment has no transaction id to come', async () => {
  await openMyOrders([anOrder({ closed: 'cancelled' })]);
  const cancelled = within(await row('OLED display assembly'));
  expect(cancelled.getByText('None')).toBeVisible();
  expect(cancelled.queryByText('None yet')).not.toBeInTheDocument();
});

test('a list that failed to load shows its error and a retry', async () => {
  shop.refuse(listOrders, 'unavailable', { requestId: '0198c2f4-6666' });
  const { user } = await openMyOrders();
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('Your orders could not be loaded');
  expect(alert).toHaveTextContent('Your orders are safe; try again.');
  expect(alert).toHaveTextContent('Reference 0198c2f4-6666');
  shop.answer(listOrders, { data: [anOrder()] });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await row('OLED display assembly')).toBeVisible();
});

test("the retry button waits for the server's delay", async () => {
  shop.refuse(listOrders, 'too-many', { retryAfter: 1 });
  await openMyOrders();
  expect(await screen.findByRole('button', { name: 'Try again in 1 s' })).toBeDisabled();
  expect(await screen.findByRole('button', { name: 'Try again' }, { timeout: 2000 })).toBeEnabled();
});

test('Load more appends the next page and at last focuses the count', async () => {
  const orders = Array.from({ length: 26 }, () => anOrder());
  shop.answerPage(listOrders, { data: orders.slice(0, 24) }, '26', 'a+b');
  const { user } = await openMyOrders();
  expect(await screen.findByText('24 of 26')).toBeVisible();
  shop.answerPage(listOrders, { data: orders.slice(24) }, '26');
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  await waitFor(() => expect(screen.getByText('26 of 26')).toBeVisible());
  expect(shop.getRequests(listOrders).map(({ query }) => query.get('after'))).toContain('a b');
  expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
  await waitFor(() => expect(screen.getByText('26 of 26')).toHaveFocus());
});

test('a failed next page shows its reference and keeps the list', async () => {
  shop.answerPage(listOrders, { data: [anOrder()] }, '25', 'next');
  const { user } = await openMyOrders();
  await screen.findByText('1 of 25');
  shop.refuse(listOrders, 'internal', { requestId: '0198c2f4-7777' });
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('Something went wrong on our side. The rest was not loaded; try again.');
  expect(alert).toHaveTextContent('Reference 0198c2f4-7777');
  expect(await row('OLED display assembly')).toBeVisible();
  shop.answerPage(listOrders, { data: [anOrder({ productName: 'Battery' })] }, '25');
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  expect(await row('Battery')).toBeVisible();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

/** From the menu of a row. */
async function askToCancel(user: UserEvent, index = 0) {
  await openRowMenu(user, /^More for order/, index);
  await user.click(screen.getByRole('button', { name: /^Cancel order of/ }));
}

test('cancelling an unpaid order asks first, then reloads the list', async () => {
  const order = anOrder();
  const { user } = await openMyOrders([order]);
  await askToCancel(user);
  const question = screen.getByRole('dialog', { name: 'Cancel this order?' });
  expect(question).toHaveTextContent('120 pieces, $7,740.00');
  const keep = within(question).getByRole('button', { name: 'Keep order' });
  expect(keep).toHaveFocus();
  await user.click(keep);
  expect(screen.queryByRole('dialog', { name: 'Cancel this order?' })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: /^More for order/ })).toHaveFocus();
  await askToCancel(user);
  shop.answer(cancelOrder, { deletedCount: 1 });
  shop.answer(listOrders, { data: [] });
  await user.click(screen.getByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByText('Order Cancel successfully..!')).toBeVisible();
  expect(await screen.findByText('No orders yet')).toBeVisible();
  expect(shop.getRequests(cancelOrder)[0]?.params.id).toBe(order._id);
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
});

test('an order that cannot be cancelled shows a notice until dismissed', async () => {
  const order = anOrder();
  const { user } = await openMyOrders([order]);
  await askToCancel(user);
  shop.refuse(cancelOrder, 'not-due');
  shop.answer(listOrders, { data: [{ ...order, status: 'pending' }] });
  await user.click(screen.getByRole('button', { name: 'Cancel order' }));
  const notice = await screen.findByRole('alert');
  expect(notice).toHaveTextContent(
    'OLED display assembly: This order has been paid for and cannot be cancelled.',
  );
  await waitFor(() => expect(notice).toHaveFocus());
  await user.click(within(notice).getByRole('button', { name: 'Understood' }));
  expect(within(await row('OLED display assembly')).getByText('pending')).toBeVisible();
});

test('a row missing after the reload keeps its place as a notice', async () => {
  const [oldest, middle, newest] = ['Battery', 'Camera', 'Display'].map((productName) =>
    anOrder({ productName }),
  );
  if (!oldest || !middle || !newest) throw new Error('three orders are needed');
  const { user } = await openMyOrders([newest, middle, oldest]);
  await askToCancel(user, 1);
  shop.refuse(cancelOrder, 'not-found');
  shop.answer(listOrders, { data: [newest, oldest] });
  await user.click(screen.getByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Camera: This no longer exists.');
  const rows = screen.getAllByRole('row').slice(1);
  expect(rows.map((each) => /Display|Camera|Battery/.exec(each.textContent ?? '')?.[0])).toEqual([
    'Display',
    'Camera',
    'Camera',
    'Battery',
  ]);
});

test('a failed cancellation shows its error in the row', async () => {
  const { user } = await openMyOrders([anOrder()]);
  await askToCancel(user);
  shop.refuse(cancelOrder, 'provider-broken', { retryAfter: 5, requestId: '0198c2f4-8888' });
  await user.click(screen.getByRole('button', { name: 'Cancel order' }));
  const notice = await screen.findByRole('alert');
  expect(notice).toHaveTextContent('The payment provider gave no usable answer. Try again in 5 seconds.');
  expect(notice).toHaveTextContent('Reference 0198c2f4-8888');
});

test('the cancel dialog stays open while the request runs', async () => {
  const { user } = await openMyOrders([anOrder()]);
  await askToCancel(user);
  shop.answer(cancelOrder, { deletedCount: 1 });
  const release = shop.hold(cancelOrder);
  await user.dblClick(screen.getByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByRole('button', { name: 'Cancelling…' })).toHaveAttribute('aria-busy', 'true');
  await user.click(screen.getByRole('button', { name: 'Keep order' }));
  expect(screen.getByRole('dialog', { name: 'Cancel this order?' })).toBeInTheDocument();
  release();
  await screen.findByText('Order Cancel successfully..!');
  expect(shop.getRequests(cancelOrder)).toHaveLength(1);
});

const choose = (order: Order) => screen.findByRole('checkbox', { name: `Choose order ${order.number}` });

test('a row has number, reference and a link to its order', async () => {
  const order = anOrder({ reference: 'PO 4711' });
  await openMyOrders([order]);
  const shown = within(await row('OLED display assembly'));
  expect(shown.getByText('PO 4711')).toBeVisible();
  expect(shown.getByRole('link', { name: String(order.number) })).toHaveAttribute(
    'href',
    `/dashboard/order/${order._id}`,
  );
});

test('chosen unpaid orders are paid together, and paid ones have papers', async () => {
  const [first, second] = [anOrder({ totalPrice: 100.1 }), anOrder({ totalPrice: 200.2 })];
  const papers = [aPaper('2026-00318'), aPaper('2026-00319')];
  const paid = anOrder({ status: 'paid', transactionId: 'pi_12345678', papers });
  const { user } = await openMyOrders([first, second, paid]);
  await user.click(await choose(first));
  expect(screen.getByText('1 chosen')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Pay 1 order, $100.10' })).toHaveAttribute(
    'href',
    `/dashboard/payment/${first._id}`,
  );
  await user.click(await choose(second));
  expect(screen.getByRole('link', { name: 'Pay 2 orders, $300.30' })).toHaveAttribute(
    'href',
    `/dashboard/payment?orders=${first._id},${second._id}`,
  );
  await user.click(await choose(paid));
  shop.refuse(createDownload, 'too-many');
  await user.click(screen.getByRole('button', { name: '2 papers' }));
  await waitFor(() =>
    expect(shop.getSentBody(createDownload)).toEqual({ what: 'invoices', orders: [paid._id], as: 'pdf' }),
  );
  await user.click(await choose(paid));
  await user.click(await choose(first));
  expect(screen.getByText('1 chosen')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear the choice' }));
  expect(screen.queryByRole('region', { name: 'Chosen orders' })).not.toBeInTheDocument();
});

test("a selection above one payment's limit says so and cannot be paid", async () => {
  const orders = [anOrder({ totalPrice: 999_999.99 }), anOrder({ totalPrice: 0.5 })];
  const { user } = await openMyOrders(orders);
  for (const order of orders) await user.click(await choose(order));
  expect(screen.getByText('Amount must be no more than $999,999.99')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Pay 2 orders, $1,000,000.49' })).toBeDisabled();
});

test('orders that left the list are no longer chosen', async () => {
  const [first, second, third] = [anOrder({ productName: 'Display' }), anOrder(), anOrder()];
  const { user } = await openMyOrders([first, second, third]);
  for (const order of [first, second, third]) await user.click(await choose(order));
  shop.answer(cancelOrder, { deletedCount: 1 });
  // The second one has expired meanwhile.
  shop.answer(listOrders, { data: [third] });
  await askToCancel(user);
  await user.click(screen.getByRole('button', { name: 'Cancel order' }));
  expect(await screen.findByText('1 chosen')).toBeVisible();
});

test('another tab or search drops the choice and says so', async () => {
  const order = anOrder();
  const { user } = await openMyOrders([order]);
  await user.click(await choose(order));
  await user.click(tab('All'));
  expect(await screen.findByText('1 no longer shown, choice dropped')).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Pay 1 order/ })).toBeNull();
  await user.click(await choose(order));
  expect(screen.queryByText(/choice dropped/)).toBeNull();
  await user.type(screen.getByLabelText('Search orders'), 'flex');
  expect(await screen.findByText('1 no longer shown, choice dropped')).toBeVisible();
  expect(await choose(order)).not.toBeChecked();
});

test('search and status are in the address, and closings are requested', async () => {
  const refunded = anOrder({ closed: 'refunded', status: 'pending', transactionId: 'pi_12345678' });
  const { user, getAddress } = await openMyOrders([refunded], '?show=refunded');
  expect(within(await row('OLED display')).getByText('refunded')).toBeVisible();
  expect(readLastQuery()).toEqual({ ...folded, limit: '50', closed: 'refunded' });
  expect(tab('Ended')).toHaveAttribute('aria-current', 'true');
  await user.click(tab('Current'));
  await waitFor(() => expect(readLastQuery()).toEqual({ ...folded, limit: '50' }));
  await waitFor(() => expect(getAddress()).toBe('/dashboard/my-orders'));
  await user.click(tab('Ended'));
  await waitFor(() => expect(readLastQuery()).toMatchObject({ closed: 'true' }));
  shop.answer(listOrders, { data: [] });
  await user.type(screen.getByLabelText('Search orders'), 'flex');
  expect(await screen.findByText('No order matches')).toBeVisible();
  expect(await screen.findByText('Search for a shorter word, or choose other days.')).toBeVisible();
  await waitFor(() => expect(readLastQuery()).toEqual({ ...folded, limit: '50', closed: 'true', q: 'flex' }));
  await user.clear(screen.getByLabelText('Search orders'));
  expect(await screen.findByText('None of your orders of these days has this status now.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show all orders' }));
  await waitFor(() => expect(getAddress()).toBe('/dashboard/my-orders'));
});

test('Order again adds the pieces of a settled order to the batch', async () => {
  const order = anOrder({ status: 'paid', transactionId: 'pi_12345678' });
  const { user } = await openMyOrders([order, anOrder({ productName: 'Battery' })]);
  const product = aProduct({ _id: order.productId });
  shop.answer(joinBatch, { data: [aBatchLine({ product, quantity: 120 })], left: [] });
  await user.click(
    await screen.findByRole('button', { name: 'Order again: 120 pieces of OLED display assembly' }),
  );
  expect(await screen.findByText('120 pieces added to the batch.')).toBeVisible();
  expect(shop.getSentBody(joinBatch)).toMatchObject({
    lines: [{ productId: order.productId, quantity: 120 }],
  });
  expect(
    screen.queryByRole('button', { name: /^Order again: 120 pieces of Battery/ }),
  ).not.toBeInTheDocument();
});

test('Order again of a removed part leads to what fits instead', async () => {
  const order = anOrder({ status: 'paid', transactionId: 'pi_12345678' });
  const { user } = await openMyOrders([order]);
  shop.answer(joinBatch, { data: [], left: [{ productId: order.productId, reason: 'gone' }] });
  await user.click(await screen.findByRole('button', { name: /^Order again: 120 pieces/ }));
  expect(await screen.findByText('Not added: This part is no longer sold.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'What fits instead' })).toHaveAttribute(
    'href',
    `/products/${order.productId}`,
  );
});

test('several orders again tell their new prices before they are added', async () => {
  const [raised, same, gone] = [
    anOrder({ productName: 'Display', quantity: 100, totalPrice: 1000, status: 'paid' }),
    anOrder({ productName: 'Battery', quantity: 50, totalPrice: 100, status: 'paid' }),
    anOrder({ productName: 'Flex', quantity: 10, totalPrice: 10, status: 'paid' }),
  ] as const;
  shop.answer(listOrders, { data: [raised, same, gone] });
  const prices = new Map([
    [
      raised.productId,
      aProduct({ _id: raised.productId, price: 11, quantity: 60, expectedAt: '2999-12-12' }),
    ],
    [same.productId, aProduct({ _id: same.productId, price: 2, minimumOrder: 80 })],
  ]);
  shop.respond(readProduct, ({ params }) => {
    const data = prices.get(params.id ?? '');
    return data ? Response.json({ data }) : createRefusal('not-found');
  });
  const ownPrices = [{ fromQuantity: 100, price: 10.5 }];
  shop.answer(readOwnPrices, { data: [{ productId: raised.productId, ownPrices }] });
  const other = { product: aProduct({ number: 'PF-F0302' }), fits: 4, of: 6, quantity: 10 };
  shop.respond(readInstead, ({ params: { id } }) => {
    const isGone = id === gone.productId;
    return Response.json({
      data: { product: aProduct(), ...(isGone && { gone: true }), instead: isGone ? [other] : [] },
    });
  });
  const { user } = await openMyOrders();
  for (const order of [raised, same, gone]) await user.click(await choose(order));
  await user.click(
    within(screen.getByRole('region', { name: 'Chosen orders' })).getByRole('button', {
      name: 'Order again',
    }),
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'Order these 3 again?' }));
  expect(await dialog.findByText('$1,100.00 then, $1,150.00 now, at your prices.')).toBeVisible();
  await dialog.findByText('This part is no longer sold. What fits instead is below.');
  await dialog.findByText(/More is expected on 12 December 2999. No other part is named for it.$/);
  const [display, battery, flex] = [...dialog.getByLabelText('Parts to order').children];
  expect(display).toHaveTextContent(
    'PF-D6101Display100 pieces, $1,000.00 → $1,050.0060 of 100 are in stock.',
  );
  expect(battery).toHaveTextContent(/^PF-D6101Battery50 pieces, \$100.00Please order minimum 80$/);
  expect(flex).toHaveTextContent(/^PF-D6101Flex10 pieces, \$10.00This part is no longer sold./);
  expect(flex).toHaveTextContent('PF-F0302fits 4 of 6 models');
  shop.refuse(joinBatch, 'too-many');
  await user.click(dialog.getByRole('button', { name: 'Add 2 lines to the batch' }));
  expect(await dialog.findByRole('alert')).toBeVisible();
  const readLast = () => shop.getRequests(joinBatch).at(-1)?.body;
  const first = readLast();
  shop.answer(joinBatch, { data: [aBatchLine(), aBatchLine()], left: [] });
  await user.click(dialog.getByRole('button', { name: 'Add 2 lines to the batch' }));
  expect(await screen.findByText('2 lines added to the batch.')).toBeVisible();
  expect(readLast()).toEqual(first);
  expect(first).toMatchObject({
    lines: [
      { productId: raised.productId, quantity: 100 },
      { productId: same.productId, quantity: 50 },
    ],
  });
});

test('ended orders stand among all, with parcels and those of a reference', async () => {
  const sent = anOrder({
    reference: 'PO 7',
    status: 'paid',
    shipments: [
      { _id: 'p1', carrier: 'DHL', number: '0034', sentAt: '2026-11-20T10:00:00.000Z' },
      { _id: 'p2', carrier: 'Bike', number: '7', sentAt: '2026-11-20T10:00:00.000Z' },
    ],
  });
  const { user } = await openMyOrders([sent]);
  await row('OLED display assembly');
  await user.click(tab('All'));
  await waitFor(() => expect(readLastQuery()).toMatchObject({ closed: 'any' }));
  // A menu closes when the address changes.
  await waitFor(() => expect(tab('All')).toHaveAttribute('aria-current', 'true'));
  const shown = await row('OLED display assembly');
  expect(within(shown).getByText('2 parcels')).toHaveAttribute('title', 'DHL 0034, Bike 7');
  expect(shown).toHaveTextContent('PF-D6101 × 120, PO 7');
  await openRowMenu(user);
  expect(screen.getByRole('link', { name: 'Follow parcel 0034' })).toHaveAttribute(
    'href',
    expect.stringContaining('0034'),
  );
  await user.click(screen.getByRole('link', { name: 'Orders with this reference' }));
  await waitFor(() => expect(readLastQuery()).toMatchObject({ closed: 'any', reference: 'PO 7' }));
  expect(await screen.findByText('Only orders for PO 7.')).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Show the others, too' }));
  await waitFor(() => expect(readLastQuery()).not.toHaveProperty('reference'));
});

test('the address of a purchase lists its orders alone', async () => {
  await openMyOrders([anOrder()], '?purchase=10001&show=all');
  expect(await screen.findByText('Only orders of purchase 10001.')).toBeVisible();
  expect(readLastQuery()).toMatchObject({ closed: 'any', purchase: '10001' });
});

test('papers of the last month are three presses away', async () => {
  shop.answer(readConfig, { ...aConfig(), timeZone: 'UTC' });
  vi.useFakeTimers({ now: new Date('2026-03-01T10:00:00Z'), toFake: ['Date'] });
  const { user, getAddress } = await openMyOrders([anOrder()]);
  await user.click(await screen.findByRole('button', { name: 'All days' }));
  await user.click(screen.getByRole('button', { name: 'Last month' }));
  await waitFor(() => expect(getAddress()).toBe('/dashboard/my-orders?from=2026-02-01&before=2026-03-01'));
  shop.refuse(createDownload, 'too-many');
  await user.click(await screen.findByRole('button', { name: 'Papers of the month' }));
  await waitFor(() =>
    expect(shop.getSentBody(createDownload)).toEqual({ what: 'invoices', month: '2026-02', as: 'zip' }),
  );
});

test('the export has the rows of the filter', async () => {
  const { user } = await openMyOrders([anOrder({ closed: 'expired' })], '?show=expired&q=flex');
  shop.refuse(createDownload, 'too-many');
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  await waitFor(() =>
    expect(shop.getSentBody(createDownload)).toEqual({
      what: 'orders',
      filters: { email: 'amara@repair.example', q: 'flex', closed: 'expired' },
    }),
  );
});

test('a search without open matches shows closed orders, with a note', async () => {
  const refunded = anOrder({ productName: 'Display', status: 'pending', closed: 'refunded' });
  shop.respond(listOrders, ({ query }) =>
    Response.json({ data: query.get('closed') === null ? [] : [refunded] }),
  );
  await openMyOrders(undefined, '?q=10100');
  expect(within(await row('Display')).getByText('refunded')).toBeVisible();
  expect(screen.getByText(/^No open order matches “10100”\./)).toBeVisible();
  expect(tab('Current')).toHaveAttribute('aria-current', 'true');
});

test('the selection survives other pages until paid or cleared', async () => {
  const [first, second] = [anOrder({ productName: 'Display' }), anOrder({ productName: 'Battery' })];
  const before = await openMyOrders([first, second]);
  await before.user.click(await choose(first));
  await before.user.click(await choose(second));
  closePage();
  const stored = JSON.stringify({ ...sessionStorage });
  expect(stored).toContain(first._id);
  expect(stored).not.toContain(first.phone);
  const paid: Order = { ...second, status: 'pending', transactionId: 'pi_12345678' };
  const after = await openMyOrders([first, paid]);
  expect(await screen.findByText('1 chosen')).toBeVisible();
  expect(await choose(first)).toBeChecked();
  await after.user.click(screen.getByRole('button', { name: 'Clear the choice' }));
  closePage();
  await openMyOrders();
  expect(await choose(first)).not.toBeChecked();
});
