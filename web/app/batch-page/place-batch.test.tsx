import { type BatchLine, placeBatch, readBatch } from '@parts-forge/contract/orders/batch';
import { listOrders } from '@parts-forge/contract/orders/orders';
import { readConfig } from '@parts-forge/contract/people/identity';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { aBatchLine, aConfig, anOrder, aProduct } from '#test/builders.ts';
import { expectLink } from '#test/expect-link.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const display = aProduct({ name: 'Display', price: 64.5, orderStep: 25, number: 'PF-D6101' });
const motor = aProduct({ name: 'Motor', price: 2.9, minimumOrder: 250 });
const line = aBatchLine({ product: display, quantity: 50 });

/** Opens the batch of a returning customer, ready to be placed. */
async function openBatch(lines: BatchLine[] = [line], last = anOrder()) {
  shop.signIn();
  shop.answer(readBatch, { data: lines });
  shop.answer(listOrders, { data: [last] });
  const page = await openPage('/dashboard/batch');
  if (lines.length > 0) await screen.findByText(new RegExp(last.address.split('\n')[0] ?? ''));
  return page;
}
const quantityField = (name: string) => screen.findByLabelText(`Quantity of ${name}`);
const total = () => screen.getByText(/^\$[\d,]+\.\d\d$/, { selector: '[aria-live]' });
const placeButton = () => screen.getByRole('button', { name: /^Place \d+ order/ });

test.each([
  [72, 'The stock is held for 72 hours. Pay the orders together or one by one.'],
  [0.5, 'The stock is held for 30 minutes. Pay the orders together or one by one.'],
  [null, 'The stock is held until you pay the orders, together or one by one.'],
])('the hints say how long stock is held, with %s hours', async (holdHours, sentence) => {
  shop.answer(readConfig, { ...aConfig(), holdHours });
  await openBatch([aBatchLine()]);
  expect(await screen.findByText(sentence)).toBeVisible();
});

test('lines to decide stay, and only ready lines are placed', async () => {
  const { user } = await openBatch([
    aBatchLine({ product: motor, quantity: 100 }),
    aBatchLine({ product: display, quantity: 50 }),
  ]);
  expect(total()).toHaveTextContent('$3,225.00');
  expect(screen.getByText('1 of 2 lines, 50 pieces')).toBeVisible();
  shop.answer(placeBatch, { batch: 'the-batch', insertedIds: ['one'] });
  shop.answer(listOrders, { data: [anOrder({ _id: 'one', batch: 'the-batch' })] });
  await user.click(placeButton());
  await screen.findByRole('heading', { level: 1, name: '1 order placed' });
  expect(shop.getSentBody(placeBatch)).toMatchObject({
    lines: [{ productId: display._id, quantity: 50, totalPrice: 3225 }],
  });
});

test("the last order's address and phone stand as text", async () => {
  await openBatch([aBatchLine()], anOrder({ address: 'Ring Road 4', phone: '233111' }));
  expect(screen.getByText('233111')).toBeVisible();
  expect(screen.queryByLabelText('Address')).not.toBeInTheDocument();
});

test('the form warns about letters that invoices cannot print', async () => {
  await openBatch([aBatchLine()], anOrder({ address: '東京都' }));
  expect(await screen.findByText(/^Invoices print Latin, Greek and Cyrillic letters/)).toBeVisible();
});

test('a line with another saved quantity stays, and the page says so', async () => {
  const line = aBatchLine({ product: display, quantity: 50 });
  const { user } = await openBatch([line], anOrder({ address: 'Ring Road 4' }));
  shop.answer(placeBatch, { batch: 'the-batch', insertedIds: ['one'] });
  shop.answer(readBatch, { data: [{ ...line, quantity: 500 }] });
  shop.answer(listOrders, { data: [anOrder({ _id: 'one', batch: 'the-batch' })] });
  await user.click(screen.getByRole('button', { name: /^Place 1 order/ }));
  expect(await screen.findByText('1 line stays in the batch with another quantity.')).toBeVisible();
});

test('a batch is placed with all lines and leads to one payment', async () => {
  const lines = [
    aBatchLine({ product: display, quantity: 50 }),
    aBatchLine({ product: motor, quantity: 400 }),
  ];
  const { user, getAddress } = await openBatch(lines, anOrder({ address: 'Ring Road 4' }));
  shop.answer(placeBatch, { batch: 'the-batch', insertedIds: ['one', 'two'] });
  const placed = [
    anOrder({
      _id: 'one',
      number: 10_423,
      totalPrice: 3225,
      batch: 'the-batch',
      productName: 'Display',
      withoutTax: true,
    }),
    anOrder({
      _id: 'two',
      number: 10_424,
      totalPrice: 1160,
      batch: 'the-batch',
      withoutTax: true,
      productName: 'Motor',
      partNumber: 'PF-H2501',
    }),
  ];
  shop.answer(listOrders, { data: placed.toReversed() });
  shop.answer(readBatch, { data: [] });
  await user.type(screen.getByLabelText('Your reference (optional)'), 'PO 4711');
  await user.click(placeButton());
  expect(await screen.findByRole('heading', { level: 1, name: '2 orders placed' })).toHaveFocus();
  expect(getAddress()).toBe('/dashboard/batch/the-batch');
  expect(shop.getSentBody(placeBatch)).toEqual({
    email: 'amara@repair.example',
    address: 'Ring Road 4',
    phone: '233302771204',
    reference: 'PO 4711',
    lines: [
      { productId: display._id, quantity: 50, totalPrice: 3225 },
      { productId: motor._id, quantity: 400, totalPrice: 1160 },
    ],
  });
  expect(shop.getRequests(placeBatch)[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
  expectLink('Pay all, $4,385.00', '/dashboard/payment?orders=one,two');
  expectLink('10423', '/dashboard/order/one');
  expect(screen.getByRole('columnheader', { name: 'Total price without tax' })).toBeVisible();
  const names = screen.getAllByRole('rowheader').map((cell) => cell.textContent);
  expect(names).toEqual(['DisplayPF-D6101', 'MotorPF-H2501']);
});

test("a placed batch has the day of the shop's time zone", async () => {
  shop.signIn('user');
  shop.answer(readConfig, { ...aConfig(), timeZone: 'Pacific/Auckland' });
  shop.answer(listOrders, { data: [anOrder({ batch: 'one', createdAt: '2026-11-26T18:00:00.000Z' })] });
  await openPage('/dashboard/batch/one');
  expect(await screen.findByText('Batch of 27 Nov 2026')).toBeVisible();
});

test("a placed batch's reference is not kept for the next one", async () => {
  const { user } = await openBatch();
  shop.answer(placeBatch, { batch: 'the-batch', insertedIds: ['one'] });
  await user.type(screen.getByLabelText('Your reference (optional)'), 'PO 4711');
  await user.click(placeButton());
  await screen.findByRole('heading', { level: 1, name: '1 order placed' });
  await user.click(
    within(screen.getByRole('navigation', { name: 'Dashboard' })).getByRole('link', { name: /^Batch/ }),
  );
  expect(await screen.findByLabelText('Your reference (optional)')).toHaveValue('');
});

test('a refusal marks the lines, places nothing and links the first', async () => {
  const { user } = await openBatch([
    aBatchLine({ product: display, quantity: 500 }),
    aBatchLine({ product: motor, quantity: 400 }),
  ]);
  shop.refuse(placeBatch, 'above-stock', {
    lines: [{ index: 0, code: 'above-stock', detail: 'maximum order range 110', quantity: 110 }],
  });
  shop.answer(readBatch, {
    data: [
      aBatchLine({ product: { ...display, quantity: 110 }, quantity: 500 }),
      aBatchLine({ product: motor, quantity: 400 }),
    ],
  });
  await user.click(placeButton());
  const alert = await screen.findByRole('alert');
  await waitFor(() =>
    expect(alert).toHaveTextContent('1 of 2 lines cannot be ordered as it is. Nothing was placed.'),
  );
  expectLink('Go to the first', `#quantity-${display._id}`, within(alert));
  expect(await quantityField('Display')).toHaveAccessibleDescription(
    '110 of 500 are in stock. Order 100 or fewer.',
  );
  expect(await quantityField('Motor')).toBeValid();
});

test('changed prices are shown first; placing again sends them', async () => {
  const { user } = await openBatch([aBatchLine({ product: motor, quantity: 400 })]);
  shop.refuse(placeBatch, 'price-changed', {
    lines: [{ index: 0, code: 'price-changed', detail: 'It changed.', price: 3 }],
  });
  shop.answer(readBatch, {
    data: [aBatchLine({ product: { ...motor, price: 3 }, quantity: 400, price: 2.9 })],
  });
  await user.click(placeButton());
  expect(await screen.findByText('Prices have changed.')).toBeVisible();
  expect(total()).toHaveTextContent('$1,200.00');
  shop.answer(placeBatch, { batch: 'b', insertedIds: ['one'] });
  await user.click(placeButton());
  await waitFor(() => expect(shop.getRequests(placeBatch)).toHaveLength(2));
  const [first, second] = shop.getRequests(placeBatch);
  expect(second?.body).toMatchObject({ lines: [{ totalPrice: 1200 }] });
  expect(first?.headers.get('idempotency-key')).not.toBe(second?.headers.get('idempotency-key'));
});

test('a batch without a response is sent again under its key', async () => {
  const { user } = await openBatch();
  shop.disconnect(placeBatch);
  await user.click(placeButton());
  expect(await screen.findByText('No answer came.')).toBeVisible();
  await user.click(placeButton());
  await waitFor(() => expect(shop.getRequests(placeBatch)).toHaveLength(2));
  const [first, second] = shop.getRequests(placeBatch);
  expect(first?.headers.get('idempotency-key')).toBe(second?.headers.get('idempotency-key'));
});

test('a batch without open orders says so; a paid one asks nothing', async () => {
  shop.signIn();
  shop.answer(listOrders, { data: [] });
  await openPage('/dashboard/batch/the-batch');
  expect(await screen.findByText('These orders have ended')).toBeVisible();
  shop.answer(listOrders, { data: [anOrder({ status: 'pending' })] });
  await openPage('/dashboard/batch/the-batch');
  expect(await screen.findByRole('heading', { name: '1 order placed' })).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Pay/ })).not.toBeInTheDocument();
});

describe("a batch above one payment's limit", () => {
  const many = aProduct({ name: 'Board', price: 99_999.9, quantity: 1000, minimumOrder: 5 });

  test("a batch above one payment's limit says so before placing", async () => {
    await openBatch(
      [1, 2, 3].map(() => aBatchLine({ product: { ...many, _id: crypto.randomUUID() }, quantity: 5 })),
    );
    expect(await screen.findByText(/^One payment takes at most \$999,999.99/)).toBeVisible();
    expect(placeButton()).toBeEnabled();
  });

  test('a placed batch above the limit is paid in parts', async () => {
    const batch = crypto.randomUUID();
    const orders = ['A', 'B', 'C'].map((productName) =>
      anOrder({ productName, batch, totalPrice: 499_999.5 }),
    );
    shop.signIn();
    shop.answer(listOrders, { data: orders });
    await openPage(`/dashboard/batch/${batch}`);
    const way = await screen.findByRole('link', { name: 'Pay 2 of 3 orders, $999,999.00' });
    const ids = orders.slice(0, 2).map(({ _id }) => _id);
    expect(way).toHaveAttribute('href', `/dashboard/payment?orders=${ids.join()}`);
  });
});

/** Sends a batch, loses its response and reopens the page. */
async function loseAnswer(lines: BatchLine[] = [line]) {
  const { user } = await openBatch();
  shop.disconnect(placeBatch);
  await user.click(placeButton());
  expect(await screen.findByText('No answer came.')).toBeVisible();
  const page = await openBatch(lines);
  expect(await screen.findByText('A batch was sent and no answer came.')).toBeVisible();
  return page;
}
const orderAgain = () => screen.getByRole('button', { name: 'It has arrived, order again' });
const unanswered = () => screen.queryByText('A batch was sent and no answer came.');
const inNotice = (name: string) =>
  within(unanswered()?.closest('p') as HTMLElement).getByRole('link', { name });
const getKeys = () => shop.getRequests(placeBatch).map(({ headers }) => headers.get('idempotency-key'));

test('the same lines resend the original batch despite a new price', async () => {
  const { user } = await loseAnswer([{ ...line, product: { ...display, price: 60 } }]);
  await user.click(placeButton());
  await waitFor(() => expect(getKeys()).toHaveLength(2));
  const [first, second] = shop.getRequests(placeBatch);
  expect(second?.body).toEqual(first?.body);
  expect(getKeys()[1]).toBe(getKeys()[0]);
});

test('another quantity makes another batch', async () => {
  const { user } = await loseAnswer([{ ...line, quantity: 75 }]);
  await user.click(placeButton());
  await waitFor(() => expect(getKeys()).toHaveLength(2));
  expect(getKeys()[1]).not.toBe(getKeys()[0]);
});

test('a customer who knows it arrived can order the same again', async () => {
  const { user } = await loseAnswer();
  await user.click(orderAgain());
  expect(unanswered()).not.toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  await user.click(placeButton());
  expect(await screen.findByText('No answer came.')).toBeVisible();
  await user.click(orderAgain());
  expect(screen.queryByText('No answer came.')).not.toBeInTheDocument();
  await user.click(placeButton());
  await waitFor(() => expect(new Set(getKeys()).size).toBe(3));
});

test('a visit to My Orders settles an unanswered batch', async () => {
  const { user, getAddress } = await loseAnswer();
  await user.click(inNotice('My Orders'));
  await waitFor(() => expect(getAddress()).toBe('/dashboard/my-orders'));
  await openBatch();
  expect(unanswered()).not.toBeInTheDocument();
});

test('a batch that arrived left no lines, and links its orders', async () => {
  await loseAnswer([]);
  expect(screen.getByText('No lines yet')).toBeVisible();
  expect(inNotice('My Orders')).toHaveAttribute('href', '/dashboard/my-orders');
});

test('an internal error leaves the outcome open, a refusal does not', async () => {
  const { user } = await openBatch();
  shop.refuse(placeBatch, 'overloaded');
  await user.click(placeButton());
  expect(await screen.findByRole('alert')).toHaveTextContent('Nothing was placed. The shop is busy');
  shop.refuse(placeBatch, 'internal', { requestId: '0198c2f4-ffff' });
  await user.click(placeButton());
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Reference 0198c2f4-ffff'));
  expect(screen.getByRole('alert')).toHaveTextContent(
    'No answer came. Something went wrong on our side. Place the batch again: what has already arrived is not placed twice.',
  );
});
