import { listOrders, placeOrder } from '@parts-forge/contract/orders';
import { readProduct } from '@parts-forge/contract/products';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anOrder, aProduct, aUser } from '#app/dev/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { closePage, type OpenPage, openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const product = aProduct();

const address = () => screen.getByLabelText('Address');
const phone = () => screen.getByLabelText('phone');
const quantity = () => screen.getByLabelText('Purchase Quantity');

async function openPurchase(user = aUser()) {
  shop.signIn('user', user);
  shop.answer(readProduct, { data: product });
  const page = await openPage(`/purchase/${product._id}`);
  await screen.findByRole('heading', { name: 'Your order' });
  return page;
}

async function type({ user }: OpenPage) {
  await user.type(address(), '12 Oxford Street');
  await user.type(phone(), '233302771204');
  await user.clear(quantity());
  await user.type(quantity(), '75');
}

/** The browser ends the page, with all that is in it. */
function reload() {
  fireEvent(window, new Event('pagehide'));
  closePage();
}

test('what was typed survives a reload, and another one', async () => {
  await type(await openPurchase());
  for (const _ of [1, 2]) {
    reload();
    await openPurchase();
    expect(address()).toHaveValue('12 Oxford Street');
    expect(phone()).toHaveValue(233302771204);
    expect(quantity()).toHaveValue(75);
  }
});

test('what was typed survives a look at another page', async () => {
  await type(await openPurchase());
  closePage();
  await openPurchase();
  expect(address()).toHaveValue('12 Oxford Street');
});

test('nobody else gets it', async () => {
  await type(await openPurchase());
  reload();
  await openPurchase(aUser({ email: 'tomas@repair.example' }));
  expect(address()).toHaveValue('');
  expect(quantity()).toHaveValue(product.minimumOrder);
});

test('an order that was placed leaves nothing to be placed again', async () => {
  const page = await openPurchase();
  await type(page);
  reload();
  const { user } = await openPurchase();
  shop.answer(placeOrder, { insertedId: '01a1fe55-4eaf-7194-bacc-000000000000' });
  await user.click(screen.getByRole('button', { name: 'Purchase' }));
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  reload();
  await openPurchase();
  expect(address()).toHaveValue('');
  expect(quantity()).toHaveValue(product.minimumOrder);
});

const getKeys = () => shop.getRequests(placeOrder).map(({ headers }) => headers.get('idempotency-key'));

/** Sends an order and reloads the page without having read an answer. */
async function loseAnswer() {
  const page = await openPurchase();
  await type(page);
  shop.disconnect(placeOrder);
  await page.user.click(screen.getByRole('button', { name: 'Purchase' }));
  expect(await screen.findByText('No answer came.')).toBeVisible();
  reload();
  return openPurchase();
}
const unanswered = () => screen.queryByText('An order was sent and no answer came.');

test('an order without an answer goes under the same key after a reload, and the page says so', async () => {
  const { user } = await loseAnswer();
  const notice = unanswered()?.closest('p');
  expect(notice).toHaveTextContent('Pressing Purchase with the same entries does not place it twice.');
  expect(screen.getByRole('link', { name: 'My Orders' })).toHaveAttribute('href', '/dashboard/my-orders');
  shop.answer(placeOrder, { insertedId: '01a1fe55-4eaf-7194-bacc-000000000000' });
  await user.click(screen.getByRole('button', { name: 'Purchase' }));
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  const [first, second] = getKeys();
  expect(second).toBe(first);
  reload();
  await openPurchase();
  expect(unanswered()).not.toBeInTheDocument();
});

test('another order than the one without an answer gets a key of its own', async () => {
  const { user } = await loseAnswer();
  await user.type(quantity(), '0');
  await user.click(screen.getByRole('button', { name: 'Purchase' }));
  await waitFor(() => expect(getKeys()).toHaveLength(2));
  const [first, second] = getKeys();
  expect(second).not.toBe(first);
});

test('an order that is still under way when the page is loaded anew counts as one without an answer', async () => {
  const page = await openPurchase();
  await type(page);
  shop.answer(placeOrder, { insertedId: '01a1fe55-4eaf-7194-bacc-000000000000' });
  shop.hold(placeOrder);
  await page.user.click(screen.getByRole('button', { name: 'Purchase' }));
  expect(await screen.findByRole('button', { name: 'Placing order…' })).toBeVisible();
  reload();
  await openPurchase();
  expect(unanswered()).toBeVisible();
});

test('an order that was refused is no order without an answer; a refusal after a lost answer leaves it one', async () => {
  const page = await openPurchase();
  await type(page);
  shop.refuse(placeOrder, 'overloaded');
  await page.user.click(screen.getByRole('button', { name: 'Purchase' }));
  expect(await screen.findByText('The order was not placed.')).toBeVisible();
  reload();
  await openPurchase();
  expect(unanswered()).not.toBeInTheDocument();
  closePage();
  sessionStorage.clear();
  const again = await loseAnswer();
  shop.refuse(placeOrder, 'overloaded');
  await again.user.click(screen.getByRole('button', { name: 'Purchase' }));
  expect(await screen.findByText('The order was not placed.')).toBeVisible();
  reload();
  await openPurchase();
  expect(unanswered()).toBeVisible();
});

test('nobody else is told of it', async () => {
  await loseAnswer();
  reload();
  await openPurchase(aUser({ email: 'tomas@repair.example' }));
  expect(unanswered()).not.toBeInTheDocument();
});

test('whoever signs out leaves nothing behind', async () => {
  const page = await openPurchase();
  await type(page);
  reload();
  const { user } = await openPage('/blogs');
  await user.click(await screen.findByRole('button', { name: 'Amara' }));
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'))).toEqual([]);
});

test('the phone of the profile is offered, and another one may be typed', async () => {
  const { user } = await openPurchase(aUser({ phone: '+233 30 277-1204' }));
  await waitFor(() => expect(phone()).toHaveValue(233302771204));
  await user.clear(phone());
  await user.type(phone(), '49301234567');
  reload();
  await openPurchase(aUser({ phone: '+233 30 277-1204' }));
  expect(phone()).toHaveValue(49301234567);
});

test('address and phone of the last order are offered, and not any more once an order was placed', async () => {
  shop.answer(listOrders, { data: [anOrder({ address: 'Ring Road 4', phone: '233111' })] });
  const { user } = await openPurchase(aUser({ phone: '+233 30 277-1204' }));
  await waitFor(() => expect(address()).toHaveValue('Ring Road 4'));
  expect(phone()).toHaveValue(233111);
  shop.answer(placeOrder, { insertedId: '01a1fe55-4eaf-7194-bacc-000000000000' });
  await user.click(screen.getByRole('button', { name: 'Purchase' }));
  expect(await screen.findByText('Order placed successfully')).toBeVisible();
  expect(address()).toHaveValue('');
  expect(shop.getSentBody(placeOrder)).toMatchObject({ address: 'Ring Road 4', phone: '233111' });
});

test('a mark between the digits of a phone number stays out, and the page says so', async () => {
  const { user } = await openPurchase();
  await user.type(phone(), '+44 7700-900123');
  expect(phone()).toHaveValue(447700900123);
  expect(phone()).toHaveAccessibleDescription('Digits are enough: +, spaces and other marks are left out.');
});

test('a profile whose phone is no number offers none', async () => {
  await openPurchase(aUser({ phone: 'ask for Amara' }));
  expect(phone()).toHaveValue(null);
});

test('another quantity that the address asks for wins over the one that was typed', async () => {
  await type(await openPurchase());
  reload();
  shop.signIn();
  await openPage(`/purchase/${product._id}?quantity=500`);
  await screen.findByRole('heading', { name: 'Your order' });
  expect(address()).toHaveValue('12 Oxford Street');
  expect(quantity()).toHaveValue(500);
});

test('a part that has just sold out does not ask for another press', async () => {
  const page = await openPurchase();
  await type(page);
  shop.refuse(placeOrder, 'above-stock', { quantity: 0 });
  await page.user.click(screen.getByRole('button', { name: 'Purchase' }));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent(
    'The order was not placed. Others were faster: too few pieces are left to order. Your entries are kept.',
  );
  expect(screen.getByText('Out of stock')).toBeVisible();
});

test('the gauge stands beyond its end where one payment cannot hold what it costs', async () => {
  const { user } = await openPurchase();
  const gauge = () => document.querySelector('.pf-gauge');
  await user.clear(quantity());
  await user.type(quantity(), '15000');
  expect(gauge()).not.toHaveAttribute('data-out');
  await user.clear(quantity());
  await user.type(quantity(), '20000');
  expect(gauge()).toHaveAttribute('data-out', 'high');
});
