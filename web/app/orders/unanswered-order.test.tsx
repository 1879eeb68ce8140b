import { placeOrder } from '@parts-forge/contract/orders';
import { readProduct } from '@parts-forge/contract/products';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aProduct, aUser } from '#app/dev/builders.ts';
import { startFakeShop } from '#test/fake-shop.ts';
import { closePage, openPage } from '#test/open-page.tsx';

const shop = startFakeShop();
const product = aProduct();

const quantity = () => screen.getByLabelText('Purchase Quantity');
const purchase = () => screen.getByRole('button', { name: 'Purchase' });

async function openPurchase(user = aUser()) {
  shop.signIn('user', user);
  shop.answer(readProduct, { data: product });
  const page = await openPage(`/purchase/${product._id}`);
  await screen.findByRole('heading', { name: 'Your order' });
  return page;
}

async function openFilled() {
  const { user } = await openPurchase();
  await user.type(screen.getByLabelText('Address'), '12 Oxford Street');
  await user.type(screen.getByLabelText('phone'), '233302771204');
  return user;
}

/** The browser ends the page, with all that is in it. */
function reload() {
  fireEvent(window, new Event('pagehide'));
  closePage();
}

const getKeys = () => shop.getRequests(placeOrder).map(({ headers }) => headers.get('idempotency-key'));

/** Sends an order and reloads the page without having read an answer. */
async function loseAnswer() {
  const user = await openFilled();
  shop.disconnect(placeOrder);
  await user.click(purchase());
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
  await user.click(purchase());
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
  await user.click(purchase());
  await waitFor(() => expect(getKeys()).toHaveLength(2));
  const [first, second] = getKeys();
  expect(second).not.toBe(first);
});

test('an order that is still under way when the page is loaded anew counts as one without an answer', async () => {
  const user = await openFilled();
  shop.answer(placeOrder, { insertedId: '01a1fe55-4eaf-7194-bacc-000000000000' });
  shop.hold(placeOrder);
  await user.click(purchase());
  expect(await screen.findByRole('button', { name: 'Placing order…' })).toBeVisible();
  reload();
  await openPurchase();
  expect(unanswered()).toBeVisible();
});

test('an order that was refused is no order without an answer; a refusal after a lost answer leaves it one', async () => {
  const user = await openFilled();
  shop.refuse(placeOrder, 'overloaded');
  await user.click(purchase());
  expect(await screen.findByText('The order was not placed.')).toBeVisible();
  reload();
  await openPurchase();
  expect(unanswered()).not.toBeInTheDocument();
  closePage();
  sessionStorage.clear();
  const again = await loseAnswer();
  shop.refuse(placeOrder, 'overloaded');
  await again.user.click(purchase());
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
